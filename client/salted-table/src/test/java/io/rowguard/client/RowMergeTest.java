package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.G;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Rows in several buckets against the one row that they are of: both read as a server reads a row,
 * by a slow model of that. No cluster.
 */
class RowMergeTest {
  private static final byte[] KEY = Bytes.toBytes("alice");
  private static final int ROWS = 3000;

  private final Random random = new Random(3901);
  private final SortedMap<byte[], Integer> kept = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  RowMergeTest() {
    kept.put(F, 3);
    kept.put(G, 1);
  }

  @Test
  void merge_ofRandomRows_isTheWholeRow() throws IOException {
    int several = 0;
    for (int i = 0; i < ROWS; i++) {
      List<Cell> all = cells();
      int buckets = 1 + random.nextInt(4);
      List<List<Cell>> inBuckets = new ArrayList<>();
      for (int b = 0; b < buckets; b++) {
        inBuckets.add(new ArrayList<>());
      }
      for (Cell cell : all) {
        inBuckets.get(random.nextInt(buckets)).add(cell);
      }
      Scan scan = new Scan().readVersions(1 + random.nextInt(4)).setRaw(i % 5 == 0);
      if (i % 3 == 0) {
        scan.setMaxResultsPerColumnFamily(random.nextInt(4));
        scan.setRowOffsetPerColumnFamily(random.nextInt(3));
      }
      if (i % 7 == 0) {
        scan.setFilter(new FirstKeyOnlyFilter());
      }
      String what = "index=" + i + " " + scan + " " + inBuckets;
      Scan widened = RowMerge.widened(new Scan(scan));
      List<Result> parts = new ArrayList<>();
      for (List<Cell> bucket : inBuckets) {
        List<Cell> read = read(widened, bucket);
        parts.add(Result.create(read, null));
        several += read.size() > 1 ? 1 : 0;
      }
      Result whole = RowMerge.of(scan, kept).of(KEY, parts);
      assertEquals(shown(read(scan, all)), shown(List.of(whole.rawCells())), what);
    }
    assertTrue(several > ROWS / 2, "several=" + several);
  }

  /** The cells that a server gives of a row. */
  private List<Cell> read(Scan scan, List<Cell> stored) {
    List<Cell> sorted = new ArrayList<>(stored);
    sorted.sort(CellComparator.getInstance());
    List<Cell> read = new ArrayList<>();
    for (Cell cell : sorted) {
      boolean first = scan.getFilter() == null || read.isEmpty();
      int most = kept.get(CellUtil.cloneFamily(cell));
      most = scan.isRaw() ? scan.getMaxVersions() : Math.min(most, scan.getMaxVersions());
      long newer =
          sorted.subList(0, sorted.indexOf(cell)).stream()
              .filter(one -> CellUtil.matchingColumn(one, cell))
              .count();
      if (first && newer < most) {
        read.add(cell);
      }
    }
    List<Cell> page = new ArrayList<>();
    int offset = scan.getRowOffsetPerColumnFamily();
    int most = scan.getMaxResultsPerColumnFamily();
    for (byte[] family : kept.keySet()) {
      List<Cell> ofFamily = new ArrayList<>(read);
      ofFamily.removeIf(cell -> !CellUtil.matchingFamily(cell, family));
      int from = Math.min(offset, ofFamily.size());
      int to = most < 0 ? ofFamily.size() : Math.min(ofFamily.size(), from + most);
      page.addAll(ofFamily.subList(from, to));
    }
    return page;
  }

  /** Cells of one row, no two of them alike. */
  private List<Cell> cells() {
    List<Cell> cells = new ArrayList<>();
    for (int time = 1; time <= random.nextInt(15); time++) {
      cells.add(cell(random.nextBoolean() ? F : G, "" + random.nextInt(3), time, "v" + time));
    }
    Collections.shuffle(cells, random);
    return cells;
  }

  private static Cell cell(byte[] family, String column, long time, String value) {
    return CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(KEY)
        .setFamily(family)
        .setQualifier(Bytes.toBytes(column))
        .setTimestamp(time)
        .setType(Cell.Type.Put)
        .setValue(Bytes.toBytes(value))
        .build();
  }

  private static List<String> shown(List<Cell> cells) {
    List<String> shown = new ArrayList<>();
    cells.forEach(cell -> shown.add(Tables.show(cell)));
    return shown;
  }

  @Test
  void merge_cellsAlikeInTwoBuckets_areOne() {
    List<Result> parts =
        List.of(
            Result.create(List.of(cell(F, "a", 7, "first")), null),
            Result.create(List.of(cell(F, "a", 7, "second"), cell(F, "b", 1, "b")), null));
    Result whole = RowMerge.of(new Get(KEY), kept).of(KEY, parts);
    assertEquals(2, whole.size());
    assertArrayEquals(Bytes.toBytes("first"), whole.getValue(F, Bytes.toBytes("a")));
  }

  @Test
  void merge_existence_isThatOfAnyPart() {
    Get get = new Get(KEY).setCheckExistenceOnly(true);
    Result missing = Result.create(new Cell[0], false, false);
    Result there = Result.create(new Cell[0], true, false);
    RowMerge merge = RowMerge.of(get, kept);
    assertTrue(merge.of(KEY, List.of(missing, there, missing)).getExists());
    assertFalse(merge.of(KEY, List.of(missing, missing)).getExists());
    assertNull(merge.of(KEY, List.of(Result.create(new Cell[0]))).getExists());
  }
}
