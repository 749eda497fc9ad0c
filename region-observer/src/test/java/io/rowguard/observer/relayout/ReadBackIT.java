package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.Asked.answer;
import static io.rowguard.observer.fixture.Asked.rows;
import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.Writes.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Asked;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import io.rowguard.testing.MiniCluster;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults planted in copies, by another coprocessor of the table: what becomes of the rows. */
@ExtendWith(MiniCluster.class)
class ReadBackIT {
  private static final String VERIFY = "rowguard.relayout.verify";
  private static final String OLD = "user1|0001";
  private static final String NEW = RelayoutTables.row(SALTED, OLD);

  private final HBaseTestingUtility hbase;

  ReadBackIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** The cell of a copy at timestamp 5 that becomes another, is lost, or has one come along. */
  private enum Fault {
    VERSION_LOST("q", "a cell is missing", null, 0),
    COLUMN_LOST("only", "a cell is missing", null, 0),
    MARKER_LOST("deleted", "a cell has been deleted, and is there", null, 0),
    VALUE_CHANGED("q", "a cell has another value", "q", 5),
    TIMESTAMP_CHANGED("q", "a cell is not of the row", "q", 8),
    COLUMN_CHANGED("r", "a cell is not of the row", "qq", 5),
    TAGS_LOST("ends", "a cell has other tags", "ends", 5),
    CELL_ADDED("r", "a cell is not of the row", "s", 5);

    private final String column;
    private final String difference;
    private final String otherColumn;
    private final long otherTimestamp;

    Fault(String column, String difference, String otherColumn, long otherTimestamp) {
      this.column = column;
      this.difference = difference;
      this.otherColumn = otherColumn;
      this.otherTimestamp = otherTimestamp;
    }

    private void strike(List<Cell> cells) {
      for (Cell cell : List.copyOf(cells)) {
        if (isAt(cell)) {
          if (this != CELL_ADDED) {
            cells.remove(cell);
          }
          if (otherColumn != null) {
            cells.add(changed(cell));
          }
        }
      }
    }

    private boolean isAt(Cell cell) {
      return cell.getTimestamp() == 5
          && CellUtil.matchingQualifier(cell, bytes(column))
          && (cell.getType() == Cell.Type.Put) != (this == MARKER_LOST);
    }

    private Cell changed(Cell cell) {
      byte[] value = this == TAGS_LOST ? F : bytes("other");
      return new KeyValue(CellUtil.cloneRow(cell), F, bytes(otherColumn), otherTimestamp, value);
    }
  }

  /** Carries out the fault. HBase makes it anew in each region. */
  public static final class Saboteur implements RegionCoprocessor, RegionObserver {
    private static volatile Fault fault;
    private static volatile boolean swallows;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preBatchMutate(
        ObserverContext<RegionCoprocessorEnvironment> context,
        MiniBatchOperationInProgress<Mutation> batch) {
      Fault planted = fault;
      for (int i = 0; planted != null && i < batch.size(); i++) {
        batch.getOperation(i).getFamilyCellMap().values().forEach(planted::strike);
      }
      for (int i = 0; swallows && i < batch.size(); i++) {
        batch.setOperationStatus(i, OperationStatus.SUCCESS); // as HBase does after a bypass
      }
    }
  }

  @AfterEach
  void noFault() {
    Saboteur.fault = null;
    Saboteur.swallows = false;
  }

  private GuardedTable filled(String verify) throws Exception {
    GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", RelayoutTables.UNSALTED, VERIFY, verify)
            .withSplits("m")
            .withCoprocessor(Saboteur.class)
            .create();
    guarded.alterVersions(3);
    for (long timestamp = 3; timestamp <= 7; timestamp++) {
      guarded.table().put(new Put(bytes(OLD)).addColumn(F, bytes("q"), timestamp, F));
    }
    guarded.table().put(new Put(bytes(OLD)).addColumn(F, bytes("only"), 5, F));
    guarded.table().put(new Put(bytes(OLD)).addColumn(F, bytes("r"), 5, F));
    guarded.table().put(new Put(bytes(OLD)).addColumn(F, bytes("deleted"), 4, F));
    hbase.flush(guarded.name()); // else the next one drops the cell, and keeps the marker
    guarded.table().delete(new Delete(bytes(OLD)).addColumns(F, bytes("deleted"), 5));
    return guarded;
  }

  private static Item touch(GuardedTable guarded, long generation) throws Exception {
    return answer(guarded, NEW, RelayoutRequest.touch(generation, rows(NEW))).items().get(0);
  }

  @ParameterizedTest
  @EnumSource
  void copy_thatIsNotWhatItShouldBe_isNamedAndTheOldRowStays(Fault fault) throws Exception {
    try (GuardedTable guarded = filled("all")) {
      // It would have ended long ago, if cells of that age did.
      long century = 100L * 365 * 86_400_000 + System.currentTimeMillis();
      guarded.table().put(new Put(bytes(OLD)).addColumn(F, bytes("ends"), 5, F).setTTL(century));
      long generation = RelayoutTables.start(guarded, SALTED);
      List<String> before = guarded.cellsOf(OLD);
      Saboteur.fault = fault;

      Item found = touch(guarded, generation);
      Saboteur.fault = null;
      Item again = touch(guarded, generation);

      assertEquals(Outcome.FAILED, found.outcome());
      assertTrue(found.words().contains(fault.difference), found.words());
      assertTrue(found.words().contains(" old=\"" + OLD + "\""), found.words());
      assertTrue(found.words().contains(" column=f:"), found.words());
      assertEquals(found.words(), again.words(), "until somebody decides");
      assertEquals(before, guarded.cellsOf(OLD));

      guarded.alter(VERIFY, "off");
      assertEquals(Outcome.DONE, touch(guarded, generation).outcome());
      assertNotEquals(before, guarded.cellsOf(OLD));
    }
  }

  /** As a coprocessor does that lets no late or double puts in. */
  @Test
  void copy_thatAnotherCoprocessorSwallows_isNoneAndTheOldRowStays() throws Exception {
    try (GuardedTable guarded = filled("off")) {
      long generation = RelayoutTables.start(guarded, SALTED);
      List<String> before = guarded.cellsOf(OLD);
      Saboteur.swallows = true;

      Item found = touch(guarded, generation);
      Saboteur.swallows = false;

      assertEquals(Outcome.FAILED, found.outcome());
      assertTrue(found.words().contains("Another coprocessor keeps"), found.words());
      assertEquals(before, guarded.cellsOf(OLD));
      assertEquals(Outcome.DONE, touch(guarded, generation).outcome());
      assertEquals(List.of(), guarded.latestCellsOf(OLD));
    }
  }

  @Test
  void copy_thatIsRight_isMoved_andOneThatIsNotReadBackAsWell() throws Exception {
    for (String verify : List.of("all", "off")) {
      try (GuardedTable guarded = filled(verify)) {
        List<String> before = guarded.latestCellsOf(OLD);
        long generation = RelayoutTables.start(guarded, SALTED);
        Saboteur.fault = verify.equals("off") ? Fault.VALUE_CHANGED : null;

        assertEquals(Outcome.DONE, touch(guarded, generation).outcome());

        assertEquals(before.size(), guarded.latestCellsOf(NEW).size());
        assertEquals(List.of(), guarded.latestCellsOf(OLD));
      }
    }
  }

  /** The row is in several files, with more versions than the family keeps. */
  @Test
  void copy_ofWhatIsThereAlready_isCompared() throws Exception {
    try (GuardedTable guarded = filled("all")) {
      hbase.flush(guarded.name());
      guarded.table().put(new Put(bytes(OLD)).addColumn(F, bytes("q"), 8, F));
      long generation = RelayoutTables.start(guarded, SALTED);
      Saboteur.fault = Fault.COLUMN_LOST;
      assertEquals(Outcome.FAILED, touch(guarded, generation).outcome());
      hbase.flush(guarded.name());
      Saboteur.fault = null;
      assertTrue(touch(guarded, generation).words().contains("a cell is missing"));
      assertEquals(
          List.of(Outcome.UNMOVED),
          Asked.outcomes(
              answer(
                  guarded,
                  NEW,
                  RelayoutRequest.touch(
                      generation, rows(RelayoutTables.row(SALTED, "nobody|0001"))))));
    }
  }
}
