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
 * place, the old one or none. Requests under way are between the two then, so the new instance goes
 * on with what the old one knows ({@link #former}).
 *
 * <p>What is shared are weak references, as HBase may forget to stop an instance, and no class of
 * ours: HBase shares data by the class's name, and a jar that a descriptor names is refused by its
 * own classes, which are loaded for that. To cast theirs would fail.
 */
final class RegionClaim {
  private final RegionCoprocessorEnvironment env;

  /** The region, the host of coprocessors that was in place, the instance, and its number there. */
  private final List<Object> own = new ArrayList<>(4);

  /** What was claimed before; null for nothing. */
  private Object before;

  RegionClaim(RegionCoprocessorEnvironment env, LayoutRegionObserver instance) {
    this.env = env;
    Region region = env.getRegion();
    own.add(new WeakReference<>(region));
    own.add(new WeakReference<>(((HRegion) region).getCoprocessorHost()));
    own.add(new WeakReference<>(instance));
    own.add(env.getLoadSequence());
  }

  /** Claims the region; answers whether no other instance has. */
  boolean take() {
    return own
        == env.getSharedData()
            .compute(
                key(env),
                (key, other) -> {
                  before = other;
                  return isSame(other, 0) && isSame(other, 1) && isEarlier(other) ? other : own;
                });
  }

  /**
   * The instance that has guarded this opening of the region until now. Null where there is none,
   * or it is of another class loader. To be asked once, after {@link #take}: nothing is kept.
   */
  LayoutRegionObserver former() {
    Object instance = isSame(before, 0) ? at(before, 2) : null;
    before = null;
    return instance instanceof LayoutRegionObserver ? (LayoutRegionObserver) instance : null;
  }

  /** Gives the region up, if it was claimed. */
  void release() {
    env.getSharedData().remove(key(env), own);
  }

  private boolean isSame(Object other, int index) {
    return other instanceof List && at(other, index) == at(own, index);
  }

  /**
   * Whether another one comes before in a list of coprocessors: HBase may have given up loading
   * them after it, and begins with the same host in place another time.
   */
  private boolean isEarlier(Object other) {
    Object number = at(other, 3);
    return number instanceof Integer && (Integer) number < env.getLoadSequence();
  }

  private static Object at(Object claim, int index) {
    List<?> parts = (List<?>) claim;
    Object part = index < parts.size() ? parts.get(index) : null;
    return part instanceof WeakReference ? ((WeakReference<?>) part).get() : part;
  }

  /** Under which data that all regions share a region is claimed. */
  static String key(RegionCoprocessorEnvironment env) {
    return "rowguard.guarded-region." + env.getRegionInfo().getRegionNameAsString();
  }
}
