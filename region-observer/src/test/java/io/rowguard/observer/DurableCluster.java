package io.rowguard.observer;

import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.TestLog;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessController;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;
import org.apache.hadoop.hbase.security.visibility.VisibilityController;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A second cluster beside {@link MiniCluster}'s, for what that one cannot show, started once by the
 * first test class that wants it. It is unlike the other in everything:
 *
 * <ul>
 *   <li>HDFS under it, so that a write-ahead log outlives its server and can be replicated
 *   <li>access control and visibility labels, with users but without passwords
 *   <li>the observer on all tables, HBase's own too, with {@link GuardedTable#LAYOUT} for all
 *   <li>{@code hbase.coprocessor.abortonerror} = false
 *   <li>two handlers per server
 * </ul>
 *
 * <p>Tests leave two region servers behind.
 */
final class DurableCluster {
  static final int SERVERS = 2;

  private static DurableCluster running;

  /** HBase's own coprocessors of all regions. */
  static final String CONTROLLERS =
      AccessController.class.getName() + "," + VisibilityController.class.getName();

  static final String CONTROLLERS_AND_OBSERVER =
      CONTROLLERS + "," + LayoutRegionObserver.class.getName();

  private static final String REGION_COPROCESSORS = "hbase.coprocessor.region.classes";

  private final HBaseTestingUtility hbase = new HBaseTestingUtility();

  private DurableCluster() {}

  HBaseTestingUtility hbase() {
    return hbase;
  }

  Servers servers() {
    return new Servers(hbase);
  }

  /** For a client that goes on while a server is being replaced. */
  Configuration patient() {
    Configuration conf = new Configuration(hbase.getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 30);
    return conf;
  }

  /** The coprocessors of regions that open from now on, also on servers that start from now on. */
  void setRegionCoprocessors(String classes) {
    hbase.getMiniHBaseCluster().getConf().set(REGION_COPROCESSORS, classes);
    servers().configure(conf -> conf.set(REGION_COPROCESSORS, classes));
  }

  private static DurableCluster start() {
    DurableCluster cluster = new DurableCluster();
    MiniCluster.removeInTheEnd(cluster.hbase);
    try {
      cluster.configure();
      cluster.hbase.startMiniCluster(
          StartMiniClusterOption.builder()
              .masterClass(Master.class)
              .numRegionServers(SERVERS)
              .numDataNodes(1)
              .build());
      // HDFS' servers put their name on what all of this JVM shows over JMX; the last one counts.
      DefaultMetricsSystem.initialize("HBase");
      MiniCluster.letRegionsStay(cluster.hbase);
      for (TableName table :
          List.of(PermissionStorage.ACL_TABLE_NAME, VisibilityConstants.LABELS_TABLE_NAME)) {
        Eventually.isTrue(
            table + " is there", () -> cluster.hbase.getAdmin().isTableAvailable(table));
      }
    } catch (Exception e) {
      throw new IllegalStateException(
          "The durable cluster did not start; see " + TestLog.path(), e);
    }
    return cluster;
  }

  /**
   * With the handlers that a master has, while the servers have two: it lets a caller who moves a
   * region wait in a handler, and the server that closes the region calls the master.
   */
  public static final class Master extends HMaster {
    /** As HBase makes it, which gives it a configuration of its own. */
    public Master(Configuration conf) throws IOException {
      super(withHandlers(conf));
    }

    private static Configuration withHandlers(Configuration conf) {
      conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 10);
      return conf;
    }
  }

  private void configure() throws IOException {
    Configuration conf = hbase.getConfiguration();
    MiniCluster.makeSmallAndQuick(conf);
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", true);
    conf.setInt("dfs.replication", 1);
    // As few as can be: whatever waits for a handler that waits for it shows here.
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 2);

    conf.setBoolean(User.HBASE_SECURITY_AUTHORIZATION_CONF_KEY, true);
    conf.set("hbase.superuser", serversAndTest());
    conf.set("hbase.coprocessor.master.classes", CONTROLLERS);
    conf.set("hbase.coprocessor.regionserver.classes", AccessController.class.getName());
    conf.set(REGION_COPROCESSORS, CONTROLLERS_AND_OBSERVER);
    conf.set("rowguard.layout", GuardedTable.LAYOUT);
    conf.setBoolean("hbase.coprocessor.abortonerror", false);

    // HBase 2.5 waits that long for the part of a dead server in a snapshot: for the longer of the
    // first two, each five minutes by default.
    conf.setInt("hbase.snapshot.master.timeout.millis", 20_000);
    conf.setInt("hbase.snapshot.master.timeoutMillis", 20_000);
    conf.setInt("hbase.snapshot.region.timeout", 20_000);

    // A source waits a second and longer before it sends again what was refused.
    conf.setInt("replication.source.sleepforretries", 50);
    conf.setInt("replication.source.maxretriesmultiplier", 4);
  }

  /**
   * On HDFS a mini-cluster gives every server a user of its own, numbered through all clusters of
   * the JVM: more numbers than any order of the test classes can use up.
   */
  private static String serversAndTest() throws IOException {
    String test = User.getCurrent().getShortName();
    return test
        + IntStream.range(0, 500)
            .mapToObj(i -> "," + test + ".hfs." + i)
            .collect(Collectors.joining());
  }

  private static synchronized DurableCluster running() {
    if (running == null) {
      running = start();
    }
    return running;
  }

  /** Gives the cluster to test classes. */
  static final class Started implements BeforeAllCallback, ParameterResolver {
    /** HBase keeps the superusers in a static field: those of the cluster that started last. */
    @Override
    public void beforeAll(ExtensionContext context) throws IOException {
      Superusers.initialize(running().hbase.getConfiguration());
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == DurableCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return running();
    }
  }

  /**
   * For test classes whose tables change their layout, which does not go with visibility labels.
   * Their tables load the observer themselves.
   */
  static final class WithoutLabels implements BeforeAllCallback, AfterAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
      running().setRegionCoprocessors(AccessController.class.getName());
    }

    @Override
    public void afterAll(ExtensionContext context) {
      running().setRegionCoprocessors(CONTROLLERS_AND_OBSERVER);
    }
  }
}
