package io.rowguard.twins;

import io.rowguard.client.SaltedAsyncConnection;
import io.rowguard.client.SaltedConnection;
import io.rowguard.config.RawConnections;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;

/**
 * A cluster of two region servers in this JVM, until that is killed.
 *
 * <p>Argument: a directory. When the cluster is up, that has {@code plain/hbase-site.xml} and
 * {@code salted/hbase-site.xml} for its clients, which differ in the two properties that name
 * Rowguard's connections. No server has anything of Rowguard.
 */
public final class TwinCluster {
  private TwinCluster() {}

  /** The program. */
  public static void main(String[] arguments) throws Exception {
    Path directory = Path.of(arguments[0]);
    HBaseTestingUtility hbase = new HBaseTestingUtility();
    hbase.startMiniCluster(2);
    Configuration client = new Configuration(false);
    for (String key :
        new String[] {HConstants.ZOOKEEPER_QUORUM, HConstants.ZOOKEEPER_CLIENT_PORT}) {
      client.set(key, hbase.getConfiguration().get(key));
    }
    // HBase 3's own asks masters at their usual ports.
    client.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.ZKConnectionRegistry");
    // Where jobs of MapReduce, which run in the client's JVM, put what they need for a while.
    client.set("hadoop.tmp.dir", directory.resolve("hadoop").toString());
    client.set("hbase.fs.tmp.dir", directory.resolve("staging").toString());
    write(client, directory.resolve("plain"));
    client.set(RawConnections.CONNECTION, SaltedConnection.class.getName());
    client.set(RawConnections.ASYNC_CONNECTION, SaltedAsyncConnection.class.getName());
    write(client, directory.resolve("salted"));
    Thread.currentThread().join();
  }

  private static void write(Configuration client, Path directory) throws Exception {
    Files.createDirectories(directory);
    Path whole = directory.resolve("hbase-site.xml.new");
    try (OutputStream out = Files.newOutputStream(whole)) {
      client.writeXml(out);
    }
    Files.move(whole, directory.resolve("hbase-site.xml"));
  }
}
