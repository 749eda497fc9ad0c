package org.apache.hadoop.hbase.regionserver;

/**
 * Calls another split policy. The methods of {@link RegionSplitPolicy} are protected, so that only
 * a class of HBase's own package can ask one policy on behalf of another; this one does nothing
 * else.
 *
 * <p>It works because the jar lies on the server's classpath and is loaded by the class loader that
 * loads HBase, which it must be anyway: HBase loads split policies by {@code Class.forName}.
 */
public final class SplitPolicyAccess {
  private SplitPolicyAccess() {}

  /** {@link RegionSplitPolicy#configureForRegion}. */
  public static void configureForRegion(RegionSplitPolicy policy, HRegion region) {
    policy.configureForRegion(region);
  }

  /** {@link RegionSplitPolicy#shouldSplit}. */
  public static boolean shouldSplit(RegionSplitPolicy policy) {
    return policy.shouldSplit();
  }

  /** {@link RegionSplitPolicy#canSplit}. */
  public static boolean canSplit(RegionSplitPolicy policy) {
    return policy.canSplit();
  }

  /** {@link RegionSplitPolicy#getSplitPoint}. */
  public static byte[] getSplitPoint(RegionSplitPolicy policy) {
    return policy.getSplitPoint();
  }
}
