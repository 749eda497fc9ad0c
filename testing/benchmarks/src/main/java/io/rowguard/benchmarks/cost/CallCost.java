package io.rowguard.benchmarks.cost;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.apache.hadoop.hbase.io.hfile.CacheStats;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.SplitPolicyAccess;

/**
 * The cost of one call of {@code getSplitPoint}.
 *
 * @param nanos how long it took
 * @param allocated bytes, by the calling thread
 * @param reads how many blocks were not in the block cache and were read from a file
 */
record CallCost(long nanos, long allocated, long reads) {
  private static final ThreadMXBean THREADS =
      ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

  /** Asks once. */
  static CallCost of(RegionSplitPolicy policy, LruBlockCache cache) {
    CacheStats stats = cache.getStats();
    long reads = stats.getMissCount();
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    long began = System.nanoTime();
    byte[] point = SplitPolicyAccess.getSplitPoint(policy);
    long nanos = System.nanoTime() - began;
    allocated = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    if (point == null) {
      throw new IllegalStateException("no split point: " + policy);
    }
    return new CallCost(nanos, allocated, stats.getMissCount() - reads);
  }
}
