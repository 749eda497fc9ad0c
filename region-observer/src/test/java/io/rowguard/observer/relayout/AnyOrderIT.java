package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.UNSALTED;
import static io.rowguard.observer.fixture.Writes.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.LayoutChange.Place;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.observer.fixture.Metrics;
import io.rowguard.observer.metrics.RelayoutMetrics;
import io.rowguard.observer.request.InternalMutations;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.OpenRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows where edits arrive from other clusters in any order, beside the same where they do not:
 * there a marker may come before the put that it hides, so it is a row by itself.
 */
@ExtendWith(MiniCluster.class)
class AnyOrderIT {
  private static final LayoutChange CHANGE =
      LayoutChange.of(RowkeyLayout.parse(UNSALTED), RowkeyLayout.parse(SALTED));

  private static final byte[] F = bytes("f");
  private static final byte[] TTL = bytes("ttl");
  private static final byte[] Q = bytes("q");

  private final HBaseTestingUtility hbase;

  AnyOrderIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** Sees own edits on their way to the log, as the observer does. */
  public static final class LogWatch implements RegionCoprocessor, RegionObserver {
    private static final InternalMutations OWN = new InternalMutations();

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preBatchMutate(
        ObserverContext<RegionCoprocessorEnvironment> context,
        MiniBatchOperationInProgress<Mutation> batch) {
      for (int i = 0; i < batch.size(); i++) {
        if (OWN.isOwn(batch.getOperation(i))) {
          OWN.logged(batch.getOperation(i));
        }
      }
    }
  }

  private interface InRegion {
    void run(HRegion region) throws Exception;
  }

  private void inATable(InRegion test) throws Exception {
    TableName name = TableName.valueOf("anyOrder");
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(TTL).setTimeToLive(3_600).build())
                .setCoprocessor(LogWatch.class.getName())
                .build());
    try {
      OpenRegions.await(hbase, name);
      test.run(hbase.getMiniHBaseCluster().getRegions(name).get(0));
    } finally {
      hbase.deleteTable(name);
    }
  }

  private static void write(HRegion region, Mutation... mutations) throws IOException {
    region.batchMutate(mutations);
  }

  private static Put put(String row, byte[] family, long timestamp) {
    return new Put(bytes(row)).addColumn(family, Q, timestamp, bytes("v"));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void content_ofMarkersOnly_isTheRowWhereEditsComeInAnyOrder(boolean anyOrder) throws Exception {
    inATable(
        region -> {
          OldRows rows = new OldRows(region, anyOrder);
          byte[] row = bytes("a|0001");
          write(region, new Delete(row).addColumns(F, Q, 10).addFamily(TTL, 3));

          // The marker of the other family has ended.
          assertEquals(anyOrder ? List.of("DeleteColumn/10") : List.of(), content(rows, row));
          assertEquals(!anyOrder, rows.isEmpty(row));
          write(region, put("a|0001", F, 9));
          assertEquals(
              anyOrder ? List.of("DeleteColumn/10", "Put/9") : List.of(), content(rows, row));
          assertEquals(!anyOrder, rows.isEmpty(row), "the marker hides the put");

          write(region, new Delete(row).add(Leftovers.marker(row, F, 9)));
          assertEquals(!anyOrder, rows.isEmpty(row), "the marker is younger");
          write(region, new Delete(row).add(Leftovers.marker(row, F, 10)));
          assertEquals(List.of(), content(rows, row));
          assertEquals(true, rows.isEmpty(row));
        });
  }

  private static List<String> content(OldRows rows, byte[] row) throws IOException {
    List<String> content = new ArrayList<>();
    for (Cell cell : CellCodec.read(rows.content(row, 1_000), row)) {
      content.add(cell.getType() + "/" + cell.getTimestamp());
    }
    return content;
  }

  /**
   * A marker that an earlier relayout has left at the new place is no copy: were it taken for one,
   * the old row would be deleted, and lost.
   */
  @Test
  void write_whereOnlyAMarkerIs_writesTheCopy() throws Exception {
    inATable(
        region -> {
          byte[] row = bytes("a|0001");
          write(region, new Delete(row).addColumns(F, bytes("other"), 20));
          Copies copies =
              new Copies(
                  region,
                  LogWatch.OWN,
                  new RelayoutMetrics(
                      MetricRegistries.global().create(Metrics.info()),
                      region.getTableDescriptor().getTableName(),
                      "server"));
          Cell cell = new KeyValue(row, F, Q, 10, bytes("v"));
          for (int i = 0; i < 2; i++) {
            Copy copy = Copy.of(0, row, bytes("old"), List.of(cell), 30);
            copies.write(List.of(copy), System.nanoTime() + TimeUnit.MINUTES.toNanos(1));

            assertNull(copy.failure());
            assertEquals(true, copy.isToBeDropped());
            assertEquals(i == 1, copy.isRetried(), "only the second finds it there");
            assertEquals(1, new OldRows(region, true).visible(row).size());
          }
        });
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void count_rowsOfMarkersOnly_areCountedWhereEditsComeInAnyOrder(boolean anyOrder)
      throws Exception {
    inATable(
        region -> {
          long now = System.currentTimeMillis();
          byte[] marked = bytes("marked|0001");
          byte[] hidden = bytes("hidden|0001");
          byte[] gone = bytes("gone|0001");
          write(
              region,
              put("put|0001", F, 10),
              put("hidden|0001", F, 10),
              put("gone|0001", F, 10),
              put("ended|0001", TTL, now - 7_200_000),
              put("own|0001", F, now - 10_000).setTTL(1),
              put("no row", F, 10),
              new Delete(marked).addColumn(F, Q, 7),
              new Delete(hidden).addFamily(F, 10),
              new Delete(gone).add(Leftovers.marker(gone, F, 10)));
          write(region, new Delete(CHANGE.toNew(marked)).addFamily(F, 8));

          assertEquals(anyOrder ? 3 : 1, count(region, Place.OLD, anyOrder));
          assertEquals(anyOrder ? 1 : 0, count(region, Place.NEW, anyOrder));
          region.flush(true);
          assertEquals(anyOrder ? 3 : 1, count(region, Place.OLD, anyOrder));
          MisplacedRows old = new MisplacedRows(region, CHANGE, Place.OLD, anyOrder);
          old.findGone();
          assertEquals(!anyOrder, old.isGone(marked), "a marker is asked about");
          write(region, new Delete(hidden).add(Leftovers.marker(hidden, F, 10)));
          assertEquals(anyOrder ? 2 : 1, count(region, Place.OLD, anyOrder));
        });
  }

  private static long count(HRegion region, Place place, boolean anyOrder) throws IOException {
    return new MisplacedRows(region, CHANGE, place, anyOrder).count(new byte[0]).rows();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void inTheWay_ofDeletes_isALeftoverWhereEditsComeInAnyOrder(boolean anyOrder) throws Exception {
    inATable(
        region -> {
          byte[] row = bytes("a|0001");
          long future = System.currentTimeMillis() + 3_600_000;
          write(region, new Delete(row).add(Leftovers.marker(row, F, 10)));
          byte[] young = bytes("b|0001");
          write(region, new Delete(young).add(Leftovers.marker(young, F, future)));
          region.flush(true);
          Leftovers leftovers = new Leftovers(region, anyOrder);

          assertNotNull(leftovers.inTheWay(put("a|0001", F, 10)));
          for (Delete delete :
              List.of(
                  new Delete(row).addFamily(F, 10),
                  new Delete(row).addFamily(F, 11).addColumn(F, Q, 9),
                  new Delete(row, 10),
                  new Delete(young))) {
            assertEquals(!anyOrder, leftovers.inTheWay(delete) == null, delete.toString());
          }
          assertNull(leftovers.inTheWay(new Delete(row)));
          assertNull(leftovers.inTheWay(new Delete(row, 11)));
          assertNull(leftovers.inTheWay(new Delete(row).addFamily(F)));
          assertNull(leftovers.inTheWay(new Delete(bytes("c|0001")).addFamily(F, 1)));
        });
  }
}
