package io.rowguard.split;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.SteppingSplitPolicy;
import org.apache.hadoop.util.ReflectionUtils;

/** Makes the policy that decides when a region is split. */
final class ShouldSplitPolicy {
  private ShouldSplitPolicy() {}

  /**
   * @param className the class in {@code rowguard.split.when}, or null for the one HBase would use:
   *     that of the cluster ({@code hbase.regionserver.region.split.policy}), else its default
   * @throws ReflectiveOperationException when there is no such class
   * @throws ClassCastException when it is no RegionSplitPolicy
   */
  static RegionSplitPolicy create(String className, Configuration conf)
      throws ReflectiveOperationException {
    String name = className;
    if (name == null) {
      String own = LayoutRegionSplitPolicy.class.getName();
      String cluster = conf.get(HConstants.HBASE_REGION_SPLIT_POLICY_KEY, own);
      // The default of HBase 2.x and 3.0 (RegionSplitPolicy, where it is private).
      name = cluster.equals(own) ? SteppingSplitPolicy.class.getName() : cluster;
    }
    Class<? extends RegionSplitPolicy> type =
        Class.forName(name).asSubclass(RegionSplitPolicy.class);
    if (type == LayoutRegionSplitPolicy.class) {
      throw new IllegalArgumentException("it decides where, not when; name another policy");
    }
    return ReflectionUtils.newInstance(type, conf);
  }
}
