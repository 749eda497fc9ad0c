package io.rowguard.tools.cluster;

import io.rowguard.config.RawConnections;
import io.rowguard.tools.cli.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;

/**
 * The configuration of HBase's client; its connections show rows as they are stored, also where
 * hbase-site.xml names those of Rowguard, which show bare keys.
 */
public final class ClientConfiguration {
  private ClientConfiguration() {}

  /**
   * The settings for a command that someone waits for.
   *
   * @param site an hbase-site.xml to read after the one on the class path; null for none
   * @param settings single settings, which come last
   * @throws CommandFailure when the file cannot be read
   */
  public static Configuration of(Path site, Map<String, String> settings) {
    Configuration conf = HBaseConfiguration.create();
    // HBase's own client tries for many minutes before it reports that there is no answer.
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 5);
    conf.setInt("zookeeper.recovery.retry", 1);
    addSite(conf, site);
    settings.forEach(conf::set);
    RawConnections.set(conf);
    return conf;
  }

  /** The same for questions that are given up after a time, whatever the site's file says. */
  static Configuration inTime(ClusterOptions options) {
    Configuration conf = of(options.site().site(), Map.of());
    int millis = Math.multiplyExact(options.timeoutSeconds(), 1000);
    for (String key :
        new String[] {
          HConstants.HBASE_RPC_TIMEOUT_KEY,
          HConstants.HBASE_CLIENT_OPERATION_TIMEOUT,
          HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT,
          HConstants.HBASE_CLIENT_SCANNER_TIMEOUT_PERIOD
        }) {
      conf.setInt(key, millis);
    }
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 3);
    options.site().settings().forEach(conf::set);
    RawConnections.set(conf);
    return conf;
  }

  /** The settings for a job that reads for long: as patient as HBase's own, or as the site says. */
  public static Configuration forJob(ClusterOptions options) {
    Configuration conf = HBaseConfiguration.create();
    // YARN's client tries for a quarter of an hour before it reports that there is no answer.
    conf.setInt("yarn.resourcemanager.connect.max-wait.ms", 30_000);
    conf.setInt("yarn.resourcemanager.connect.retry-interval.ms", 1_000);
    addSite(conf, options.site().site());
    options.site().settings().forEach(conf::set);
    RawConnections.set(conf);
    return conf;
  }

  /** The same for one that repeats what fails by itself, and says so meanwhile. */
  public static Configuration forRepeating(ClusterOptions options) {
    Configuration conf = forJob(options);
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 5);
    options.site().settings().forEach(conf::set);
    RawConnections.set(conf);
    return conf;
  }

  private static void addSite(Configuration conf, Path site) {
    if (site != null) {
      if (!Files.isReadable(site)) {
        throw new CommandFailure("The file cannot be read. file=" + site);
      }
      conf.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
    }
  }

  /** The address of the cluster, for messages. */
  public static String where(Configuration conf) {
    return "zookeeper="
        + conf.get(HConstants.ZOOKEEPER_QUORUM)
        + ":"
        + conf.get(HConstants.ZOOKEEPER_CLIENT_PORT);
  }
}
