package io.rowguard.tools.doctor;

import io.rowguard.config.Guards;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.OpenRegions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Makes tables that are wrong in one way each, on a cluster whose master lets them through. */
final class BrokenTables {
  static final String ITEMS = "{user:word}|{item:digits(4)}";
  static final String IDS = "{id:hex(4)}";
  static final int MOST_BYTES = 2 << 20; // HBase refuses less

  private final HBaseTestingUtility hbase;

  BrokenTables(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A table with keys and both plugins. */
  static TableDescriptorBuilder guarded(String name, Map<String, String> keys) throws IOException {
    return declared(name, keys)
        .setCoprocessor(Guards.OBSERVER)
        .setRegionSplitPolicyClassName(Guards.POLICY);
  }

  /** A table with keys, and nothing that reads them. */
  static TableDescriptorBuilder declared(String name, Map<String, String> keys) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"));
    keys.forEach(table::setValue);
    return table;
  }

  void create(TableDescriptorBuilder table, String... splitKeys) throws IOException {
    byte[][] keys = Arrays.stream(splitKeys).map(BrokenTables::bytes).toArray(byte[][]::new);
    if (keys.length == 0) {
      hbase.getAdmin().createTable(table.build());
    } else {
      hbase.getAdmin().createTable(table.build(), keys);
    }
    OpenRegions.await(hbase, table.build().getTableName());
  }

  void put(String table, int valueBytes, String... rows) throws IOException {
    Random random = new Random(705);
    try (Table t = hbase.getConnection().getTable(TableName.valueOf(table))) {
      for (String row : rows) {
        byte[] value = new byte[valueBytes];
        random.nextBytes(value);
        t.put(new Put(bytes(row)).addColumn(bytes("f"), bytes("q"), value));
      }
    }
  }

  /** Writes a region of one group to disk, and waits until the master knows how large it is. */
  void fill(String table, String group) throws Exception {
    // Sizes are reported in whole mebibytes.
    for (int i = 0; i < 50; i++) {
      put(table, 100_000, group + String.format("%04d", i));
    }
    TableName name = TableName.valueOf(table);
    hbase.getAdmin().flush(name);
    RegionInfo region =
        hbase.getAdmin().getRegions(name).stream()
            .filter(each -> each.containsRow(bytes(group)))
            .findFirst()
            .orElseThrow();
    Eventually.isTrue(
        "the master knows that " + table + " is large",
        () -> {
          for (ServerMetrics server :
              hbase.getAdmin().getClusterMetrics().getLiveServerMetrics().values()) {
            var metrics = server.getRegionMetrics().get(region.getRegionName());
            if (metrics != null && metrics.getStoreFileSize().get(Size.Unit.BYTE) > MOST_BYTES) {
              return true;
            }
          }
          return false;
        });
  }
}
