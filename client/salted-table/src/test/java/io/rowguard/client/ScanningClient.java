package io.rowguard.client;

import io.rowguard.checker.Histories.Given;
import io.rowguard.checker.Histories.Wanted;
import io.rowguard.checker.RowState;
import io.rowguard.checker.RowState.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** A client that scans, and holds each row that it gets or misses against the key's history. */
final class ScanningClient extends LiveClient {
  /** More rows than there are. */
  private static final int ALL = 10_000;

  private final Table table;
  private final boolean isSalted;

  /**
   * @param isSalted whether rows have a salt at first; else scans neither descend nor have page
   *     filters, which count in each region for itself
   */
  ScanningClient(LiveTraffic traffic, long seed, Table table, boolean isSalted) {
    super(traffic, seed, () -> {}); // it sends nothing once
    this.table = table;
    this.isSalted = isSalted;
  }

  /** One scan. */
  Void next() throws IOException, InterruptedException {
    int first = oneIn(8) ? 0 : random.nextInt(LiveTable.USERS);
    int users = oneIn(8) ? LiveTable.USERS : 1 + random.nextInt(40);
    scan(LiveTable.user(first) + "|", LiveTable.user(first + users) + "|");
    return null;
  }

  /** A scan of everything as it is. */
  void all() throws IOException, InterruptedException {
    Scan scan = new Scan().setCaching(ALL);
    run(scan, wanted(scan, "u", "v", EnumSet.allOf(Column.class), null, Integer.MAX_VALUE));
  }

  private void scan(String from, String to) throws IOException, InterruptedException {
    boolean reversed = isSalted && oneIn(2);
    Scan scan = new Scan().setReversed(reversed).setCaching(oneIn(4) ? 5 : ALL);
    if (reversed) {
      scan.withStartRow(bytes(to), oneIn(2)).withStopRow(bytes(from), true);
    } else {
      scan.withStartRow(bytes(from)).withStopRow(bytes(to));
    }
    Set<Column> columns = EnumSet.allOf(Column.class);
    ColumnFilter filter = null;
    if (oneIn(4)) {
      columns = EnumSet.of(Column.C1, Column.N);
      columns.forEach(column -> scan.addColumn(column.family(), column.qualifier()));
    } else if (oneIn(3)) {
      filter = ColumnFilter.any(random);
      filter.addTo(scan);
      // HBase loads families on demand in ascending scans only.
      scan.setLoadColumnFamiliesOnDemand(!reversed);
    }
    int limit = Integer.MAX_VALUE;
    if (oneIn(3)) {
      limit = 1 + random.nextInt(30);
      if (filter == null && isSalted && oneIn(2)) {
        scan.setFilter(new FilterList(new PageFilter(limit)));
      } else {
        scan.setLimit(limit);
      }
    }
    run(scan, wanted(scan, from, to, columns, filter, limit));
  }

  private Wanted wanted(
      Scan scan, String from, String to, Set<Column> columns, ColumnFilter filter, int limit) {
    String text =
        String.format(
            "scan %d%s %s..%s%s",
            traffic.number(),
            scan.isReversed() ? " reversed" : "",
            from,
            to,
            limit == Integer.MAX_VALUE ? "" : " limit " + limit);
    return new Wanted(
        text,
        scan.isReversed(),
        from,
        to,
        limit,
        columns,
        filter == null ? "" : filter.toString(),
        filter == null ? row -> true : filter::holds,
        scan.getCaching() == ALL);
  }

  private void run(Scan scan, Wanted wanted) throws IOException, InterruptedException {
    List<Given> given = new ArrayList<>();
    boolean isSlow = oneIn(4);
    long start = System.nanoTime();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        given.add(
            new Given(
                Bytes.toString(result.getRow()),
                RowState.of(result.getNoVersionMap()),
                System.nanoTime()));
        if (isSlow && oneIn(20)) {
          TimeUnit.MILLISECONDS.sleep(random.nextInt(50));
        }
      }
    }
    long end = System.nanoTime();
    traffic.histories().scanned(wanted, given, start, end);
    traffic.count(scan.isReversed() ? "scan reversed" : "scan", end - start);
  }
}
