package io.rowguard.soak;

import io.rowguard.checker.GroupTransfers;
import io.rowguard.checker.KeyHistory;
import io.rowguard.checker.StoredTable;
import io.rowguard.client.SaltedTable;
import io.rowguard.soak.SoakTable.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Judges a table when all clients have ended and all servers are back. */
final class LastLook {
  private final Connection connection;
  private final Access.ByTable rows;
  private final SoakTable table;
  private final Events events;

  /**
   * A last look.
   *
   * @param connection HBase's own, which tries again
   * @param rows of the table, by bare keys
   */
  LastLook(Connection connection, Access.ByTable rows, SoakTable table, Events events) {
    this.connection = connection;
    this.rows = rows;
    this.table = table;
    this.events = events;
  }

  /** All that is wrong, from the beginning on. */
  List<String> violations() throws IOException {
    Retries none = new Retries(() -> true, events);
    List<String> violations = new ArrayList<>();
    int shown = new LedgerClient(table, rows, none, 0).scanAll();
    violations.addAll(
        table
            .bulkLoads()
            .violations(table.name().toString(), table.kind() == Kind.SALTED, this::present));
    if (table.hasTransfers()) {
      try (SaltedTable groups = SaltedTable.open(connection, table.name())) {
        new TransferClient(table, groups, none, 0).lookAtAll();
      }
    }
    StoredTable stored = stored();
    violations.addAll(table.ledger().violations());
    table.transfers().values().forEach(group -> violations.addAll(group.violations()));
    violations.addAll(stored.violations());
    table.hot().values().stream()
        .map(KeyHistory::violation)
        .filter(Objects::nonNull)
        .forEach(violations::add);
    events.say(
        String.format(
            "%s: rows begun=%d acknowledged=%d shown=%d; operations on hot keys=%d unknown=%d;"
                + " transfers done=%d unknown=%d; %s; keys stored=%d; violations=%d",
            table.name(),
            table.ledger().begun(),
            table.ledger().acknowledged(),
            shown,
            table.hot().values().stream().mapToInt(KeyHistory::size).sum(),
            table.hot().values().stream().mapToInt(KeyHistory::unknown).sum(),
            table.transfers().values().stream().mapToInt(GroupTransfers::done).sum(),
            table.transfers().values().stream().mapToInt(GroupTransfers::unknown).sum(),
            table.bulkLoads(),
            stored.keys(),
            violations.size()));
    return violations;
  }

  private int present(List<String> keys) throws IOException {
    int present = 0;
    for (Result result :
        rows.table().get(keys.stream().map(key -> new Get(Bytes.toBytes(key))).toList())) {
      present += result.isEmpty() ? 0 : 1;
    }
    return present;
  }

  private StoredTable stored() throws IOException {
    try (Admin admin = connection.getAdmin();
        Table raw = connection.getTable(table.name())) {
      StoredTable stored = new StoredTable(table.layout(admin));
      List<RegionInfo> regions = new ArrayList<>(admin.getRegions(table.name()));
      regions.sort((a, b) -> Bytes.compareTo(a.getStartKey(), b.getStartKey()));
      for (RegionInfo region : regions) {
        List<String> rows = new ArrayList<>();
        Scan scan = new Scan().withStartRow(region.getStartKey()).withStopRow(region.getEndKey());
        try (ResultScanner scanner = raw.getScanner(scan)) {
          for (Result result = scanner.next(); result != null; result = scanner.next()) {
            rows.add(Bytes.toString(result.getRow()));
          }
        }
        stored.addRegion(
            Bytes.toString(region.getStartKey()), Bytes.toString(region.getEndKey()), rows);
      }
      return stored;
    }
  }
}
