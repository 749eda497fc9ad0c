package io.rowguard.testing;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.master.locking.LockProcedure;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * The HBase cluster that all integration tests of a JVM share: one master and two region servers in
 * the JVM itself, started by the first test class that asks. It ends with the JVM: where a module's
 * tests have several of those, JUnit runs each class by itself, without saying which is the last.
 *
 * <p>It takes several seconds to start and a test takes milliseconds, so tests share it and keep
 * apart by table name:
 *
 * <pre>{@code
 * @ExtendWith(MiniCluster.class)
 * class GroupSplitPolicyIT {
 *   @Test
 *   void split_oneBigGroup_isRefused(HBaseTestingUtility hbase) throws IOException {
 *     try (Table table = hbase.createTable(TableName.valueOf("oneBigGroup"), "f")) { ... }
 *   }
 * }
 * }</pre>
 *
 * <p>What the servers must know before they start (a coprocessor for all tables, a default split
 * policy) comes from the module's {@link Settings}, the same for every class, so that no test
 * depends on which one ran first. Settings that a table can carry belong in its descriptor.
 *
 * <p>Thread-safe. Files and logs are under the module's {@code target/}.
 */
public final class MiniCluster implements BeforeAllCallback, ParameterResolver {

  /**
   * A module's own settings for its cluster, found by {@link ServiceLoader}: name the class in the
   * test resource {@code META-INF/services/io.rowguard.testing.MiniCluster$Settings}.
   */
  public interface Settings {
    /**
     * Changes the configuration of a cluster that is about to start.
     *
     * @param conf what master, region servers and clients will read
     */
    void apply(Configuration conf);
  }

  private static final int REGION_SERVERS = 2;

  private static final int PATIENCE_MILLIS = 600_000;

  /** The files of all clusters of this JVM. */
  private static final Queue<File> FILES = new ConcurrentLinkedQueue<>();

  private static HBaseTestingUtility running;

  /** Public and without arguments, as {@code @ExtendWith} wants it. */
  public MiniCluster() {}

  /**
   * Sets what every cluster in a test needs, also one beside the shared one: small enough for one
   * heap, quick to react, and out of reach of other machines.
   *
   * @param conf of a cluster that is about to start
   */
  public static void makeSmallAndQuick(Configuration conf) {
    LocalCluster.configure(conf);

    // By default the master twice waits 150 ms for more news for a server when a region is to open.
    conf.setInt("hbase.assignment.dispatch.wait.msec", 10);
    conf.setInt("hbase.procedure.remote.dispatcher.delay.msec", 10);
    // By default it looks once a second whether a move, an assign or an unassign is done.
    conf.setInt("hbase.master.event.waiting.time", 10);
    // By default a server looks each ten seconds whether there is something to flush.
    conf.setInt(HConstants.THREAD_WAKE_FREQUENCY, 1_000);
    conf.setInt("hbase.regionserver.compaction.check.period", 10_000); // as by default
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 15);

    // A machine that stands still for half a minute is no reason to give up.
    conf.setInt("hbase.master.start.timeout.localHBaseCluster", PATIENCE_MILLIS);
    conf.setInt("hbase.master.init.timeout.localHBaseCluster", PATIENCE_MILLIS);
    conf.setInt("zookeeper.session.timeout.localHBaseCluster", PATIENCE_MILLIS);
    conf.setInt("hbase.zookeeper.property.maxSessionTimeout", PATIENCE_MILLIS);
    conf.setInt(HConstants.ZK_SESSION_TIMEOUT, PATIENCE_MILLIS);
    conf.setInt("zookeeper.registry.async.get.timeout", 120_000);
    // HBase 3.0 would ask the masters, of which a test may have ended the one that is known.
    conf.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.ZKConnectionRegistry");
    conf.setInt("hbase.client.sync.wait.timeout.msec", PATIENCE_MILLIS);
    conf.setInt("hbase.rpc.shortoperation.timeout", 60_000);
    // A lock of HBase 2.5's snapshots that misses its release lasts this long, by default ten
    // minutes, which is as long as a test has.
    conf.setInt(LockProcedure.LOCAL_MASTER_LOCKS_TIMEOUT_MS_CONF, 20_000);

    // Two servers in one small heap, on few cores.
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 10);
    conf.setInt(HConstants.REGION_SERVER_HIGH_PRIORITY_HANDLER_COUNT, 6);
    // By default one in ten of them writes: a single one here, for hbase:meta and all the rest.
    conf.setFloat("hbase.ipc.server.metacallqueue.read.ratio", 0.5f);
    conf.setFloat(HConstants.HFILE_BLOCK_CACHE_SIZE_KEY, 0.1f);
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    running();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == HBaseTestingUtility.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return running();
  }

  private static synchronized HBaseTestingUtility running() {
    if (running == null) {
      running = start(conf -> {});
    }
    return running;
  }

  /**
   * Starts a cluster with the module's settings, and others. It ends with the JVM.
   *
   * @param others what they are
   */
  public static HBaseTestingUtility start(Consumer<Configuration> others) {
    HBaseTestingUtility hbase = new HBaseTestingUtility();
    removeInTheEnd(hbase);
    makeDirectories(hbase);
    makeSmallAndQuick(hbase.getConfiguration());
    for (Settings settings : ServiceLoader.load(Settings.class)) {
      settings.apply(hbase.getConfiguration());
    }
    others.accept(hbase.getConfiguration());
    try {
      hbase.startMiniZKCluster();
      hbase.startMiniHBaseCluster(
          StartMiniClusterOption.builder().numRegionServers(REGION_SERVERS).build());
      letRegionsStay(hbase);
    } catch (Exception e) {
      throw new IllegalStateException("The mini-cluster did not start; see " + TestLog.path(), e);
    }
    return hbase;
  }

  /**
   * Switches the balancer off, which would begin five minutes after the start: a test places the
   * regions that it needs somewhere, or relies on them to stay.
   *
   * @param hbase a cluster that runs
   */
  public static void letRegionsStay(HBaseTestingUtility hbase) throws IOException {
    hbase.getAdmin().balancerSwitch(false, true);
  }

  /**
   * Removes a cluster's files when the JVM ends, and ends it at once: HBase's own shutdown hooks
   * would wait half a minute for servers that are not stopped.
   *
   * @param hbase a cluster that is not stopped before that
   */
  public static synchronized void removeInTheEnd(HBaseTestingUtility hbase) {
    if (FILES.isEmpty()) {
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    try {
                      FILES.forEach(FileUtil::fullyDelete);
                    } finally {
                      Runtime.getRuntime().halt(0);
                    }
                  }));
    }
    FILES.add(new File(hbase.getDataTestDir().toString()));
  }

  /**
   * Makes the directories that HBase wants: one for its own temporary files, which it leaves there,
   * and one for logs, without which the web pages of 3.0 do not start.
   */
  private static void makeDirectories(HBaseTestingUtility hbase) {
    File tmp = new File(hbase.getDataTestDir("tmp").toString());
    for (File directory : List.of(tmp, new File(System.getProperty("hadoop.log.dir")))) {
      if (!directory.isDirectory() && !directory.mkdirs()) {
        throw new IllegalStateException("A directory cannot be made: " + directory);
      }
    }
    System.setProperty("java.io.tmpdir", tmp.getPath());
  }
}
