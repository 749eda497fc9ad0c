package io.rowguard.demo;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** The descriptors of the demo's tables: what a user would write in the shell's {@code create}. */
final class DemoTable {
  static final byte[] FAMILY = Bytes.toBytes("f");

  /**
   * A sixteenth of HBase's default, since the tables are that much smaller than usual ones: HBase
   * looks for split points where blocks begin.
   */
  private static final int BLOCK_BYTES = 4 * 1024;

  private DemoTable() {}

  /**
   * A table that Rowguard guards. Its observer and its split policy stand in the servers' {@code
   * hbase-site.xml}, for all tables; a table only says what its keys look like.
   */
  static TableDescriptor guarded(TableName name, String layout, String group) {
    TableDescriptorBuilder table = plain(name).setValue("rowguard.layout", layout);
    if (group != null) {
      table.setValue("rowguard.group", group);
    }
    return table.build();
  }

  /** A table whose servers complete bare keys. */
  static TableDescriptor salted(TableName name, String layout) {
    return plain(name)
        .setValue("rowguard.layout", layout)
        .setValue("rowguard.mode", "salt")
        .build();
  }

  /** A table with the policy that HBase brings for keys with a delimited prefix. */
  static TableDescriptor delimitedByHBase(TableName name) {
    return plain(name)
        .setRegionSplitPolicyClassName(
            "org.apache.hadoop.hbase.regionserver.DelimitedKeyPrefixRegionSplitPolicy")
        .setValue("DelimitedKeyPrefixRegionSplitPolicy.delimiter", "|")
        .build();
  }

  private static TableDescriptorBuilder plain(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setBlocksize(BLOCK_BYTES).build());
  }
}
