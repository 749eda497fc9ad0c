package io.rowguard.client;

import io.rowguard.readdressing.ReaddressedResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Makes of the rows that one bare key has in several buckets the row that a table without a salt
 * would have: newest first, versions counted over all. Immutable and thread-safe.
 *
 * <p>Each of those rows is read with {@link #widened}: all that the whole row can need of it. A
 * cell that stands in several of them, alike but for its value, is given once.
 */
final class RowMerge {
  /** The versions of families that keep all. */
  static final SortedMap<byte[], Integer> ALL_VERSIONS =
      Collections.unmodifiableSortedMap(new TreeMap<>(Bytes.BYTES_COMPARATOR));

  /** In the place of a number of versions or cells. */
  private static final int ALL = Integer.MAX_VALUE;

  private final SortedMap<byte[], Integer> maxVersions;
  private final int versions;
  private final boolean isRaw;
  private final boolean ofFirstCell;
  private final int offset;
  private final int most;

  private RowMerge(
      SortedMap<byte[], Integer> maxVersions,
      int versions,
      boolean isRaw,
      Filter filter,
      int offset,
      int most) {
    this.maxVersions = maxVersions;
    this.versions = versions;
    this.isRaw = isRaw;
    this.ofFirstCell = FilterTranslator.givesFirstCells(filter);
    this.offset = offset;
    this.most = most;
  }

  /**
   * The rows of a Get.
   *
   * @param maxVersions how many versions each family keeps, by its name; a family that is not named
   *     keeps all
   */
  static RowMerge of(Get get, SortedMap<byte[], Integer> maxVersions) {
    return new RowMerge(
        maxVersions,
        get.getMaxVersions(),
        false,
        get.getFilter(),
        get.getRowOffsetPerColumnFamily(),
        most(get.getMaxResultsPerColumnFamily()));
  }

  /** The rows of a scan; see {@link #of(Get, SortedMap)}. */
  static RowMerge of(Scan scan, SortedMap<byte[], Integer> maxVersions) {
    return new RowMerge(
        maxVersions,
        scan.getMaxVersions(),
        scan.isRaw(),
        ScanPlan.withoutPages(scan.getFilter()),
        scan.getRowOffsetPerColumnFamily(),
        most(scan.getMaxResultsPerColumnFamily()));
  }

  private static int most(int given) {
    return given < 0 ? ALL : given;
  }

  /** A Get of one of the rows, changed to ask for all that the whole row can need of it. */
  static Get widened(Get get) {
    int offset = get.getRowOffsetPerColumnFamily();
    return get.setRowOffsetPerColumnFamily(0)
        .setMaxResultsPerColumnFamily(widened(offset, get.getMaxResultsPerColumnFamily()));
  }

  /** A scan of such rows, changed likewise; each row comes whole. */
  static Scan widened(Scan scan) {
    int offset = scan.getRowOffsetPerColumnFamily();
    scan.setRowOffsetPerColumnFamily(0)
        .setMaxResultsPerColumnFamily(widened(offset, scan.getMaxResultsPerColumnFamily()))
        .setAllowPartialResults(false);
    // HBase refuses to set any batch beside a filter of whole rows, also to take it away.
    return scan.getBatch() > 0 ? scan.setBatch(-1) : scan;
  }

  private static int widened(int offset, int most) {
    return most < 0 ? most : (int) Math.min(ALL, (long) offset + most);
  }

  /**
   * The whole row.
   *
   * @param parts the results of reading the rows of one bare key, at least one; an empty one stands
   *     for a row that is not there
   */
  Result of(byte[] bareKey, List<Result> parts) {
    boolean ofExistence = false;
    boolean exists = false;
    boolean isStale = false;
    int filled = 0;
    List<Cell> cells = new ArrayList<>();
    for (Result part : parts) {
      if (part.getExists() != null) {
        ofExistence = true;
        exists |= part.getExists();
      }
      isStale |= part.isStale();
      if (!part.isEmpty()) {
        filled++;
        Collections.addAll(cells, ReaddressedResult.of(part, bareKey).rawCells());
      }
    }
    // One alone is what its server has made of it.
    List<Cell> whole = filled > 1 || offset > 0 ? whole(cells) : cells;
    Result merged = Result.create(whole.toArray(new Cell[0]), null, isStale, false);
    merged.setExists(ofExistence ? (Boolean) exists : null);
    return merged;
  }

  private List<Cell> whole(List<Cell> cells) {
    cells.sort(CellComparator.getInstance()::compareWithoutRow);
    List<Cell> whole = ofVersions(cells);
    return ofPage(ofFirstCell && whole.size() > 1 ? whole.subList(0, 1) : whole);
  }

  /** Without what a server would not show of one row: equal cells, and versions above the most. */
  private List<Cell> ofVersions(List<Cell> cells) {
    List<Cell> shown = new ArrayList<>(cells.size());
    Cell last = null;
    int count = 0;
    for (Cell cell : cells) {
      boolean sameColumn = last != null && CellUtil.matchingColumn(last, cell);
      if (sameColumn && isSameVersion(last, cell)) {
        continue;
      }
      count = sameColumn ? count : 0;
      // As ScanWildcardColumnTracker counts: a marker of a delete is no version, yet none is shown
      // behind the last version.
      count += cell.getType() == Cell.Type.Put ? 1 : 0;
      if (count <= most(cell)) {
        shown.add(cell);
      }
      last = cell;
    }
    return shown;
  }

  private static boolean isSameVersion(Cell a, Cell b) {
    return a.getTimestamp() == b.getTimestamp() && a.getType() == b.getType();
  }

  private int most(Cell cell) {
    Integer kept = isRaw ? null : maxVersions.get(CellUtil.cloneFamily(cell));
    return kept == null ? versions : Math.min(versions, kept);
  }

  /** The cells of each family that were asked for. */
  private List<Cell> ofPage(List<Cell> cells) {
    if (offset == 0 && most == ALL) {
      return cells;
    }
    List<Cell> page = new ArrayList<>();
    Cell last = null;
    int index = 0;
    for (Cell cell : cells) {
      index = last != null && CellUtil.matchingFamily(last, cell) ? index + 1 : 0;
      if (index >= offset && index - offset < most) {
        page.add(cell);
      }
      last = cell;
    }
    return page;
  }
}
