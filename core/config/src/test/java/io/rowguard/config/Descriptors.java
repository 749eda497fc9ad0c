package io.rowguard.config;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** Table descriptors and site configurations for tests, each from keys and values in turn. */
final class Descriptors {
  static final String LAYOUT = "{user:word}|{time:millis}";

  private Descriptors() {}

  /** The descriptor of table {@code orders}, family {@code f}, with these values. */
  static TableDescriptor table(String... keysAndValues) {
    TableDescriptorBuilder table = ordersTable();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      table.setValue(keysAndValues[i], keysAndValues[i + 1]);
    }
    return table.setColumnFamily(ColumnFamilyDescriptorBuilder.of("f")).build();
  }

  /** A builder for table {@code orders}, without families. */
  static TableDescriptorBuilder ordersTable() {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("orders"));
  }

  /** The settings of an hbase-site.xml. */
  static Configuration site(String... keysAndValues) {
    Configuration conf = new Configuration(false);
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set(keysAndValues[i], keysAndValues[i + 1]);
    }
    return conf;
  }
}
