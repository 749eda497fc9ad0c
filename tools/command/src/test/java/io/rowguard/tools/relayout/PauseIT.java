package io.rowguard.tools.relayout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.testing.Eventually;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import io.rowguard.tools.ObservedCluster;
import io.rowguard.tools.relayout.StepOutcome.MoveOutcome;
import io.rowguard.tools.relayout.StepOutcome.PauseOutcome;
import io.rowguard.tools.relayout.StepRequest.MoveRequest;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Relayouts that are paused: runs of all kinds wait, writes do not. */
class PauseIT {
  @TempDir private Path directory;

  private HBaseTestingUtility hbase;
  private ClusterSession session;

  @BeforeEach
  void setUp() throws IOException {
    hbase = ObservedCluster.running();
    session = new ClusterSession(hbase, directory);
  }

  private RelayoutSteps steps(MovingTable table, List<String> said) throws IOException {
    return RelayoutSteps.of(
        hbase.getConnection(), hbase.getConfiguration(), table.name(), said::add);
  }

  private RelayoutSteps steps(MovingTable table) throws IOException {
    return steps(table, new CopyOnWriteArrayList<>());
  }

  /** A table whose rows move, in two regions of old rows and two of new ones. */
  private MovingTable moving(String name, int users) throws IOException {
    MovingTable table = MovingTable.create(hbase, name, MovingTable.EIGHT, "reject", "04");
    table.fill(MovingTable.EIGHT, users, 2);
    steps(table).start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(4));
    return table;
  }

  private CommandResult run(int exitCode, String command, String... args) {
    CommandResult result = session.run(command, args);
    assertEquals(exitCode, result.exitCode(), result.out() + result.err());
    return result;
  }

  private static void assertHas(CommandResult result, String text) {
    assertTrue(result.out().contains(text), text + " is missing in:\n" + result.out());
  }

  @Test
  void pause_beforeARun_isSeenEverywhereAndHoldsItUntilResume() throws Exception {
    MovingTable table = moving("paused_before", 100);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    long old = steps(table).status().oldRows();
    assertHas(run(0, "relayout pause", "paused_before"), "Paused, in 4 of 4 regions");
    CommandResult status = run(0, "relayout status", "paused_before");
    assertHas(status, "paused   in 4 regions: runs wait");
    assertHas(status, "Next: rowguard relayout resume paused_before");
    assertTrue(session.run("doctor", "paused_before", "--json").out().contains("relayout_paused"));

    List<String> said = new CopyOnWriteArrayList<>();
    ExecutorService runner = Executors.newSingleThreadExecutor();
    try {
      // No patience: a pause is no lack of progress.
      Future<MoveOutcome> run =
          runner.submit(
              () ->
                  steps(table, said)
                      .patient(Duration.ofMillis(1))
                      .run(MoveRequest.usual(), MovePace.of(0)));
      Eventually.isTrue("it says that it waits", () -> run.isDone() || !said.isEmpty());
      assertTrue(said.get(0).startsWith("Paused: only writes"), said.toString());
      assertEquals(old, steps(table).status().oldRows());
      assertEquals(before, table.cells(MovingTable.EIGHT));

      assertHas(run(0, "relayout resume", "paused_before"), "Resumed: runs go on");
      MoveOutcome outcome = run.get();
      assertTrue(outcome.isDone(), outcome.toString());
      assertEquals(old, outcome.moved());
      assertEquals(0, outcome.movedByOthers() + outcome.failures(), outcome.toString());
    } finally {
      runner.shutdownNow();
    }
    assertEquals(before, table.cells(MovingTable.SIXTEEN));
    assertFalse(run(0, "relayout status", "paused_before").out().contains("paused   "));
  }

  @Test
  void pause_inTheMiddleOfARun_holdsItWhereItIsAndWritesGoOn() throws Exception {
    MovingTable table = moving("paused_middle", 600);
    long old = steps(table).status().oldRows();
    MovePace pace = MovePace.of(0);
    pace.slowTo(20); // the second batch waits for five seconds
    ExecutorService runner = Executors.newSingleThreadExecutor();
    try {
      Future<MoveOutcome> run = runner.submit(() -> steps(table).run(new MoveRequest(2, 0), pace));
      Eventually.isTrue("rows move", () -> steps(table).status().oldRows() < old);
      PauseOutcome paused = steps(table).pause();
      assertEquals(new PauseOutcome(true, 4, List.of()), paused);
      Eventually.isTrue("it has noticed", () -> run.isDone() || pace.isPaused());
      Eventually.isTrue("what was under way is done", pace::isIdle);
      long left = steps(table).status().oldRows();
      assertTrue(left > 0, "it was paused in the middle");

      table.put(MovingTable.SIXTEEN.complete(aKeyThatHasNotMoved(table)), 3_000_000);
      assertEquals(left - 1, steps(table).status().oldRows());
      pace.slowTo(0);
      assertEquals(new PauseOutcome(false, 4, List.of()), steps(table).resume());
      MoveOutcome outcome = run.get();
      assertTrue(outcome.isDone(), outcome.toString());
      assertEquals(old, outcome.moved() + 1);
    } finally {
      runner.shutdownNow();
    }
    assertTrue(steps(table).finish().isFinished());
  }

  private byte[] aKeyThatHasNotMoved(MovingTable table) throws IOException {
    try (Table client = hbase.getConnection().getTable(table.name())) {
      for (int user = 0; user < 600; user++) {
        byte[] bare = ("u" + user + "|0001").getBytes(UTF_8);
        byte[] old = MovingTable.EIGHT.complete(bare);
        boolean moves = !Arrays.equals(old, MovingTable.SIXTEEN.complete(bare));
        if (moves && client.exists(new Get(old))) {
          return bare;
        }
      }
    }
    throw new AssertionError("All have moved.");
  }

  /** One of four regions remembers. */
  @Test
  void pause_thatRegionsHaveForgotten_holdsARunAsLongAsOneKnowsIt() throws Exception {
    MovingTable table = moving("paused_forgotten", 100);
    steps(table).pause();
    List<RegionInfo> regions = hbase.getAdmin().getRegions(table.name());
    for (RegionInfo each : regions.subList(1, regions.size())) {
      ServerName other =
          hbase.getAdmin().getRegionServers().stream()
              .filter(server -> !server.equals(serverOf(each)))
              .findFirst()
              .orElseThrow();
      hbase.getAdmin().move(each.getEncodedNameAsBytes(), other);
    }
    assertEquals(1, steps(table).status().progress().pausedRegions());

    MovePace pace = MovePace.of(0);
    pace.slowTo(0.1); // after its first batch it is held long before the next one's turn
    ExecutorService runner = Executors.newSingleThreadExecutor();
    try {
      Future<MoveOutcome> run = runner.submit(() -> steps(table).run(MoveRequest.usual(), pace));
      Eventually.isTrue("it has noticed", () -> run.isDone() || pace.isPaused());
      assertFalse(run.isDone());
      assertTrue(steps(table).status().oldRows() > 0);
      assertEquals(new PauseOutcome(false, 4, List.of()), steps(table).resume());
      assertEquals(0, steps(table).status().progress().pausedRegions());
      pace.end();
      assertTrue(run.get().isInterrupted(), "its second batch has its turn in minutes");
    } finally {
      runner.shutdownNow();
    }
    assertTrue(steps(table).run(MoveRequest.usual(), MovePace.of(0)).isDone());
  }

  private ServerName serverOf(RegionInfo region) {
    try {
      return hbase
          .getConnection()
          .getRegionLocator(region.getTable())
          .getRegionLocation(region.getStartKey(), true)
          .getServerName();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A job's mappers see it by themselves. */
  @Test
  void pause_beforeAJob_holdsItUntilResume() throws Exception {
    AtomicInteger touches = new AtomicInteger();
    MovingTable table = MovingTable.create(hbase, "paused_job", MovingTable.EIGHT, "reject", "04");
    table.fill(MovingTable.EIGHT, 50, 2);
    hbase
        .getAdmin()
        .modifyTable(
            WatchedGets.watched(
                hbase.getAdmin().getDescriptor(table.name()),
                get -> touches.addAndGet(isTouch(get) ? 1 : 0)));
    steps(table).start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(4));
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    long old = steps(table).status().oldRows();
    steps(table).pause();
    Path out = directory.resolve("job");
    Process job =
        session.start(
            out, "relayout run paused_job", "--mapreduce", "--json", "--temp-dir=" + directory);
    Path err = directory.resolve("job.err");
    try {
      Eventually.isTrue("it has been refused", () -> !job.isAlive() || touches.get() > 0);
      assertTrue(job.isAlive(), () -> read(out) + read(err));
      assertEquals(before, table.cells(MovingTable.EIGHT));
      steps(table).resume();
      assertEquals(0, job.waitFor(), () -> read(out) + read(err));
    } finally {
      job.destroyForcibly();
    }
    assertEquals(old, JsonParser.parseString(read(out)).getAsJsonObject().get("moved").getAsLong());
    assertEquals(before, table.cells(MovingTable.SIXTEEN));
  }

  private static boolean isTouch(Get get) {
    try {
      RelayoutRequest request = RelayoutRequest.of(get);
      return request != null && request.kind() == RelayoutRequest.Kind.TOUCH;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void pause_ofATableInNoRelayout_isRefused() throws Exception {
    MovingTable.create(hbase, "paused_none", MovingTable.EIGHT, "reject");
    CommandResult refused = run(2, "relayout pause", "paused_none");
    assertTrue(refused.err().contains("The table is in no relayout."), refused.err());
    assertTrue(
        run(2, "relayout resume", "paused_none").err().contains("The table is in no relayout."));
  }

  /** The step back reopens all regions, and the master asks them before. */
  @Test
  void back_ofAPausedRelayout_endsThePause() throws Exception {
    MovingTable table = moving("paused_back", 20);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    steps(table).pause();

    assertFalse(steps(table).back());

    assertFalse(steps(table).status().progress().isPaused());
    assertTrue(steps(table).run(MoveRequest.usual(), MovePace.of(0)).isDone());
    assertEquals(before, table.cells(MovingTable.EIGHT));
  }
}
