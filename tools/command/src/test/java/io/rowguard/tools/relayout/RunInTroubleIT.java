package io.rowguard.tools.relayout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.OpenRegions;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.ObservedCluster;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.TableRegions;
import io.rowguard.tools.relayout.StepOutcome.MoveOutcome;
import io.rowguard.tools.relayout.StepRequest.MoveRequest;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.master.locking.LockManager;
import org.apache.hadoop.hbase.procedure2.LockType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs that meet a region that is offline, wrong answers, and failures of their own threads. */
class RunInTroubleIT {
  private static final Logger LOG = LoggerFactory.getLogger(RunInTroubleIT.class);

  @TempDir private Path directory;

  private HBaseTestingUtility hbase;

  @BeforeEach
  void setUp() {
    hbase = ObservedCluster.running();
  }

  private RelayoutSteps steps(MovingTable table, Connection connection, List<String> said) {
    return RelayoutSteps.of(connection, hbase.getConfiguration(), table.name(), said::add);
  }

  /** A table of which rows move, and none has. */
  private MovingTable moving(String name, int users) throws IOException {
    MovingTable table = MovingTable.create(hbase, name, MovingTable.EIGHT, "reject", "04");
    table.fill(MovingTable.EIGHT, users, 2);
    steps(table, hbase.getConnection(), new CopyOnWriteArrayList<>())
        .start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(4));
    return table;
  }

  /** A connection that gives up in no time: waiting is the mover's part. */
  private Connection impatient() throws IOException {
    Configuration conf = new Configuration(hbase.getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    conf.setInt(HConstants.HBASE_CLIENT_PAUSE, 10);
    return ConnectionFactory.createConnection(conf);
  }

  @Test
  void run_whileARegionIsOffline_saysSoAndOutlastsIt() throws Exception {
    MovingTable table = moving("run_offline", 100);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    RegionInfo region = TableRegions.of(hbase.getConnection(), table.name()).get(0).getRegion();
    hbase.getAdmin().unassign(region.getRegionName());
    List<String> said = new CopyOnWriteArrayList<>();
    ExecutorService other = Executors.newSingleThreadExecutor();
    try (Connection connection = impatient()) {
      RelayoutSteps steps = steps(table, connection, said);
      MoveOutcome inVain =
          steps.patient(Duration.ofSeconds(1)).run(MoveRequest.usual(), MovePace.of(0));
      assertFalse(inVain.isDone());
      assertTrue(inVain.why().contains("NotServingRegionException"), inVain.why());
      assertTrue(inVain.moved() > 0, "the rows of the other regions: " + inVain);

      said.clear();
      Future<MoveOutcome> patient =
          other.submit(
              () -> steps.patient(Duration.ofMinutes(10)).run(MoveRequest.usual(), MovePace.of(0)));
      Eventually.isTrue("it says why it waits", () -> !said.isEmpty() || patient.isDone());
      hbase.getAdmin().assign(region.getRegionName());
      assertTrue(patient.get().isDone(), patient.get().toString());
      assertTrue(said.get(0).contains("NotServingRegionException"), said.toString());
      assertTrue(said.get(said.size() - 1).startsWith("It goes on after"), said.toString());
      List<String> causes = said.stream().filter(line -> !line.startsWith("It goes on")).toList();
      assertEquals(causes.size(), Set.copyOf(causes).size(), "each cause once: " + said);
    } finally {
      other.shutdown();
    }
    assertEquals(before, table.cells(MovingTable.SIXTEEN));
  }

  /**
   * The run stands still while the server dies, so that it has rows left then. The master is kept
   * from opening the regions elsewhere until the run has said that it waits.
   */
  @Test
  void run_whileOneOfThreeServersDies_goesOn() throws Exception {
    MovingTable table = moving("run_server_dies", 400);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    ServerName third = thirdServerWithOldRows(table);
    LockManager.MasterLock lock =
        hbase
            .getMiniHBaseCluster()
            .getMaster()
            .getLockManager()
            .createMasterLock(table.name(), LockType.EXCLUSIVE, "Nothing moves.");
    RelayoutSteps steps = steps(table, hbase.getConnection(), new CopyOnWriteArrayList<>());
    long left = steps.status().oldRows();
    Path out = directory.resolve("run");
    Path err = directory.resolve("run.err");
    Process run =
        new ClusterSession(hbase, directory)
            .start(
                out,
                "relayout run",
                table.name().getNameAsString(),
                "--rows-per-second=50",
                "-Dhbase.client.retries.number=3",
                "-Dhbase.client.pause=50");
    int exitCode;
    try {
      Eventually.isTrue("rows move", () -> !run.isAlive() || steps.status().oldRows() < left);
      signal(run, "STOP");
      assertTrue(lock.tryAcquire(60_000));
      try {
        hbase.getMiniHBaseCluster().killRegionServer(third);
        hbase.getMiniHBaseCluster().waitForRegionServerToStop(third, 60_000);
        signal(run, "CONT");
        Eventually.isTrue(
            "it says why it waits",
            () -> !run.isAlive() || Files.readString(err).contains("No progress"));
      } finally {
        lock.release();
      }

      exitCode = run.waitFor();
    } finally {
      run.destroyForcibly(); // it may stand still
    }
    String said = Files.readString(out) + Files.readString(err);
    LOG.info("A run on three servers, of which one is killed:\n{}", said);
    assertEquals(0, exitCode, said);
    assertTrue(said.contains("It goes on after"), said);
    assertEquals(before, table.cells(MovingTable.SIXTEEN));
  }

  private static void signal(Process process, String signal) throws Exception {
    assertEquals(0, new ProcessBuilder("kill", "-" + signal, "" + process.pid()).start().waitFor());
  }

  private ServerName thirdServerWithOldRows(MovingTable table) throws Exception {
    ServerName third =
        hbase
            .getMiniHBaseCluster()
            .startRegionServerAndWait(60_000)
            .getRegionServer()
            .getServerName();
    for (RegionInfo each : hbase.getAdmin().getRegions(table.name()).subList(0, 2)) {
      OpenRegions.move(hbase, each, third);
    }
    return third;
  }

  @Test
  void run_whoseThreadFails_fails() throws Exception {
    MovingTable table = moving("run_thread", 20);
    Connection failing =
        TamperedConnection.of(
            hbase.getConnection(),
            (get, result) -> {
              throw new NoClassDefFoundError("org/example/Missing");
            });
    RelayoutSteps steps = steps(table, failing, new CopyOnWriteArrayList<>());

    CommandFailure failure =
        assertThrows(CommandFailure.class, () -> steps.run(MoveRequest.usual(), MovePace.of(0)));
    assertTrue(failure.getMessage().contains("org/example/Missing"), failure.getMessage());
    assertTrue(failure.getMessage().contains("table=run_thread"), failure.getMessage());
  }

  @Test
  void run_withAnAnswerThatIsTooShort_asksAgain() throws Exception {
    MovingTable table = moving("run_short", 50);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    AtomicBoolean isCut = new AtomicBoolean();
    Connection cutting =
        TamperedConnection.of(
            hbase.getConnection(),
            (get, result) -> isCut.compareAndSet(false, true) ? cut(get, result) : result);

    MoveOutcome outcome =
        steps(table, cutting, new CopyOnWriteArrayList<>())
            .run(MoveRequest.usual(), MovePace.of(0));
    assertTrue(isCut.get());
    assertTrue(outcome.isDone(), outcome.toString());
    assertTrue(outcome.failures() > 1, outcome.toString());
    assertEquals(before, table.cells(MovingTable.SIXTEEN));
  }

  private static Result cut(Get get, Result result) {
    try {
      RelayoutResponse whole = RelayoutResponse.of(result);
      RelayoutResponse cut =
          RelayoutResponse.of(
              whole.version(),
              whole.generation(),
              whole.isMoving(),
              whole.misplacedRows(),
              whole.items().subList(0, 1));
      return Result.create(List.of(cut.toCell(get.getRow())));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void run_ofLongRows_asksForFewAtATime() throws Exception {
    MovingTable table = MovingTable.create(hbase, "run_long", MovingTable.EIGHT, "reject", "04");
    for (int user = 0; user < 60; user++) {
      String bare = "u" + user + "a".repeat(30_000) + "|0001";
      table.put(MovingTable.EIGHT.complete(bare.getBytes(UTF_8)), 1_000_000);
    }
    AtomicInteger most = new AtomicInteger();
    Connection watched =
        TamperedConnection.of(
            hbase.getConnection(),
            (get, result) -> {
              most.accumulateAndGet(bytes(get), Math::max);
              return result;
            });
    RelayoutSteps steps = steps(table, watched, new CopyOnWriteArrayList<>());
    steps.start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(1));

    MoveOutcome outcome = steps.run(MoveRequest.usual(), MovePace.of(0));
    assertTrue(outcome.isDone(), outcome.toString());
    assertTrue(outcome.moved() > 20, outcome.toString());
    assertTrue(most.get() > 30_000 && most.get() < 300_000, "bytes of one request: " + most);
  }

  private static int bytes(Get get) {
    try {
      RelayoutRequest request = RelayoutRequest.of(get);
      return request == null ? 0 : request.rows().stream().mapToInt(row -> row.length).sum();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
