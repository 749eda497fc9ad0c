package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.rowguard.config.TableConfig;
import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.testing.Eventually;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import io.rowguard.tools.ObservedCluster;
import io.rowguard.tools.cluster.TableRegions;
import io.rowguard.tools.relayout.StepOutcome.MoveOutcome;
import io.rowguard.tools.relayout.StepOutcome.StartOutcome;
import io.rowguard.tools.relayout.StepRequest.MoveRequest;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The six steps on a cluster with both observers: what they print, and what is so then. */
class RelayoutCommandIT {
  private static final String TO = MovingTable.SIXTEEN.toString();

  @TempDir private Path directory;

  private HBaseTestingUtility hbase;
  private ClusterSession session;

  @BeforeEach
  void setUp() throws Exception {
    hbase = ObservedCluster.running();
    session = new ClusterSession(hbase, directory);
  }

  private CommandResult run(int exitCode, String step, String... args) {
    CommandResult result = session.run("relayout " + step, args);
    assertEquals(exitCode, result.exitCode(), result.out() + result.err());
    return result;
  }

  private static JsonObject json(CommandResult result) {
    return JsonParser.parseString(result.out()).getAsJsonObject();
  }

  private RelayoutSteps steps(MovingTable table) throws IOException {
    return RelayoutSteps.of(
        hbase.getConnection(), hbase.getConfiguration(), table.name(), StepListener.none());
  }

  private static void assertHas(CommandResult result, String... texts) {
    for (String text : texts) {
      assertTrue(result.out().contains(text), text + " is missing in:\n" + result.out());
    }
  }

  @Test
  void allSteps_fromEightToSixteen_keepEveryCell() throws Exception {
    MovingTable table =
        MovingTable.create(hbase, "all_steps", MovingTable.EIGHT, "reject", "02", "04", "06");
    table.fill(MovingTable.EIGHT, 200, 3);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    long moving =
        before.keySet().stream()
            .map(bare -> bare.getBytes(StandardCharsets.UTF_8))
            .filter(
                bare ->
                    !Arrays.equals(
                        MovingTable.EIGHT.complete(bare), MovingTable.SIXTEEN.complete(bare)))
            .count();

    String digest = directory.resolve("all_steps.digest").toString();
    assertEquals(0, session.run("digest", "all_steps", "--versions", "-o", digest).exitCode());

    CommandResult plan = run(0, "plan", "all_steps", "--to", TO, "--regions", "8");
    assertHas(plan, moving + " of 600 move; all were counted", "Nothing is in the way.");
    assertHas(plan, "Next: rowguard relayout start all_steps --regions 8 --to '" + TO + "'");
    assertEquals("", plan.err());
    assertNull(table.value("rowguard.layout.previous"));

    CommandResult start = run(0, "start", "all_steps", "--to", TO, "--yes", "--regions", "8");
    assertHas(start, "Rows move now: 4 regions were made", "Next: rowguard relayout run all_steps");
    assertEquals("moving", table.value("rowguard.layout.phase"));
    assertEquals(List.of("02", "04", "06", "08", "1", "12", "14"), table.startKeys());

    CommandResult status = run(0, "status", "all_steps");
    assertHas(status, "old rows " + moving + ", in 4 regions", "all of version 2");
    assertHas(status, "moved    0 of " + moving + ", 0.0 %", "speed    none in the last minute");

    assertHas(session.run("digest", "all_steps", "--against", digest), "Both have the same cells.");

    CommandResult early = run(1, "finish", "all_steps", "--yes");
    assertHas(early, "It is not finished, and nothing was done.");
    assertEquals("moving", table.value("rowguard.layout.phase"));

    CommandResult moved = run(0, "run", "all_steps");
    assertHas(moved, moving + " rows moved", "Next: rowguard relayout finish all_steps");
    assertEquals(before, table.cells(MovingTable.SIXTEEN));

    assertHas(run(0, "status", "all_steps"), "moved    " + moving + " of " + moving + ", 100.0 %");
    JsonObject progress = json(run(0, "status", "all_steps", "--json")).getAsJsonObject("progress");
    assertEquals(moving, progress.get("moved").getAsLong());
    assertEquals(0, progress.get("secondsLeft").getAsLong());
    JsonObject again = json(run(0, "run", "all_steps", "--yes", "--json"));
    assertEquals(0, again.get("moved").getAsLong());
    assertTrue(again.get("done").getAsBoolean());

    CommandResult finish = run(0, "finish", "all_steps", "--yes");
    assertHas(finish, "no old row is left", "Finished: " + TO);
    assertEquals(TO, table.value("rowguard.layout"));
    assertNull(table.value("rowguard.layout.previous"));
    assertEquals("3", table.value("rowguard.layout.version"));
    assertHas(run(0, "status", "all_steps"), "in no relayout", "version  3");
    assertHas(session.run("digest", "all_steps", "--against", digest), "Both have the same cells.");
  }

  @Test
  void start_withoutSomebodyWhoAgrees_doesNothing() throws Exception {
    MovingTable table = MovingTable.create(hbase, "asks_first", MovingTable.EIGHT, "reject");

    CommandResult unanswered = run(2, "start", "asks_first", "--to", TO);
    assertTrue(unanswered.err().contains("--yes goes on unasked"), unanswered.err());
    CommandResult no =
        session.run(
            new ByteArrayInputStream("n\n".getBytes(StandardCharsets.UTF_8)),
            "relayout start",
            "asks_first",
            "--to",
            TO);
    assertEquals(2, no.exitCode());
    assertNull(table.value("rowguard.layout.version"));

    CommandResult yes =
        session.run(
            new ByteArrayInputStream("y\n".getBytes(StandardCharsets.UTF_8)),
            "relayout start",
            "asks_first",
            "--to",
            TO);
    assertEquals(0, yes.exitCode(), yes.err());
    assertEquals("moving", table.value("rowguard.layout.phase"));
  }

  @Test
  void start_thatWasInterrupted_goesOn() throws Exception {
    MovingTable table = MovingTable.create(hbase, "goes_on", MovingTable.EIGHT, "reject", "04");
    table.fill(MovingTable.EIGHT, 50, 2);
    RelayoutSteps steps = steps(table);
    hbase
        .getAdmin()
        .modifyTable(
            RelayoutDeclaration.prepared(
                hbase.getAdmin().getDescriptor(table.name()),
                TableConfig.of(
                    hbase.getAdmin().getDescriptor(table.name()), hbase.getConfiguration()),
                MovingTable.SIXTEEN));

    CommandResult tooEarly = run(2, "run", "goes_on");
    assertTrue(tooEarly.err().contains("rowguard relayout start goes_on --to"), tooEarly.err());
    CommandResult other =
        run(2, "start", "goes_on", "--yes", "--to", MovingTable.UNSALTED.toString());
    assertTrue(other.err().contains("in another relayout"), other.err());

    assertTrue(steps.start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(4)).isStarted());
    assertEquals("moving", table.value("rowguard.layout.phase"));
    assertEquals(List.of("04", "08", "12"), table.startKeys());
    assertTrue(steps.start(PlanRequest.of(MovingTable.SIXTEEN)).isStarted());
  }

  @Test
  void run_twiceAtOnceAndStopped_movesEachRowOnce() throws Exception {
    MovingTable table = MovingTable.create(hbase, "two_runs", MovingTable.EIGHT, "reject", "04");
    table.fill(MovingTable.EIGHT, 600, 2);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    RelayoutSteps steps = steps(table);
    long moving = steps.plan(PlanRequest.of(MovingTable.SIXTEEN)).estimate().movingRows();
    steps.start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(4));

    MoveOutcome stopped = stoppedWhenSomeHaveMoved(steps);
    assertTrue(stopped.isInterrupted());
    assertTrue(stopped.moved() < moving, stopped.toString());
    TableProgress progress = steps.status().progress();
    assertEquals(stopped.moved(), progress.moved());
    assertEquals(moving - stopped.moved(), progress.left());
    assertEquals(Math.floor(1000.0 * stopped.moved() / moving) / 10, progress.percent());
    TableProgress anew = afterRegionsHaveMoved(table, steps);
    assertEquals(0, anew.moved());
    assertEquals(moving - stopped.moved(), anew.left());
    assertEquals(progress.percent(), anew.ofAtLeast(moving).percent());

    ExecutorService both = Executors.newFixedThreadPool(2);
    try {
      Future<MoveOutcome> one = both.submit(() -> steps.run(MoveRequest.usual(), MovePace.of(0)));
      Future<MoveOutcome> two = both.submit(() -> steps.run(MoveRequest.usual(), MovePace.of(0)));
      assertTrue(one.get().isDone(), one.get().toString());
      assertTrue(two.get().isDone(), two.get().toString());
      assertEquals(moving, stopped.moved() + one.get().moved() + two.get().moved());
    } finally {
      both.shutdown();
    }
    assertEquals(before, table.cells(MovingTable.SIXTEEN));
    assertTrue(steps.finish().isFinished());
  }

  /** A run of 20 rows a second, so that its second batch waits for five seconds; it is ended. */
  private static MoveOutcome stoppedWhenSomeHaveMoved(RelayoutSteps steps) throws Exception {
    MovePace pace = MovePace.of(20);
    ExecutorService runner = Executors.newSingleThreadExecutor();
    try {
      Future<MoveOutcome> run = runner.submit(() -> steps.run(new MoveRequest(2, 20), pace));
      Eventually.isTrue("some rows have moved", () -> steps.status().progress().moved() > 0);
      pace.end();
      return run.get();
    } finally {
      runner.shutdown();
    }
  }

  /** The progress when the two regions that have old rows have opened elsewhere. */
  private TableProgress afterRegionsHaveMoved(MovingTable table, RelayoutSteps steps)
      throws IOException {
    for (HRegionLocation each :
        TableRegions.of(hbase.getConnection(), table.name()).subList(0, 2)) {
      ServerName other =
          hbase.getAdmin().getRegionServers().stream()
              .filter(server -> !server.equals(each.getServerName()))
              .findFirst()
              .orElseThrow();
      hbase.getAdmin().move(each.getRegion().getEncodedNameAsBytes(), other);
    }
    return steps.status().progress();
  }

  /**
   * A job names all that its JVM shows over JMX, so it has one of its own. The first of the run
   * fails: a region is offline.
   */
  @Test
  void run_asJobs_movesEveryRow() throws Exception {
    MovingTable table = MovingTable.create(hbase, "by_job", MovingTable.EIGHT, "reject", "04");
    table.fill(MovingTable.EIGHT, 100, 2);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    RelayoutSteps steps = steps(table);
    long moving = steps.plan(PlanRequest.of(MovingTable.SIXTEEN)).estimate().movingRows();
    steps.start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(4));

    byte[] offline = hbase.getAdmin().getRegions(table.name()).get(0).getRegionName();
    hbase.getAdmin().unassign(offline);
    Path out = directory.resolve("job");
    Path err = directory.resolve("job.err");
    Process job =
        session.start(
            out,
            "relayout run by_job",
            "--mapreduce",
            "--json",
            "--temp-dir=" + directory,
            "-Dhbase.client.retries.number=3",
            "-Dhbase.client.pause=10");
    Eventually.isTrue(
        "it says why it waits",
        () -> !job.isAlive() || Files.readString(err).contains("No progress"));
    hbase.getAdmin().assign(offline);

    assertEquals(0, job.waitFor(), () -> out + ", and its errors beside it");
    JsonObject moved = JsonParser.parseString(Files.readString(out)).getAsJsonObject();
    assertEquals(moving, moved.get("moved").getAsLong());
    assertEquals(before, table.cells(MovingTable.SIXTEEN));
    assertTrue(steps.finish().isFinished());
  }

  @Test
  void plan_ofWhatCannotBe_namesEachObstacleWithItsWayOut() throws Exception {
    String stray = MovingTable.strayRow();
    MovingTable.create(hbase, "cannot", MovingTable.EIGHT, "warn").put(stray);

    CommandResult warned = run(1, "plan", "cannot", "--to", TO);
    assertHas(warned, "not_for_this_table", "stray_rows", stray, "      > ", "2 things are in");
    CommandResult started = run(1, "start", "cannot", "--to", TO, "--yes");
    assertHas(started, "Nothing was done.");
    assertHas(run(1, "plan", "cannot", "--to", "{id:hex(16)}"), "layouts", "the bare keys differ");
    CommandResult missing = run(2, "plan", "no_such_table", "--to", TO);
    assertTrue(missing.err().contains("There is no such table."), missing.err());
    CommandResult none = run(2, "status", "no_such_table");
    assertTrue(none.err().contains("There is no such table."), none.err());
  }

  @Test
  void start_overAStrayRowThatTheSampleMissed_givesUpAndNamesIt() throws Exception {
    MovingTable table = MovingTable.create(hbase, "stray", MovingTable.EIGHT, "off", "04");
    table.fill(MovingTable.EIGHT, 300, 1);
    String stray = MovingTable.strayRow();
    table.put(stray);
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(table.name()))
                .setValue("rowguard.mode", "reject")
                .build());

    CommandResult start = run(1, "start", "stray", "--to", TO, "--yes", "--sample", "1");

    assertHas(start, "stray_rows", stray, "Nothing was done.");
    assertNull(table.value("rowguard.layout.previous"));
    assertEquals(MovingTable.EIGHT.toString(), table.value("rowguard.layout"));
  }

  @Test
  void allSteps_fromUnsaltedToSalted_spreadTheRows() throws Exception {
    MovingTable table = MovingTable.create(hbase, "spread", MovingTable.UNSALTED, "reject");
    table.fill(MovingTable.UNSALTED, 200, 2);
    Map<String, String> before = table.cells(MovingTable.UNSALTED);
    RelayoutSteps steps = steps(table);

    StartOutcome started = steps.start(PlanRequest.of(MovingTable.EIGHT));
    assertEquals(3, started.regionsMade());
    assertEquals(List.of("02", "04", "06"), table.startKeys());
    MoveOutcome moved = steps.run(MoveRequest.usual(), MovePace.of(0));
    assertEquals(400, moved.moved());
    assertTrue(steps.finish().isFinished());
    assertEquals(before, table.cells(MovingTable.EIGHT));
  }

  @Test
  void allSteps_inSaltMode_keepEveryCell() throws Exception {
    MovingTable table =
        MovingTable.create(hbase, "in_salt_mode", MovingTable.SIXTEEN, "salt", "08");
    table.fill(MovingTable.SIXTEEN, 150, 2);
    Map<String, String> before = table.cells(MovingTable.SIXTEEN);
    String to = MovingTable.EIGHT.toString();

    assertHas(run(0, "plan", "in_salt_mode", "--to", to), "Nothing is in the way.");
    run(0, "start", "in_salt_mode", "--to", to, "--yes");
    assertHas(run(0, "run", "in_salt_mode"), "No old row is left");
    assertHas(run(0, "finish", "in_salt_mode", "--yes"), "1 regions have no rows any more");
    assertEquals(before, table.cells(MovingTable.EIGHT));

    CommandResult merged = session.run("merge", "in_salt_mode", "--yes");
    assertEquals(0, merged.exitCode(), merged.err());
    assertTrue(merged.out().contains(" regions became "), merged.out());
    assertEquals(before, table.cells(MovingTable.EIGHT));
  }
}
