package io.rowguard.benchmarks.write;

import io.rowguard.benchmarks.BenchmarkCluster;
import io.rowguard.benchmarks.constraint.TenantConstraint;
import io.rowguard.benchmarks.layout.CookbookLayout;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HTableDescriptor;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.constraint.Constraints;

/** A guard between a writer and a table. All let the same rows through. */
enum Guard {
  NONE("no coprocessor"),
  EMPTY("empty coprocessor"),
  STRUCTURE("Rowguard, without salt"),
  SALT("Rowguard, with salt"),
  CONSTRAINT("HBase's constraint, with salt");

  /** The one family of all tables. */
  static final byte[] FAMILY = {'f'};

  /** The layout of all rows; {@link #STRUCTURE} takes the salt for any two hex digits. */
  static final CookbookLayout ROWS = CookbookLayout.TENANT_DATA;

  private final String words;

  Guard(String words) {
    this.words = words;
  }

  /** For a report. */
  @Override
  public String toString() {
    return words;
  }

  /** Whether rows that do not fit are refused. */
  boolean refuses() {
    return this != NONE && this != EMPTY;
  }

  /** A table with this guard. */
  TableDescriptor table(TableName name) throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(name)
            .setCompactionEnabled(false)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY));
    return switch (this) {
      case NONE -> table.build();
      case EMPTY -> table.setCoprocessor(EmptyRegionObserver.class.getName()).build();
      case STRUCTURE -> guarded(table, ROWS.structure());
      case SALT -> guarded(table, ROWS.layout());
      case CONSTRAINT -> constrained(table.build());
    };
  }

  private static TableDescriptor guarded(TableDescriptorBuilder table, RowkeyLayout layout)
      throws IOException {
    return table
        .setCoprocessor(BenchmarkCluster.observer())
        .setValue("rowguard.layout", layout.toString())
        .build();
  }

  @SuppressWarnings("deprecation") // HBase's constraints know no other descriptor
  private static TableDescriptor constrained(TableDescriptor table) throws IOException {
    HTableDescriptor descriptor = new HTableDescriptor(table);
    Constraints.add(descriptor, TenantConstraint.class, new Configuration(false));
    return TableDescriptorBuilder.newBuilder(descriptor).build();
  }
}
