package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A region that is one group: it is never cut, and HBase goes on compacting it. */
@ExtendWith(MiniCluster.class)
class OneGroupIT {
  private static final int ROWS_PER_FLUSH = 300;

  private final HBaseTestingUtility hbase;

  OneGroupIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void flush_tooBigButOneGroup_isCompactedInsteadAndReportedOnce() throws Exception {
    try (FilledTable table = create()) {
      HRegion region = table.region();
      long before = SplitCounters.count("unsplittableRegions");
      int flushes = 0;
      for (; flushes < 3; flushes++) {
        putRows(table, flushes);
        HBaseSplits.flushAsTheServerDoes(hbase, region);
      }

      Eventually.isTrue(
          "compaction of " + table.name,
          () -> region.getStore(FilledTable.F).getStorefilesCount() == 1);
      assertEquals(flushes * ROWS_PER_FLUSH, hbase.countRows(table.name));
      assertNull(region.checkSplit().orElse(null));
      assertNull(FilledTable.splitPoint(region));
      assertEquals(1, table.regions().size());
      assertEquals(before + 1, SplitCounters.count("unsplittableRegions"));
    }
  }

  @Test
  void split_askedFor_isRefusedForWantOfAKey() throws Exception {
    try (FilledTable table = create()) {
      putRows(table, 0);
      byte[] name = table.flush().region().getRegionInfo().getRegionName();

      Throwable refusal =
          assertThrows(
              Throwable.class,
              () -> hbase.getAdmin().splitRegionAsync(name).get(5, TimeUnit.MINUTES));

      assertTrue(refusal.toString().contains("bestSplitPoint = null"), refusal::toString);
      assertEquals(1, table.regions().size());
    }
  }

  @Test
  void split_onceASecondGroupCame_isBetweenThem() throws Exception {
    try (FilledTable table = create()) {
      putRows(table, 0);
      assertNull(FilledTable.splitPoint(table.flush().region()));

      table.put("h|00000001").flush();
      HBaseSplits.split(hbase, table, table.region());

      byte[] boundary = table.regions().get(1).getRegionInfo().getStartKey();
      assertTrue(FilledTable.BOUNDARIES.floor(boundary).length == boundary.length);
      assertEquals(1, FilledTable.bytesByRow(table.regions().get(1)).size());
    }
  }

  /** One group, over the limit after every flush; three files are enough to compact. */
  private FilledTable create() throws Exception {
    return FilledTable.create(
        hbase,
        t ->
            t.setCompactionEnabled(true)
                .setValue("hbase.table.sanity.checks", "false")
                .setValue("MAX_FILESIZE", "1000")
                .setValue("hbase.hstore.compaction.min", "3"),
        UnaryOperator.identity());
  }

  private static void putRows(FilledTable table, int flush) throws Exception {
    String[] rows = new String[ROWS_PER_FLUSH];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = String.format("g|%08d", i * 10 + flush);
    }
    table.put(rows);
  }
}
