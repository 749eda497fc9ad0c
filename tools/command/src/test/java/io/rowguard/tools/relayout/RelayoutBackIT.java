package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.TableConfig;
import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import io.rowguard.tools.ObservedCluster;
import io.rowguard.tools.relayout.StepRequest.MoveRequest;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The step back: what it compacts, and that every cell returns. */
class RelayoutBackIT {
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
  void back_whileNothingHasMoved_givesUp() throws Exception {
    MovingTable table = MovingTable.create(hbase, "given_up", MovingTable.EIGHT, "reject");
    table.fill(MovingTable.EIGHT, 20, 1);
    hbase
        .getAdmin()
        .modifyTable(
            RelayoutDeclaration.prepared(
                hbase.getAdmin().getDescriptor(table.name()),
                TableConfig.of(
                    hbase.getAdmin().getDescriptor(table.name()), hbase.getConfiguration()),
                MovingTable.SIXTEEN));

    CommandResult back = run(0, "back", "given_up", "--yes");

    assertHas(back, "Given up: the table has " + MovingTable.EIGHT);
    assertEquals(MovingTable.EIGHT.toString(), table.value("rowguard.layout"));
    assertNull(table.value("rowguard.layout.previous"));
    assertEquals(20, table.cells(MovingTable.EIGHT).size());
  }

  @Test
  void back_inTheMiddle_bringsEveryCellBack() throws Exception {
    MovingTable table = MovingTable.create(hbase, "turned", MovingTable.EIGHT, "reject", "04");
    table.fill(MovingTable.EIGHT, 100, 2);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    RelayoutSteps steps = steps(table);
    steps.start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(4));
    steps.run(MoveRequest.usual(), MovePace.of(0));
    assertEquals(before, table.cells(MovingTable.SIXTEEN));

    CommandResult back = run(0, "back", "turned", "--yes");
    assertHas(back, "Turned: rows move back now.");
    assertEquals(1, compactions(back), back.err());
    assertEquals(MovingTable.EIGHT.toString(), table.value("rowguard.layout"));
    run(0, "run", "turned");
    assertEquals(before, table.cells(MovingTable.EIGHT));
    run(0, "finish", "turned", "--yes");
    assertEquals(before, table.cells(MovingTable.EIGHT));

    CommandResult plan = run(0, "plan", "turned", "--to", TO);
    assertHas(plan, "first    a major compaction");
    assertTrue(steps.start(PlanRequest.of(MovingTable.SIXTEEN)).isStarted());
    assertTrue(steps.run(MoveRequest.usual(), MovePace.of(0)).isDone());
    assertEquals(before, table.cells(MovingTable.SIXTEEN));
  }

  @Test
  void back_whereFewRegionsHaveMarkers_compactsThoseOnly() throws Exception {
    MovingTable table = MovingTable.create(hbase, "few", MovingTable.EIGHT, "reject", "02", "04");
    table.fill(MovingTable.EIGHT, 20, 1);
    Map<String, String> before = table.cells(MovingTable.EIGHT);
    RelayoutSteps steps = steps(table);
    steps.start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(1));

    CommandResult back = run(0, "back", "few", "--yes");
    assertEquals(0, compactions(back), back.err());
    back = run(0, "back", "few", "--yes");
    assertEquals(0, compactions(back), back.err());

    table.put(firstMoving(before.keySet()));
    back = run(0, "back", "few", "--yes");
    assertTrue(back.err().contains("Compacting 1 of 3 regions: no delete marker"), back.err());
    assertEquals(1, compactions(back), back.err());
    run(0, "run", "few");
    run(0, "finish", "few", "--yes");
    assertEquals(before.keySet(), table.cells(MovingTable.EIGHT).keySet());
  }

  @Test
  void back_whereRowsMoveBetweenCompactionAndAlter_compactsAgain() throws Exception {
    MovingTable table = MovingTable.create(hbase, "again", MovingTable.EIGHT, "reject", "02", "04");
    table.fill(MovingTable.EIGHT, 20, 1);
    Set<String> keys = table.cells(MovingTable.EIGHT).keySet();
    RelayoutSteps steps = steps(table);
    steps.start(PlanRequest.of(MovingTable.SIXTEEN).withRegions(1));
    List<String> said = new ArrayList<>();

    RelayoutSteps.of(
            hbase.getConnection(),
            hbase.getConfiguration(),
            table.name(),
            sentence -> {
              said.add(sentence);
              if (sentence.startsWith("Exchanging")) {
                putNow(table, firstMoving(keys));
              }
            })
        .back();

    assertEquals(2, said.size(), said.toString());
    assertTrue(said.get(1).startsWith("Compacting 1 of 3 regions: rows that"), said.toString());
    assertTrue(steps.run(MoveRequest.usual(), MovePace.of(0)).isDone());
    assertTrue(steps.finish().isFinished());
    assertEquals(keys, table.cells(MovingTable.EIGHT).keySet());
  }

  private static void putNow(MovingTable table, String row) {
    try {
      table.put(row);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The new row of the first key that has another one. */
  private static String firstMoving(Set<String> keys) {
    for (String key : keys) {
      byte[] row = MovingTable.SIXTEEN.complete(Bytes.toBytes(key));
      if (!Bytes.equals(row, MovingTable.EIGHT.complete(Bytes.toBytes(key)))) {
        return Bytes.toString(row);
      }
    }
    throw new AssertionError("Every key has the same row under both layouts.");
  }

  private static long compactions(CommandResult back) {
    return back.err().lines().filter(line -> line.contains("Compacting")).count();
  }
}
