package io.rowguard.observer;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * Ensures that only one observer instance guards a region: HBase makes two where the class is
 * configured for all tables and in the table's descriptor as well, and then every write would count
 * twice. Thread-safe.
 *
 * <p>An instance is known by the opened region and not by the region's name: HBase does not stop
 * the coprocessors of a region whose opening and closing both fail, and what is left of it must not
 * keep the next opening unguarded. Nor by the region alone: when its configuration changes, HBase
 * loads the coprocessors of an open region anew and forgets the old ones ({@code
 * HRegion.onConfigurationChange}); two of one loading begin with the same host of coprocessors in
 * place, the old one or none.
 *
 * <p>What is shared are weak references, as HBase may forget to stop an instance, and no class of
 * ours: HBase shares data by the class's name, and a jar that a descriptor names is refused by its
 * own classes, which are loaded for that. To cast theirs would fail.
 */
final class RegionClaim {
  private final RegionCoprocessorEnvironment env;

  /** The region, and the host of coprocessors that was in place. */
  private final List<WeakReference<Object>> own = new ArrayList<>(2);

  RegionClaim(RegionCoprocessorEnvironment env) {
    this.env = env;
    Region region = env.getRegion();
    own.add(new WeakReference<>(region));
    own.add(new WeakReference<>(((HRegion) region).getCoprocessorHost()));
  }

  /** Claims the region; answers whether no other instance has. */
  boolean take() {
    return own
        == env.getSharedData()
            .compute(key(env), (key, other) -> isSameLoading(other, own) ? other : own);
  }

  /** Gives the region up, if it was claimed. */
  void release() {
    env.getSharedData().remove(key(env), own);
  }

  private static boolean isSameLoading(Object other, List<WeakReference<Object>> own) {
    if (!(other instanceof List)) {
      return false;
    }
    for (int i = 0; i < own.size(); i++) {
      Object reference = ((List<?>) other).get(i);
      if (!(reference instanceof WeakReference)
          || ((WeakReference<?>) reference).get() != own.get(i).get()) {
        return false;
      }
    }
    return true;
  }

  /** Under which data that all regions share a region is claimed. */
  static String key(RegionCoprocessorEnvironment env) {
    return "rowguard.guarded-region." + env.getRegionInfo().getRegionNameAsString();
  }
}
