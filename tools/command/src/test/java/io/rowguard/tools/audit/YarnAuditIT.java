package io.rowguard.tools.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonParser;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.WholeOnly;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;
import org.apache.hadoop.yarn.api.records.FinalApplicationStatus;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An audit on YARN: a resource manager, a node manager, and tasks in processes of their own. */
@WholeOnly
@ExtendWith(MiniCluster.class)
class YarnAuditIT {
  private static final byte[] F = Bytes.toBytes("f");
  private static final TableName TABLE = TableName.valueOf("on_yarn");

  @TempDir private Path directory;

  @Test
  void table_onYarn_isCountedAsAPlainScanCounts(HBaseTestingUtility hbase) throws Exception {
    create(hbase);
    ScanOracle oracle =
        new ScanOracle(hbase.getConnection(), TABLE, SpoiltRows.layout(), new Scan());
    Path temporary = Files.createDirectory(directory.resolve("temporary"));
    try (MiniMRYarnCluster yarn = new MiniMRYarnCluster("rowguard", 1)) {
      yarn.init(settings(hbase.getConfiguration()));
      yarn.start();

      CommandResult audited =
          new ClusterSession(yarn.getConfig(), directory)
              .run("audit", "on_yarn", "--json", "--temp-dir", temporary.toString());

      assertEquals(1, audited.exitCode(), audited.err());
      oracle.assertSame(JsonParser.parseString(audited.out()).getAsJsonObject(), 3);
      assertEquals(List.of(FinalApplicationStatus.SUCCEEDED), applications(yarn.getConfig()));
      try (Stream<Path> left = Files.list(temporary)) {
        assertEquals(List.of(), left.toList());
      }
    }
    hbase.deleteTable(TABLE);
  }

  private static void create(HBaseTestingUtility hbase) throws Exception {
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .setValue("rowguard.layout", SpoiltRows.LAYOUT)
                .setValue("rowguard.group", "user")
                .setValue("rowguard.row.max.length", "" + SpoiltRows.LONGEST)
                .build(),
            new byte[][] {Bytes.toBytes("06-"), Bytes.toBytes("u")});
    try (Table table = hbase.getConnection().getTable(TABLE)) {
      for (byte[] row : SpoiltRows.of(SpoiltRows.layout())) {
        table.put(new Put(row).addColumn(F, F, F));
      }
    }
  }

  /** Hadoop's processes need the same packages opened on Java 17 as HBase's. */
  private static Configuration settings(Configuration hbase) {
    Configuration conf = new YarnConfiguration(hbase);
    String java = "-Xmx256m @" + Path.of("../../deploy/lib/hbase-jdk17.args").toAbsolutePath();
    conf.set(MRJobConfig.MR_AM_COMMAND_OPTS, java);
    conf.set(MRJobConfig.MAP_JAVA_OPTS, java);
    conf.set(MRJobConfig.REDUCE_JAVA_OPTS, java);
    // The java: by default that of an environment variable, which need not be there.
    for (String env : List.of(MRJobConfig.MR_AM_ENV, MRJobConfig.MAP_ENV, MRJobConfig.REDUCE_ENV)) {
      conf.set(env, "JAVA_HOME=" + System.getProperty("java.home"));
    }
    conf.setBoolean(YarnConfiguration.NM_VMEM_CHECK_ENABLED, false);
    conf.setFloat(YarnConfiguration.NM_MAX_PER_DISK_UTILIZATION_PERCENTAGE, 100);
    return conf;
  }

  private static List<FinalApplicationStatus> applications(Configuration conf) throws Exception {
    try (YarnClient client = YarnClient.createYarnClient()) {
      client.init(conf);
      client.start();
      return client.getApplications().stream()
          .map(application -> application.getFinalApplicationStatus())
          .toList();
    }
  }
}
