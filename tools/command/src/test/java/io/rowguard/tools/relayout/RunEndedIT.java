package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.testing.Eventually;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.ObservedCluster;
import io.rowguard.tools.relayout.StepOutcome.MoveOutcome;
import io.rowguard.tools.relayout.StepRequest.MoveRequest;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs that do not come to their end: stopped, killed, or in vain. */
class RunEndedIT {
  @TempDir private Path directory;

  private HBaseTestingUtility hbase;

  @BeforeEach
  void setUp() {
    hbase = ObservedCluster.running();
  }

  private RelayoutSteps steps(MovingTable table) throws IOException {
    return RelayoutSteps.of(
        hbase.getConnection(), hbase.getConfiguration(), table.name(), StepListener.none());
  }

  /** {@code rowguard relayout run}, slowly, as a process of its own, until it has moved a row. */
  private Process runUntilRowsMove(MovingTable table, String out) throws Exception {
    long before = steps(table).status().oldRows();
    Process process =
        new ClusterSession(hbase, directory)
            .start(
                directory.resolve(out),
                "relayout run",
                table.name().getNameAsString(),
                "--threads",
                "1",
                "--rows-per-second",
                "5");
    Eventually.isTrue(
        "rows move", () -> !process.isAlive() || steps(table).status().oldRows() < before);
    assertTrue(process.isAlive(), () -> read(out) + read(out + ".err"));
    return process;
  }

  private String read(String file) {
    try {
      return Files.readString(directory.resolve(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void run_stoppedAndKilled_leavesTheRestForTheNext() throws Exception {
    MovingTable table = MovingTable.create(hbase, "run_killed", MovingTable.EIGHT, "reject", "04");
    table.fill(MovingTable.EIGHT, 500, 2);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    steps(table).start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(4));

    Process stopped = runUntilRowsMove(table, "stopped");
    stopped.destroy(); // as Ctrl-C, a signal that shutdown hooks see
    assertEquals(143, stopped.waitFor(), "the shell's code for that signal");
    String said = read("stopped");
    assertTrue(said.contains("It was stopped; the rest is where it was."), said);
    assertTrue(said.contains("Next: rowguard relayout run run_killed"), said);
    Process killed = runUntilRowsMove(table, "killed");
    killed.destroyForcibly();
    assertEquals(137, killed.waitFor(), "the shell's code for that signal");

    assertTrue(steps(table).status().oldRows() > 0);
    assertTrue(steps(table).run(MoveRequest.usual(), MovePace.of(0)).isDone());
    assertEquals(before, table.cells(MovingTable.SIXTEEN));
    assertTrue(steps(table).finish().isFinished());
  }

  /**
   * A marker at a row's new place, from before the relayout, would hide the cells that come there.
   */
  @Test
  void run_ofRowsThatCannotBePulled_slowsDownAndSaysWhatHelps() throws Exception {
    MovingTable table = MovingTable.create(hbase, "run_in_vain", MovingTable.EIGHT, "off", "04");
    byte[] marked = MovingTable.SIXTEEN.strip(Bytes.toBytes(MovingTable.strayRow()));
    try (Table client = hbase.getConnection().getTable(table.name())) {
      client.delete(new Delete(MovingTable.SIXTEEN.complete(marked), 2_000_000));
    }
    table.alter("rowguard.mode", "reject");
    table.fill(MovingTable.EIGHT, 50, 2);
    table.put(MovingTable.EIGHT.complete(marked), 1_000_000);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    steps(table).start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(4));

    MovePace pace = MovePace.of(0);
    MoveOutcome inVain = steps(table).patient(Duration.ofSeconds(1)).run(MoveRequest.usual(), pace);
    assertFalse(inVain.isDone());
    assertTrue(inVain.why().contains("major compaction"), inVain.why());
    assertTrue(inVain.moved() > 0 && inVain.failures() > 0, inVain.toString());
    assertTrue(pace.pauseMillis() >= 50, "it has slowed down");
    assertEquals(1, steps(table).status().oldRows());
    assertFalse(steps(table).finish().isFinished());

    new AlteredTable(
            hbase.getConnection(),
            hbase.getConfiguration(),
            table.name(),
            Patience.USUAL,
            StepListener.none())
        .compactLeftovers(0, "The test wants none.", "");
    assertTrue(steps(table).run(MoveRequest.usual(), MovePace.of(0)).isDone());
    assertEquals(before, table.cells(MovingTable.SIXTEEN));
    assertTrue(steps(table).finish().isFinished());
  }
}
