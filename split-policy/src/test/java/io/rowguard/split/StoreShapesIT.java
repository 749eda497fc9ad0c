package io.rowguard.split;

import static io.rowguard.split.FilledTable.F;
import static io.rowguard.split.FilledTable.Q;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.splitpoint.KeyWeights;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.WholeOnly;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileIndexLevel;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StripeStoreEngine;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The split point of regions of every shape that real life gives them: legal, inside, and at least
 * 0.9 as even as the best legal boundary, by the bytes of every cell.
 */
@ExtendWith(MiniCluster.class)
@Tag("long")
class StoreShapesIT {
  private static final byte[] BIG = Bytes.toBytes("big");
  private static final int ROWS = 4000;

  private final HBaseTestingUtility hbase;

  StoreShapesIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @WholeOnly(after = 2)
  @ParameterizedTest
  @EnumSource(
      value = DataBlockEncoding.class,
      names = {"NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"})
  void splitPoint_dataBlockEncodings_isNearlyTheBest(DataBlockEncoding encoding) throws Exception {
    try (FilledTable table =
        FilledTable.create(
            hbase, UnaryOperator.identity(), f -> f.setDataBlockEncoding(encoding))) {
      assertNearlyTheBest(table.fill(ROWS, 1).region());
    }
  }

  @Test
  void splitPoint_compressedFiles_isNearlyTheBest() throws Exception {
    try (FilledTable table =
        FilledTable.create(
            hbase, UnaryOperator.identity(), f -> f.setCompressionType(Algorithm.GZ))) {
      assertNearlyTheBest(table.fill(ROWS, 2).region());
    }
  }

  @Test
  void splitPoint_familiesOfVeryDifferentSize_countsAllOfThem() throws Exception {
    try (FilledTable table =
        FilledTable.create(
            hbase,
            t -> t.setColumnFamily(ColumnFamilyDescriptorBuilder.of(BIG)),
            UnaryOperator.identity())) {
      List<Put> puts = table.puts(ROWS, 3);
      for (Put put : List.copyOf(puts)) {
        // The other family has its bytes in the last groups only, so the middle lies elsewhere.
        if (Bytes.compareTo(put.getRow(), Bytes.toBytes("g25")) > 0) {
          puts.add(new Put(put.getRow()).addColumn(BIG, Q, new byte[5000]));
        }
      }
      assertNearlyTheBest(table.put(puts).flush().region());
    }
  }

  @Test
  void splitPoint_manyOverlappingFiles_countsAllOfThem() throws Exception {
    try (FilledTable table = FilledTable.create(hbase)) {
      for (int i = 0; i < 12; i++) {
        table.fill(ROWS / 4, 100 + i);
      }
      HRegion region = table.region();
      assertEquals(12, region.getStore(F).getStorefilesCount());
      assertNearlyTheBest(region);
    }
  }

  @WholeOnly(after = 1)
  @ParameterizedTest
  @CsvSource({"16384, 2", "600, 3", "300, 4"})
  void splitPoint_indexOfSeveralLevels_isNearlyTheBest(String chunkSize, int atLeast)
      throws Exception {
    try (FilledTable table =
        FilledTable.create(
            hbase,
            t ->
                t.setValue("hfile.index.block.max.size", chunkSize)
                    .setValue("hfile.index.block.min.entries", "2"),
            UnaryOperator.identity())) {
      HRegion region = table.fill(3 * ROWS, 4).region();
      int levels =
          region
              .getStore(F)
              .getStorefiles()
              .iterator()
              .next()
              .getReader()
              .getHFileReader()
              .getTrailer()
              .getNumDataIndexLevels();
      assertTrue(levels >= atLeast, "levels=" + levels);
      long before = HFile.DATABLOCK_READ_COUNT.sum();
      FilledTable.splitPoint(region);
      long read = HFile.DATABLOCK_READ_COUNT.sum() - before;
      // A handful of a file's thousand is read, not all that lie beyond the middle.
      assertTrue(read <= 8, "data blocks read: " + read);
      assertNearlyTheBest(region);
    }
  }

  /** The last block of each leaf of the index, where nothing in the leaf says what comes next. */
  @Test
  void readEntry_lastEntryOfALeaf_endsWhereTheNextLeafBegins() throws Exception {
    try (FilledTable table =
        FilledTable.create(hbase, t -> t.setValue("hfile.index.block.max.size", "600"), f -> f)) {
      HRegion region = table.fill(ROWS, 13).region();
      HStoreFile file = region.getStore(F).getStorefiles().iterator().next();
      HFile.Reader reader = file.getReader().getHFileReader();
      KeyWeights level = new IndexWeights(hbase.getConfiguration(), HFileIndexLevel.root(reader));
      assertTrue(level.size() > 1, "entries=" + level.size());
      byte[] next = level.row(1);
      level = level.readEntry(0);
      while (!level.isOneRow(0)) {
        level = level.readEntry(level.size() - 1);
      }
      byte[] last = level.row(level.size() - 1);
      assertTrue(Bytes.compareTo(last, next) < 0, Bytes.toString(last));
    }
  }

  /** The middle lies in the large group; the block at its end is read. */
  @Test
  void splitPoint_oneLargeGroupAndAFewRowsAfter_readsAFewBlocksOnly() throws Exception {
    try (FilledTable table = FilledTable.create(hbase)) {
      List<String> rows = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        rows.add(String.format("large|%08d", i));
      }
      for (int i = 0; i < 30; i++) {
        rows.add(String.format("small%02d|%08d", i, i));
      }
      HRegion region = table.put(rows.toArray(new String[0])).flush().region();
      long before = HFile.DATABLOCK_READ_COUNT.sum();
      byte[] point = FilledTable.splitPoint(region);
      long read = HFile.DATABLOCK_READ_COUNT.sum() - before;
      assertEquals("largf", Bytes.toString(point));
      // The file has some three hundred.
      assertTrue(read <= 8, "data blocks read: " + read);
    }
  }

  @Test
  void splitPoint_memstoreOnly_isNone() throws Exception {
    try (FilledTable table = FilledTable.create(hbase)) {
      assertNull(FilledTable.splitPoint(table.put(table.puts(100, 5)).region()));
    }
  }

  @Test
  void splitPoint_noRows_isNone() throws Exception {
    try (FilledTable table = FilledTable.create(hbase)) {
      assertNull(FilledTable.splitPoint(table.region()));
    }
  }

  @Test
  void splitPoint_deletesAndExpiredCells_isNearlyTheBestOfWhatTheFilesHold() throws Exception {
    try (FilledTable table =
        FilledTable.create(hbase, UnaryOperator.identity(), f -> f.setTimeToLive(3600))) {
      List<Put> puts = table.puts(ROWS, 6);
      table.put(puts).flush();
      try (Table client = hbase.getConnection().getTable(table.name)) {
        List<Delete> deletes = new ArrayList<>();
        for (Put put : puts.subList(0, ROWS / 2)) {
          deletes.add(new Delete(put.getRow()));
        }
        client.delete(deletes);
        long longAgo = System.currentTimeMillis() - 7_200_000;
        client.put(new Put(Bytes.toBytes("zz|00000001"), longAgo).addColumn(F, Q, new byte[10]));
      }
      assertNearlyTheBest(table.flush().region());
    }
  }

  @Test
  void splitPoint_bulkLoadedFile_isNearlyTheBest() throws Exception {
    try (FilledTable table = FilledTable.create(hbase)) {
      Path directory = new Path(hbase.getDataTestDirOnTestFS(), "bulk");
      NavigableMap<byte[], Put> sorted = new TreeMap<>(Bytes.BYTES_COMPARATOR);
      table.puts(ROWS, 12).forEach(put -> sorted.put(put.getRow(), put));
      try (HFile.Writer writer =
          HFile.getWriterFactoryNoCache(hbase.getConfiguration())
              .withPath(hbase.getTestFileSystem(), new Path(new Path(directory, "f"), "file"))
              .withFileContext(new HFileContextBuilder().withBlockSize(2048).build())
              .create()) {
        for (Put put : sorted.values()) {
          byte[] value = CellUtil.cloneValue(put.get(F, Q).get(0));
          // HBase 3.0's append takes an ExtendedCell; a list of cells is the same to the linker.
          writer.appendAll(List.of(new KeyValue(put.getRow(), F, Q, 1L, value)));
        }
      }
      BulkLoadHFiles.create(hbase.getConfiguration()).bulkLoad(table.name, directory);
      assertNearlyTheBest(table.region());
    }
  }

  @Test
  void splitPoint_mobFamily_isNearlyTheBest() throws Exception {
    try (FilledTable table =
        FilledTable.create(
            hbase, UnaryOperator.identity(), f -> f.setMobEnabled(true).setMobThreshold(1000))) {
      assertNearlyTheBest(table.fill(ROWS, 7).region());
    }
  }

  @Test
  void splitPoint_stripes_isNearlyTheBest() throws Exception {
    try (FilledTable table =
        FilledTable.create(
            hbase,
            t ->
                t.setValue("hbase.hstore.engine.class", StripeStoreEngine.class.getName())
                    .setValue("hbase.store.stripe.initialStripeCount", "3")
                    .setValue("hbase.store.stripe.fixed.count", "3"),
            UnaryOperator.identity())) {
      assertNearlyTheBest(table.fill(ROWS, 8).region());
    }
  }

  @Test
  void splitPoint_legacyRowsInTheMiddle_isLegalAndCountsThem() throws Exception {
    try (FilledTable table = FilledTable.create(hbase)) {
      table.put(table.puts(ROWS / 4, 9));
      for (int i = 0; i < 500; i++) {
        table.put("g10+legacy" + i, "\\xFF\\x00" + i, "g10|x" + i);
      }
      assertNearlyTheBest(table.flush().region());
    }
  }

  @Test
  void splitPoint_regionThatBeginsAndEndsInsideGroups_isInside() throws Exception {
    try (FilledTable table =
        FilledTable.create(
            hbase,
            UnaryOperator.identity(),
            UnaryOperator.identity(),
            Bytes.toBytes("g03|5"),
            Bytes.toBytes("g20|5"))) {
      table.fill(ROWS, 10);
      for (HRegion region : table.regions()) {
        assertNearlyTheBest(region);
      }
    }
  }

  @Test
  void splitPoint_oneGroup_isNoneHoweverOftenAsked() throws Exception {
    try (FilledTable table = FilledTable.create(hbase)) {
      for (int i = 0; i < 300; i++) {
        table.put(String.format("only|%08d", i));
      }
      HRegion region = table.flush().region();
      for (int i = 0; i < 10; i++) {
        assertNull(FilledTable.splitPoint(region));
      }
    }
  }

  @Test
  void splitPoint_twoGroupsOfOneBlock_isBetweenThem() throws Exception {
    try (FilledTable table = FilledTable.create(hbase)) {
      HRegion region = table.put("a|00000001", "b|00000001", "b|00000002").flush().region();
      byte[] point = FilledTable.splitPoint(region);
      assertNotNull(point);
      assertTrue(Bytes.compareTo(point, Bytes.toBytes("a|00000001")) > 0);
      assertTrue(Bytes.compareTo(point, Bytes.toBytes("b|00000001")) <= 0);
    }
  }

  @Test
  void splitPoint_referencesToAParent_isNoneUntilTheyAreCompacted() throws Exception {
    try (FilledTable table = FilledTable.create(hbase)) {
      HRegion parent = table.fill(ROWS, 11).region();
      byte[] point = FilledTable.splitPoint(parent);
      hbase.getAdmin().splitRegionAsync(parent.getRegionInfo().getRegionName(), point).get();
      Eventually.isTrue("two regions", () -> table.regions().size() == 2);
      for (HRegion daughter : table.regions()) {
        assertTrue(daughter.hasReferences());
        assertNull(FilledTable.splitPoint(daughter));
        daughter.compact(true);
        daughter.getStore(F).closeAndArchiveCompactedFiles();
        assertFalse(daughter.hasReferences());
        assertNearlyTheBest(daughter);
      }
    }
  }

  private static void assertNearlyTheBest(HRegion region) throws IOException {
    NavigableMap<byte[], Long> bytes = FilledTable.bytesByRow(region);
    byte[] point = FilledTable.splitPoint(region);
    assertNotNull(point, region.toString());
    String where = region + " point=" + Bytes.toStringBinary(point);
    assertTrue(((LayoutBoundaries) FilledTable.BOUNDARIES).isLegal(point), where);
    assertTrue(region.getRegionInfo().containsRow(point), where);
    assertFalse(Bytes.equals(point, region.getRegionInfo().getStartKey()), where);
    assertFalse(FilledTable.cutsGroup(bytes, point), where);
    double share = FilledTable.smallerShare(bytes, point);
    double best = FilledTable.bestShare(bytes, region, FilledTable.BOUNDARIES);
    assertTrue(share >= 0.9 * best && share > 0, where + " share=" + share + " best=" + best);
  }
}
