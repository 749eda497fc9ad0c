package io.rowguard.client;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.KeyRange;
import io.rowguard.layout.RowText;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * The rows of one entity group as one scanner of one region has them, with bare keys. A scanner on
 * a server reads as of the moment when it was opened ({@code RegionScannerImpl}); HBase's client
 * opens another one, unasked, where that is lost. It counts the openings, and this looks at the
 * count before it gives a row. For one thread.
 */
final class GroupScanner implements ResultScanner {
  private final GroupTable table;
  private final byte[] key;
  private final EntityGroup groups;

  /** Null where no row can be in the range. */
  private final SubScan subScan;

  /** Null likewise. */
  private final ResultScanner stored;

  private final RowLimit limit;
  private final LongAdder notConforming = new LongAdder();
  private Result first;
  private byte[] lastRow;
  private boolean isLost;
  private boolean isOver;

  private GroupScanner(GroupTable table, byte[] key, EntityGroup groups, SubScan subScan, int limit)
      throws IOException {
    this.table = table;
    this.key = key;
    this.groups = groups;
    this.subScan = subScan;
    this.limit = new RowLimit(limit);
    this.isOver = subScan == null;
    this.stored = subScan == null ? null : table.stored().getScanner(withCount(subScan.scan()));
  }

  /** Without its limit, by which servers would count rows that do not conform, too. */
  private static Scan withCount(Scan scan) throws IOException {
    int piece = scan.getLimit() > 0 ? scan.getLimit() : scan.getCaching();
    return new Scan(scan)
        .setLimit(-1)
        .setCaching(piece)
        .setScanMetricsEnabled(true)
        .setIsolationLevel(IsolationLevel.READ_COMMITTED)
        .setConsistency(Consistency.STRONG);
  }

  /** Opens a scan of a group; see {@link RowGroup#scan}. */
  static ResultScanner open(GroupTable table, byte[] key, Scan scan) throws IOException {
    LayoutRetry retry = table.retry();
    TableLayouts plan = table.layouts().now();
    if (plan.isChanging()) {
      plan = table.layouts().after(plan); // it may be over, which no server says
    }
    while (true) {
      try {
        return opened(table, key, scan, plan);
      } catch (IOException e) {
        plan = retry.next(plan, e);
      }
    }
  }

  /** Reads the first row too, so that a server that does not take the plan has said so. */
  private static GroupScanner opened(GroupTable table, byte[] key, Scan scan, TableLayouts plan)
      throws IOException {
    EntityGroup groups = table.bareGroup(plan);
    table.requireGroup(plan, key);
    SubScan subScan = subScan(table, key, scan, plan, groups);
    if (subScan != null) {
      table.requireOneRegion(key, ScanPlan.rangeOf(subScan.scan()));
    }
    GroupScanner scanner = new GroupScanner(table, key, groups, subScan, ScanPlan.limitOf(scan));
    try {
      scanner.first = scanner.read();
      return scanner;
    } catch (IOException | RuntimeException e) {
      scanner.close();
      throw e;
    }
  }

  /** The one scan of stored rows that it is; null where no row can be in the range. */
  private static SubScan subScan(
      GroupTable table, byte[] key, Scan scan, TableLayouts plan, EntityGroup groups)
      throws IOException {
    if (plan.isChanging()) {
      throw new DoNotRetryIOException(
          "The layout of the table is changing, so a group may lie in two regions, and there is no"
              + " one view of those. table="
              + table.name()
              + ". Wait until it is over, or read through SaltedTable, row by row as of different"
              + " moments. "
              + plan);
    }
    KeyRange range = groups.range(key).intersect(ScanPlan.rangeOf(scan));
    Scan ofGroup = ScanPlan.withRange(new Scan(scan), range);
    List<SubScan> subScans =
        ScanPlan.of(ofGroup, plan.target(), plan.filters(), plan.maxBuckets()).subScans();
    if (subScans.size() > 1) {
      throw new DoNotRetryIOException(
          "The rows of this range do not lie in one stretch of one region. table="
              + table.name()
              + " group=\""
              + RowText.abbreviated(key)
              + "\" stretches="
              + subScans.size()
              + ". Give bare keys of the group, and read it through SaltedTable where a salt stands"
              + " behind what rowguard.group names. "
              + plan);
    }
    return subScans.isEmpty() ? null : subScans.get(0);
  }

  private Result read() throws IOException {
    while (!isLost && !isOver) {
      Result result = stored.next();
      isLost = openings() > 1;
      isOver = result == null;
      Result bare = isLost || isOver ? null : subScan.bare(result, notConforming);
      if (bare != null && isOfGroup(bare.getRow())) {
        isOver = !isWithinLimit(bare.getRow());
        if (!isOver) {
          return bare;
        }
      }
    }
    if (isLost) {
      throw lost();
    }
    return null;
  }

  /** A row may come in several results. */
  private boolean isWithinLimit(byte[] row) {
    boolean isNew = lastRow == null || !Arrays.equals(lastRow, row);
    lastRow = row;
    return !isNew || limit.admitsAnother();
  }

  private SnapshotLostException lost() {
    return new SnapshotLostException(
        "The scanner of the group was lost, and another one would read as of a later moment. table="
            + table.name()
            + " group=\""
            + RowText.abbreviated(key)
            + "\". Its region has moved, or the scan took longer than its lease. Read it again.");
  }

  /** How many scanners HBase's client has opened on servers. */
  private long openings() {
    ScanMetrics metrics = stored.getScanMetrics();
    return metrics.countOfRegions.get();
  }

  private boolean isOfGroup(byte[] row) {
    int end = groups.end(row, 0, row.length);
    return end == key.length && Arrays.equals(key, Arrays.copyOf(row, end));
  }

  @Override
  public Result next() throws IOException {
    Result next = first;
    first = null;
    try {
      return next == null ? read() : next;
    } catch (IOException e) {
      if (!LayoutRetry.isRefusal(e)) {
        throw e;
      }
      // HBase's client has opened another scanner, and the region has reopened with other layouts.
      isLost = true;
      throw (SnapshotLostException) lost().initCause(e);
    }
  }

  @Override
  public boolean renewLease() {
    return !isLost && stored != null && stored.renewLease();
  }

  @Override
  public ScanMetrics getScanMetrics() {
    return stored == null ? null : stored.getScanMetrics();
  }

  @Override
  public void close() {
    if (stored != null) {
      stored.close();
    }
  }
}
