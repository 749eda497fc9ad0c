package io.rowguard.master;

import io.rowguard.config.Guards;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** The declarations of tables on the way from one layout to another. */
final class RelayoutDescriptors {
  static final TableName ORDERS = TableName.valueOf("orders");
  static final String OLD = "{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}";
  static final String NEW = "{salt:digits(2)=murmur3(user)%64}-{user:word}|{item:digits(4)}";

  private RelayoutDescriptors() {}

  /** Outside of a relayout; version 0 for none. */
  static TableDescriptor plain(String layout, int version) {
    return with(guarded(), "rowguard.layout", layout, "rowguard.layout.version", number(version));
  }

  static TableDescriptor prepared(String from, String to, int generation, int version) {
    return relayout(from, to, "prepared", generation, version);
  }

  static TableDescriptor moving(String from, String to, int generation, int version) {
    return relayout(from, to, "moving", generation, version);
  }

  static TableDescriptor relayout(
      String from, String to, String phase, int generation, int version) {
    return with(
        guarded(),
        "rowguard.layout",
        to,
        "rowguard.layout.previous",
        from,
        "rowguard.layout.phase",
        phase,
        "rowguard.layout.generation",
        number(generation),
        "rowguard.layout.version",
        number(version));
  }

  /** The same with these keys and values in turn; null for a key to go. */
  static TableDescriptor with(TableDescriptor table, String... keysAndValues) {
    TableDescriptorBuilder changed = TableDescriptorBuilder.newBuilder(table);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      changed.setValue(keysAndValues[i], keysAndValues[i + 1]);
    }
    return changed.build();
  }

  static TableDescriptor withoutObserver(TableDescriptor table) {
    return TableDescriptorBuilder.newBuilder(table).removeCoprocessor(Guards.OBSERVER).build();
  }

  static TableDescriptor withObserver(TableDescriptor table) {
    try {
      return TableDescriptorBuilder.newBuilder(table).setCoprocessor(Guards.OBSERVER).build();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TableDescriptor guarded() {
    return withObserver(
        TableDescriptorBuilder.newBuilder(ORDERS)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setRegionSplitPolicyClassName(Guards.POLICY)
            .setValue("rowguard.group", "user")
            .build());
  }

  private static String number(int number) {
    return number == 0 ? null : Integer.toString(number);
  }
}
