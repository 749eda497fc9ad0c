package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.RowAdder.addingColumn;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.LayoutStamp;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.RowAdder;
import io.rowguard.testing.MiniCluster;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Puts whose timestamp is a {@link LayoutStamp}, before coprocessors that add cells to them. */
@ExtendWith(MiniCluster.class)
class StampedPutIT {
  private final HBaseTestingUtility hbase;

  StampedPutIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** HBase gives a cell without a timestamp that of its Put. */
  @ParameterizedTest
  @ValueSource(strings = {"reject", "off"})
  void cell_addedByAnotherCoprocessor_hasTheServersTime(String mode) throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT, "rowguard.mode", mode)
            .withCoprocessor(RowAdder.class, 2000)
            .create()) {
      Table table = guarded.table();

      table.put(stamped("a|0001"));
      table.put(List.of(stamped("a|0002"), stamped("a|0003")));
      table.mutateRow(together(stamped("a|0004")));
      assertTrue(
          table
              .checkAndMutate(
                  CheckAndMutate.newBuilder(bytes("a|0005"))
                      .ifNotExists(F, Q)
                      .build(stamped("a|0005")))
              .isSuccess());

      assertEquals(5, guarded.rows().size());
      long now = System.currentTimeMillis();
      try (ResultScanner scanner = table.getScanner(new Scan())) {
        for (Result result : scanner) {
          assertEquals(2, result.size());
          for (Cell cell : result.rawCells()) {
            assertTrue(cell.getTimestamp() <= now, () -> cell + " in mode " + mode);
          }
        }
      }
    }
  }

  private static Put stamped(String row) {
    Put put = addingColumn("more", put(row));
    LayoutStamp.ofVersion(0).mark(put);
    assertTrue(put.getTimestamp() > System.currentTimeMillis(), Bytes.toStringBinary(put.getRow()));
    return put;
  }
}
