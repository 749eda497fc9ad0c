package io.rowguard.benchmarks.relayout;

import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of ids that goes from 16 to 64 buckets, in 64 regions from the beginning. */
final class ChangingTable {
  static final byte[] FAMILY = {'f'};
  static final byte[] QUALIFIER = {'q'};
  static final int BUCKETS_BEFORE = 16;
  static final int BUCKETS_AFTER = 64;

  private static final int TOUCHED_AT_ONCE = 100;

  private final Connection connection;
  private final TableName name;
  private final RowkeyLayout before = layout(BUCKETS_BEFORE);
  private final RowkeyLayout after = layout(BUCKETS_AFTER);
  private long version;

  private ChangingTable(Connection connection, TableName name) {
    this.connection = connection;
    this.name = name;
  }

  /** The layout with so many buckets. */
  static RowkeyLayout layout(int buckets) {
    return RowkeyLayout.parse("{salt:digits(2)=murmur3(*)%" + buckets + "}-{id:digits(10)}");
  }

  /** An id of ten digits. */
  static byte[] id(long number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "%010d", number));
  }

  /** The ids from 0 on, dealt out to rounds in turn; each round has its own in a random order. */
  static List<List<byte[]>> rounds(int rounds, int idsARound, Random random) {
    List<List<byte[]>> all = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      List<byte[]> ids = new ArrayList<>();
      for (int i = 0; i < idsARound; i++) {
        ids.add(id((long) i * rounds + round));
      }
      Collections.shuffle(ids, random);
      all.add(ids);
    }
    return all;
  }

  /** A new table with so many buckets, and nothing else. */
  static ChangingTable create(
      Connection connection, String name, int buckets, DataBlockEncoding encoding)
      throws IOException {
    ChangingTable table = new ChangingTable(connection, TableName.valueOf(name));
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table.name)
              .setCompactionEnabled(false)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                      .setDataBlockEncoding(encoding)
                      .build())
              .setCoprocessor(BenchmarkCluster.observer())
              .setValue("rowguard.layout", layout(buckets).toString())
              .build(),
          IntStream.range(1, BUCKETS_AFTER)
              .mapToObj(salt -> Bytes.toBytes(String.format(Locale.ROOT, "%02d-", salt)))
              .toArray(byte[][]::new));
    }
    return table;
  }

  TableName name() {
    return name;
  }

  /** Disables and deletes it; its clients are closed before. */
  void delete() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.disableTable(name);
      admin.deleteTable(name);
    }
  }

  /** Alters what has nothing to do with layouts. */
  void comment() throws IOException {
    set("COMMENT", "of no layout");
  }

  /** Alters a value that is none of a step. */
  void set(String key, String value) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(name))
              .setValue(key, value)
              .build());
    }
  }

  /** The first step of a change. */
  void prepare() throws IOException {
    alter(
        builder ->
            builder
                .setValue("rowguard.layout", after.toString())
                .setValue("rowguard.layout.previous", before.toString())
                .setValue("rowguard.layout.phase", "prepared")
                .setValue("rowguard.layout.generation", String.valueOf(version)));
  }

  /** The second one. */
  void move() throws IOException {
    alter(builder -> builder.setValue("rowguard.layout.phase", "moving"));
  }

  /** The last one, when nothing is left at old rows. */
  void finish() throws IOException {
    alter(
        builder ->
            builder
                .removeValue(Bytes.toBytes("rowguard.layout.previous"))
                .removeValue(Bytes.toBytes("rowguard.layout.phase"))
                .removeValue(Bytes.toBytes("rowguard.layout.generation")));
  }

  private interface Step {
    TableDescriptorBuilder change(TableDescriptorBuilder descriptor);
  }

  private void alter(Step step) throws IOException {
    version++;
    try (Admin admin = connection.getAdmin()) {
      TableDescriptor descriptor = admin.getDescriptor(name);
      admin.modifyTable(
          step.change(TableDescriptorBuilder.newBuilder(descriptor))
              .setValue("rowguard.layout.version", String.valueOf(version))
              .build());
      Eventually.isTrue("all regions have version " + version, () -> isEverywhere(admin));
    }
  }

  private boolean isEverywhere(Admin admin) throws IOException {
    try (Table table = connection.getTable(name)) {
      for (RegionInfo region : admin.getRegions(name)) {
        Get state = RelayoutRequest.state().toGet(firstRowOf(region));
        if (RelayoutResponse.of(table.get(state)).version() != version) {
          return false;
        }
      }
    }
    return true;
  }

  /** Has rows moved, as the mover does. */
  void touch(List<byte[]> ids, long generation) throws IOException {
    Map<byte[], List<byte[]>> byRegion = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    try (Table table = connection.getTable(name);
        RegionLocator locator = connection.getRegionLocator(name)) {
      for (byte[] id : ids) {
        byte[] row = after.complete(id);
        if (Arrays.equals(row, before.complete(id))) {
          continue; // which stays where it is, and is refused
        }
        byte[] region = locator.getRegionLocation(row).getRegion().getStartKey();
        byRegion.computeIfAbsent(region, start -> new ArrayList<>()).add(row);
      }
      for (List<byte[]> rows : byRegion.values()) {
        for (int from = 0; from < rows.size(); from += TOUCHED_AT_ONCE) {
          List<byte[]> some = rows.subList(from, Math.min(rows.size(), from + TOUCHED_AT_ONCE));
          RelayoutResponse response =
              RelayoutResponse.of(
                  table.get(RelayoutRequest.touch(generation, some).toGet(some.get(0))));
          for (Item item : response.items()) {
            if (item.outcome() != Outcome.DONE && item.outcome() != Outcome.UNMOVED) {
              throw new IllegalStateException("not moved: " + item.outcome() + " " + item.words());
            }
          }
        }
      }
    }
  }

  /** Has each region count its old rows, of which none is left. */
  void count(long generation) throws IOException {
    try (Admin admin = connection.getAdmin();
        Table table = connection.getTable(name)) {
      for (RegionInfo region : admin.getRegions(name)) {
        Get count = RelayoutRequest.count(generation).toGet(firstRowOf(region));
        Eventually.isTrue(
            region + " has counted that no old row is left",
            () -> {
              RelayoutResponse counted = RelayoutResponse.of(table.get(count));
              return counted.misplacedRows() == 0 && counted.next() == null;
            });
      }
    }
  }

  private static byte[] firstRowOf(RegionInfo region) {
    return region.getStartKey().length == 0 ? new byte[1] : region.getStartKey();
  }

  /** The version that the table has by now; that of {@link #prepare} is the generation. */
  long version() {
    return version;
  }
}
