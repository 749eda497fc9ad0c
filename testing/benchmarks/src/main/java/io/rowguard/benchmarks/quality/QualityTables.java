package io.rowguard.benchmarks.quality;

import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Makes the tables that are split, and fills them. */
final class QualityTables {
  /** A sixteenth of HBase's own, as the tables are small. */
  static final int BLOCK_BYTES = 4 * 1024;

  /** A sixteenth of HBase's own, too. */
  static final int INDEX_BLOCK_BYTES = 8 * 1024;

  // As in a region's life: one file of a large compaction, some of smaller ones, one just flushed.
  private static final double[] SHARES_OF_FILES = {0.7, 0.15, 0.1, 0.05};
  private static final long SEED = 1;

  private QualityTables() {}

  static TableDescriptor guarded(TableName name, DataSet data) throws IOException {
    return plain(name)
        .setRegionSplitPolicyClassName("io.rowguard.split.LayoutRegionSplitPolicy")
        .setValue("rowguard.layout", data.layout())
        .setValue("rowguard.group", data.group())
        .build();
  }

  static TableDescriptor ofHBase(TableName name, DataSet data) throws IOException {
    TableDescriptorBuilder table =
        plain(name)
            .setRegionSplitPolicyClassName(
                "org.apache.hadoop.hbase.regionserver." + data.prefixes().policy());
    data.prefixes().settings().forEach(table::setValue);
    return table.build();
  }

  private static TableDescriptorBuilder plain(TableName name) {
    return TableDescriptorBuilder.newBuilder(name)
        .setCompactionEnabled(false) // but when the benchmark does it
        .setDurability(Durability.SKIP_WAL)
        .setColumnFamily(
            ColumnFamilyDescriptorBuilder.newBuilder(TableRows.FAMILY)
                .setBlocksize(BLOCK_BYTES)
                .build());
  }

  /** Creates a table and writes all rows, to store files that overlap and differ in size. */
  static void create(Connection connection, TableDescriptor table, TableRows rows)
      throws IOException {
    int[] fileOfRow =
        new Random(SEED).doubles(rows.all().size()).mapToInt(QualityTables::file).toArray();
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(table);
      for (int file = 0; file < SHARES_OF_FILES.length; file++) {
        try (BufferedMutator mutator = connection.getBufferedMutator(table.getTableName())) {
          for (int row = 0; row < fileOfRow.length; row++) {
            if (fileOfRow[row] == file) {
              mutator.mutate(put(rows, row));
            }
          }
        }
        admin.flush(table.getTableName());
      }
    }
  }

  private static int file(double random) {
    double passed = 0;
    for (int file = 0; file < SHARES_OF_FILES.length; file++) {
      passed += SHARES_OF_FILES[file];
      if (random < passed) {
        return file;
      }
    }
    return SHARES_OF_FILES.length - 1;
  }

  private static Put put(TableRows rows, int row) {
    return new Put(rows.key(row))
        .addColumn(TableRows.FAMILY, TableRows.QUALIFIER, new byte[rows.valueBytes(row)]);
  }
}
