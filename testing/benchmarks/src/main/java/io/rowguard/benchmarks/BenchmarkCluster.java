package io.rowguard.benchmarks;

import io.rowguard.config.Guards;
import io.rowguard.testing.LocalCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.StartMiniClusterOption;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.CoprocessorDescriptor;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * An HBase in this JVM: a master, region servers, files on the local file system under {@code
 * test.build.data.basedirectory}. It splits and compacts nothing by itself.
 */
public final class BenchmarkCluster implements AutoCloseable {
  private static final long NEVER = 1L << 50;

  private final HBaseTestingUtility hbase;

  private BenchmarkCluster(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** The observer as pages have a descriptor name it: before what is loaded for all tables. */
  public static CoprocessorDescriptor observer() {
    return CoprocessorDescriptorBuilder.newBuilder(Guards.OBSERVER).setPriority(1001).build();
  }

  /**
   * Starts one of one region server.
   *
   * @param indexBlockBytes the size from which on the index of a store file gets a further level
   */
  public static BenchmarkCluster withIndexBlocksOf(int indexBlockBytes) throws Exception {
    HBaseTestingUtility hbase = new HBaseTestingUtility();
    hbase.getConfiguration().setInt("hfile.index.block.max.size", indexBlockBytes);
    return start(hbase, 1);
  }

  /** Starts one of so many region servers. */
  public static BenchmarkCluster ofServers(int regionServers) throws Exception {
    return start(new HBaseTestingUtility(), regionServers);
  }

  private static BenchmarkCluster start(HBaseTestingUtility hbase, int regionServers)
      throws Exception {
    LocalCluster.configure(hbase.getConfiguration());
    keepStill(hbase.getConfiguration());
    hbase.startMiniZKCluster();
    hbase.startMiniHBaseCluster(
        StartMiniClusterOption.builder().numRegionServers(regionServers).build());
    // It would begin to move regions after five minutes.
    hbase.getAdmin().balancerSwitch(false, true);
    return new BenchmarkCluster(hbase);
  }

  /** A connection to it, shared. */
  public Connection connection() throws IOException {
    return hbase.getConnection();
  }

  /** The region itself, as the region server has it. */
  public HRegion region(RegionInfo info) {
    return regions(info.getTable()).stream()
        .filter(region -> region.getRegionInfo().equals(info))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("not open: " + info));
  }

  /** The open regions of a table, as the region server has them. */
  public List<HRegion> regions(TableName table) {
    return hbase.getMiniHBaseCluster().getRegions(table);
  }

  /** Removes a table that is not measured any more. */
  public void drop(TableName table) throws IOException {
    hbase.deleteTable(table);
  }

  @Override
  public void close() throws IOException {
    hbase.shutdownMiniCluster();
  }

  /** Flushes, compactions and splits come when the benchmark asks for them. */
  private static void keepStill(Configuration conf) {
    conf.setLong(HConstants.HREGION_MEMSTORE_FLUSH_SIZE, 1L << 30);
    conf.setLong("hbase.increasing.policy.initial.size", NEVER);
    conf.setLong(HConstants.HREGION_MAX_FILESIZE, NEVER);
    // A region that is asked for a major compaction makes a minor one of that many files or more.
    conf.setInt("hbase.hstore.compaction.max", 1_000);
    // Files that a compaction has replaced would come to many times the tables' size.
    conf.setLong("hbase.master.hfilecleaner.ttl", 0);
    conf.setInt("hbase.master.cleaner.interval", 10_000);
    // As by default, and not as in tests: a report writes out all requests that are under way.
    conf.setInt("hbase.regionserver.msginterval", 3_000);
  }
}
