package io.rowguard.master;

import io.rowguard.observer.LayoutRegionObserver;
import io.rowguard.split.LayoutRegionSplitPolicy;
import io.rowguard.testing.OpenRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** A table of one test's own, guarded by all plugins; it is dropped on {@link #close()}. */
final class DeclaredTable implements AutoCloseable {
  static final String LAYOUT = "{user:word}|{item:digits(4)}";
  static final String SALTED = "{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}";
  static final byte[] F = Bytes.toBytes("f");

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final HBaseTestingUtility hbase;
  private final TableDescriptorBuilder descriptor;
  final TableName name;
  private byte[][] splits = new byte[0][];

  private DeclaredTable(HBaseTestingUtility hbase, TableName name) throws IOException {
    this.hbase = hbase;
    this.name = name;
    this.descriptor =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
            .setRegionSplitPolicyClassName(LayoutRegionSplitPolicy.class.getName())
            .setCoprocessor(LayoutRegionObserver.class.getName());
  }

  /** A table that is not created yet, with these keys and values in turn in its descriptor. */
  static DeclaredTable of(HBaseTestingUtility hbase, String... keysAndValues) throws IOException {
    DeclaredTable table =
        new DeclaredTable(hbase, TableName.valueOf("declared" + COUNT.incrementAndGet()));
    set(table.descriptor, keysAndValues);
    return table;
  }

  /** The same with a layout and a group. */
  static DeclaredTable grouped(HBaseTestingUtility hbase, String... keysAndValues)
      throws IOException {
    DeclaredTable table = of(hbase, "rowguard.layout", LAYOUT, "rowguard.group", "user");
    set(table.descriptor, keysAndValues);
    return table;
  }

  /** With {@link #SALTED} and a group. */
  static DeclaredTable salted(HBaseTestingUtility hbase, String... keysAndValues)
      throws IOException {
    return of(hbase, "rowguard.layout", SALTED, "rowguard.group", "user").with(keysAndValues);
  }

  DeclaredTable with(String... keysAndValues) {
    set(descriptor, keysAndValues);
    return this;
  }

  DeclaredTable withSplits(String... keys) {
    splits = bytes(keys);
    return this;
  }

  DeclaredTable withPolicy(String className) {
    descriptor.setRegionSplitPolicyClassName(className);
    return this;
  }

  DeclaredTable withoutObserver() {
    descriptor.removeCoprocessor(LayoutRegionObserver.class.getName());
    return this;
  }

  DeclaredTable withFamilyValue(String key, String value) {
    descriptor.modifyColumnFamily(
        ColumnFamilyDescriptorBuilder.newBuilder(F).setConfiguration(key, value).build());
    return this;
  }

  TableDescriptor declared() {
    return descriptor.build();
  }

  DeclaredTable create() throws IOException {
    admin().createTable(descriptor.build(), splits);
    OpenRegions.await(hbase, name);
    return this;
  }

  /** Changes keys of the descriptor, null for a key to go; the regions are open again after it. */
  void alter(String... keysAndValues) throws IOException {
    TableDescriptorBuilder changed = TableDescriptorBuilder.newBuilder(stored());
    set(changed, keysAndValues);
    alterTo(changed.build());
  }

  /** Replaces the descriptor; the regions are open again after it. */
  void alterTo(TableDescriptor changed) throws IOException {
    admin().modifyTable(changed);
    if (admin().isTableEnabled(name)) {
      OpenRegions.await(hbase, name);
    }
  }

  void put(String... rows) throws IOException {
    try (Table table = hbase.getConnection().getTable(name)) {
      for (String row : rows) {
        byte[] key = Bytes.toBytesBinary(row);
        table.put(new Put(key).addColumn(F, F, key));
      }
    }
  }

  /** Writes rows in one batch. */
  void putTogether(String... rows) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (byte[] key : bytes(rows)) {
      puts.add(new Put(key).addColumn(F, F, new byte[200]));
    }
    try (Table table = hbase.getConnection().getTable(name)) {
      table.put(puts);
    }
  }

  /** Deletes a row, and has that in a file. */
  void delete(String row) throws IOException {
    try (Table table = hbase.getConnection().getTable(name)) {
      table.delete(new Delete(Bytes.toBytesBinary(row)));
    }
    flush();
  }

  void flush() throws IOException {
    hbase.flush(name);
  }

  /** The descriptor that the master has. */
  TableDescriptor stored() throws IOException {
    return admin().getDescriptor(name);
  }

  String value(String key) throws IOException {
    return stored().getValue(key);
  }

  boolean exists() throws IOException {
    return admin().tableExists(name);
  }

  List<RegionInfo> regions() throws IOException {
    return admin().getRegions(name);
  }

  /** The start keys of the regions, as HBase prints them. */
  List<String> startKeys() throws IOException {
    return regions().stream().map(region -> Bytes.toStringBinary(region.getStartKey())).toList();
  }

  /** Asks for a split of the region that holds the key, at the key, and waits for it. */
  void split(String key) throws Exception {
    byte[] row = Bytes.toBytesBinary(key);
    RegionInfo region =
        regions().stream().filter(each -> each.containsRow(row)).findFirst().orElseThrow();
    admin().splitRegionAsync(region.getRegionName(), row).get();
  }

  /** Merges two regions, by their numbers, and waits for it. */
  void merge(int first, int second) throws Exception {
    List<RegionInfo> regions = regions();
    byte[][] names = {
      regions.get(first).getEncodedNameAsBytes(), regions.get(second).getEncodedNameAsBytes()
    };
    admin().mergeRegionsAsync(names, true).get();
  }

  Admin admin() throws IOException {
    return hbase.getAdmin();
  }

  static byte[][] bytes(String... keys) {
    byte[][] bytes = new byte[keys.length][];
    for (int i = 0; i < keys.length; i++) {
      bytes[i] = Bytes.toBytesBinary(keys[i]);
    }
    return bytes;
  }

  private static void set(TableDescriptorBuilder table, String... keysAndValues) {
    for (int i = 0; i < keysAndValues.length; i += 2) {
      table.setValue(keysAndValues[i], keysAndValues[i + 1]);
    }
  }

  @Override
  public void close() throws IOException {
    drop();
  }

  void drop() throws IOException {
    if (!exists()) {
      return;
    }
    if (admin().isTableEnabled(name)) {
      admin().disableTable(name);
    }
    admin().deleteTable(name);
  }
}
