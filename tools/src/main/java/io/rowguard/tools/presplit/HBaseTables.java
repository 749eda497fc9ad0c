package io.rowguard.tools.presplit;

import io.rowguard.tools.cli.CommandFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
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
 * Creates tables on a cluster. The only class here that needs HBase: nothing else may load it, so
 * that everything else starts without HBase on the class path.
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
    Configuration conf = HBaseConfiguration.create();
    // HBase's own client tries for many minutes before it says that nobody answers.
    conf.setInt("hbase.client.retries.number", 5);
    conf.setInt("zookeeper.recovery.retry", 1);
    if (site != null) {
      if (!Files.isReadable(site)) {
        throw new CommandFailure("The file cannot be read. file=" + site);
      }
      conf.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    }
    settings.forEach(conf::set);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      admin.createTable(descriptor(plan), plan.splitKeys().toArray(new byte[0][]));
    } catch (TableExistsException e) {
      throw new CommandFailure("The table exists already. table=" + plan.table(), e);
    } catch (IOException | IllegalArgumentException e) {
      throw new CommandFailure(
          "The table was not created. table="
              + plan.table()
              + " zookeeper="
              + conf.get("hbase.zookeeper.quorum")
              + ":"
              + conf.get("hbase.zookeeper.property.clientPort")
              + " why=\""
              + reason(e)
              + "\". Is this the right cluster (--site), and are Rowguard's jars on its servers"
              + " (--no-plugins does without)?",
          e);
    }
  }

  /**
   * The innermost reason in one line: what is around it counts attempts, and what a server answers
   * brings its stack trace along in the message.
   */
  private static String reason(Throwable e) {
    Throwable innermost = e;
    while (innermost.getCause() != null) {
      innermost = innermost.getCause();
    }
    return innermost.toString().lines().findFirst().orElseThrow();
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
