package io.rowguard.tools;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.Eventually;
import io.rowguard.tools.cluster.TableRegions;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.NormalizeTableFilterParams;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.normalizer.NormalizationPlan.PlanType;
import org.apache.hadoop.hbase.master.normalizer.RegionNormalizerManager;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Whole rounds of HBase's normalizer, one after the other: each is over, with all that it has
 * begun, when the next thing happens.
 */
public final class NormalizerRounds {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final HBaseTestingUtility hbase;
  private final HMaster master;

  public NormalizerRounds(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.master = hbase.getMiniHBaseCluster().getMaster();
  }

  /**
   * The result of a round.
   *
   * @param merges how many merges it began
   * @param splits how many splits it began
   * @param refused how many of what it had planned the master did not take
   */
  public record Round(long merges, long splits, long refused) {}

  /** Has the normalizer look at one table. */
  public Round round(TableName table) throws IOException {
    // A report from before a region was opened anew does not name it.
    long now = EnvironmentEdgeManager.currentTime();
    Eventually.isTrue(
        "all regions are reported",
        () ->
            servers().values().stream().allMatch(server -> server.getReportTimestamp() > now)
                && mebibytes(table) >= 0);
    RegionNormalizerManager normalizer = master.getRegionNormalizerManager();
    long worker = worker();
    Eventually.isTrue("the normalizer has nothing to do", () -> isIdle(worker, -1));
    long waits = THREADS.getThreadInfo(worker).getWaitedCount();
    long merges = normalizer.getMergePlanCount();
    long splits = normalizer.getSplitPlanCount();
    long refused = refused(normalizer);
    hbase.getAdmin().normalizerSwitch(true);
    try {
      assertTrue(
          hbase
              .getAdmin()
              .normalize(
                  new NormalizeTableFilterParams.Builder().tableNames(List.of(table)).build()));
      Eventually.isTrue("the normalizer has looked at " + table, () -> isIdle(worker, waits));
    } finally {
      hbase.getAdmin().normalizerSwitch(false);
    }
    Eventually.isTrue("merges and splits are over", this::isQuiet);
    return new Round(
        normalizer.getMergePlanCount() - merges,
        normalizer.getSplitPlanCount() - splits,
        refused(normalizer) - refused);
  }

  /**
   * How large all regions of a table are, as the normalizer knows it: from what their servers have
   * reported, in whole mebibytes each; -1 where one has not reported its regions since it got one.
   */
  public int mebibytes(TableName table) throws IOException {
    double sum = 0;
    Map<ServerName, ServerMetrics> servers = servers();
    for (HRegionLocation region : TableRegions.of(hbase.getConnection(), table)) {
      RegionMetrics metrics =
          servers
              .get(region.getServerName())
              .getRegionMetrics()
              .get(region.getRegion().getRegionName());
      if (metrics == null) {
        return -1;
      }
      sum += (long) metrics.getStoreFileSize().get(Size.Unit.MEGABYTE);
    }
    return (int) sum;
  }

  private Map<ServerName, ServerMetrics> servers() throws IOException {
    return hbase
        .getAdmin()
        .getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS))
        .getLiveServerMetrics();
  }

  private static long refused(RegionNormalizerManager normalizer) {
    return normalizer.getSkippedCount(PlanType.MERGE) + normalizer.getSkippedCount(PlanType.SPLIT);
  }

  private static long worker() {
    return Arrays.stream(THREADS.dumpAllThreads(false, false))
        .filter(thread -> thread.getThreadName().startsWith("normalizer-worker"))
        .map(ThreadInfo::getThreadId)
        .findFirst()
        .orElseThrow();
  }

  /** Whether its thread waits for work, and has begun to do so after it had waited so often. */
  private static boolean isIdle(long worker, long waits) {
    ThreadInfo now = THREADS.getThreadInfo(worker, Integer.MAX_VALUE);
    return now.getWaitedCount() > waits
        && Arrays.stream(now.getStackTrace())
            .anyMatch(
                frame ->
                    frame.getClassName().endsWith("RegionNormalizerWorkQueue")
                        && frame.getMethodName().equals("take"));
  }

  private boolean isQuiet() throws IOException {
    return master.getProcedures().stream()
        .allMatch(
            procedure ->
                procedure.isFinished()
                    || !procedure
                        .getClass()
                        .getSimpleName()
                        .matches("(Merge|Split)Table.*|TransitRegionState.*"));
  }
}
