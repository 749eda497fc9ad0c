package io.rowguard.tools.presplit;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.ClientConfiguration;
import io.rowguard.tools.cluster.NoAnswer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Creates tables on a cluster. The only class of this package that needs HBase: nothing else here
 * may load it, so that everything else starts without HBase on the class path.
 */
final class HBaseTables {
  private HBaseTables() {}

  /**
   * Creates a table and waits until its regions are open.
   *
   * @param site an hbase-site.xml to read after the one on the class path; null for none
   * @param settings single settings, which come last
   * @throws CommandFailure when the cluster cannot be reached or refuses
   */
  static void create(TablePlan plan, Path site, Map<String, String> settings) {
    Configuration conf = ClientConfiguration.of(site, settings);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      admin.createTable(descriptor(plan), plan.splitKeys().toArray(new byte[0][]));
    } catch (TableExistsException e) {
      throw new CommandFailure("The table exists already. table=" + plan.table(), e);
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(
          "The table was not created. table="
              + plan.table()
              + " "
              + ClientConfiguration.where(conf)
              + " why=\""
              + NoAnswer.reason(e)
              + "\". Is this the right cluster (--site), and are Rowguard's jars on its servers"
              + " (--no-plugins does without)?",
          e);
    }
  }

  private static TableDescriptor descriptor(TablePlan plan) throws IOException {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf(plan.table()));
    for (String family : plan.families()) {
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.of(family.getBytes(StandardCharsets.UTF_8)));
    }
    plan.values().forEach(table::setValue);
    if (plan.withPlugins()) {
      table.setCoprocessor(
          CoprocessorDescriptorBuilder.newBuilder(TablePlan.OBSERVER)
              .setPriority(TablePlan.OBSERVER_PRIORITY)
              .build());
    }
    return table.build();
  }
}
