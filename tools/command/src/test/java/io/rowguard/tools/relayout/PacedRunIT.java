package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.testing.Eventually;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import io.rowguard.tools.ObservedCluster;
import io.rowguard.tools.relayout.StepOutcome.MoveOutcome;
import io.rowguard.tools.relayout.StepRequest.MoveRequest;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Get;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that keep to what reads can bear. */
class PacedRunIT {
  /** Six times as long: a busy machine by itself is below, planted reads are far above. */
  private static final double SLOWDOWN = 5;

  private static final long PLANTED_MILLIS = 250;

  private static final PaceTimes QUICK =
      new PaceTimes(
          Duration.ofSeconds(2), // in which planted reads are as many as are needed to judge
          Duration.ofMillis(10),
          Duration.ofMillis(10),
          10,
          20,
          Duration.ofMinutes(2));

  private HBaseTestingUtility hbase;

  @BeforeEach
  void setUp() {
    hbase = ObservedCluster.running();
  }

  /** Keeps what it hears. */
  private static final class Heard implements StepListener {
    private final List<String> said = new CopyOnWriteArrayList<>();
    private volatile Pace pace;
    private volatile double most;

    @Override
    public void doing(String sentence) {
      said.add(sentence);
    }

    @Override
    public void moving(long moved, TableProgress progress, Pace latest) {
      pace = latest;
      most = latest == null ? most : Math.max(most, latest.rowsPerSecond());
    }

    boolean hasHeard(String beginning) {
      return said.stream().anyMatch(each -> each.startsWith(beginning));
    }
  }

  @Test
  void run_whileReadsAreSlow_slowsDownSaysSoAndSpeedsUpAgain() throws Exception {
    MovePace pace = MovePace.of(0);
    AtomicBoolean isPlanted = new AtomicBoolean(true);
    MovingTable table = MovingTable.create(hbase, "paced", MovingTable.EIGHT, "reject", "04");
    table.fill(MovingTable.EIGHT, 12_000, 1);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    hbase
        .getAdmin()
        .modifyTable(
            WatchedGets.watched(
                hbase.getAdmin().getDescriptor(table.name()),
                get -> {
                  if (isPlanted.get() && !pace.isResting() && isRead(get)) {
                    sleep();
                  }
                }));
    Heard heard = new Heard();
    RelayoutSteps steps =
        RelayoutSteps.of(hbase.getConnection(), hbase.getConfiguration(), table.name(), heard);
    steps.start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(4));
    heard.said.clear();
    ExecutorService runner = Executors.newSingleThreadExecutor();
    try {
      Future<MoveOutcome> run =
          runner.submit(
              () -> steps.withPaceTimes(QUICK).run(new MoveRequest(2, 0, SLOWDOWN), pace));
      Eventually.isTrue(
          "it is slowed",
          () ->
              run.isDone()
                  || (heard.hasHeard("It is slowed to")
                      && heard.pace != null
                      && heard.pace.why() == Pace.Why.READS));
      assertFalse(run.isDone(), () -> "before it was slowed: " + heard.said);
      double slowed = heard.pace.rowsPerSecond();
      assertTrue(slowed < heard.most, () -> heard.pace + " most=" + heard.most);

      isPlanted.set(false);
      Eventually.isTrue("it is faster", () -> run.isDone() || heard.pace.rowsPerSecond() > slowed);
      assertTrue(heard.pace.rowsPerSecond() > slowed, () -> heard.pace.toString());
      assertTrue(run.get().isDone(), run.get().toString());
    } finally {
      runner.shutdownNow();
    }
    assertEquals(before, table.cells(MovingTable.SIXTEEN));
  }

  private static boolean isRead(Get get) {
    try {
      return RelayoutRequest.of(get) == null;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void sleep() {
    try {
      TimeUnit.MILLISECONDS.sleep(PLANTED_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void run_withASlowdownAndMappers_isRefused(@TempDir Path directory) throws Exception {
    ClusterSession session = new ClusterSession(hbase, directory);
    CommandResult both = session.run("relayout run", "any", "--slowdown", "20%", "--mapreduce");
    assertEquals(2, both.exitCode());
    assertTrue(both.err().contains("--slowdown is for a run in one process"), both.err());
    CommandResult wrong = session.run("relayout run", "any", "--slowdown", "much");
    assertEquals(2, wrong.exitCode());
    assertTrue(wrong.err().contains("no percentage above 0"), wrong.err());
  }
}
