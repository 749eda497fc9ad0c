package io.rowguard.split;

import io.rowguard.config.TableConfig;
import io.rowguard.layout.Boundaries;
import io.rowguard.layout.RowText;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.SplitPolicyAccess;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cuts a region only at legal boundaries of the table's layout: never inside an entity group, never
 * at a key that no row can begin with. Thread-safe.
 *
 * <p><em>Where</em>: at the legal boundary nearest to HBase's own middle key, on either side, such
 * that both daughters get rows; nowhere when there is none. HBase then compacts, where it would go
 * on asking for a split that the master refuses ({@code KeyPrefixRegionSplitPolicy} answers the
 * region's start key when the middle group begins the region; see HBASE-23620, HBASE-26996).
 *
 * <p><em>When</em>: as the policy in {@code rowguard.split.when} says, by default the one HBase
 * would use.
 *
 * <p>Without {@code rowguard.layout} it behaves as the policy that decides when. With a wrong
 * configuration the region opens and does not split: a wrong split cannot be taken back.
 */
public final class LayoutRegionSplitPolicy extends RegionSplitPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutRegionSplitPolicy.class);

  private final AtomicBoolean toldUnsplittable = new AtomicBoolean();
  private RegionSplitPolicy when;
  private Boundaries boundaries;
  private boolean wrong;

  /** For HBase, which makes one instance per region, and one on the master per split. */
  public LayoutRegionSplitPolicy() {}

  @Override
  protected void configureForRegion(HRegion region) {
    super.configureForRegion(region);
    TableDescriptor table = region.getTableDescriptor();
    TableConfig config = TableConfig.of(table, getConf());
    String name = table.getTableName().getNameAsString();
    String problem = null;
    if (config.isWrong()) {
      problem = config.problemMessage(name, "its regions do not split");
    } else {
      try {
        when = WhenPolicy.create(config.splitWhen(), getConf());
        SplitPolicyAccess.configureForRegion(when, region);
      } catch (ReflectiveOperationException | RuntimeException e) {
        problem =
            "The policy of rowguard.split.when cannot be used, so the regions of this table do not"
                + " split; it must be a RegionSplitPolicy on the region servers' classpath. table="
                + name
                + " class="
                + config.splitWhen()
                + " error="
                + e;
      }
    }
    // HBase fails the region's open on an exception from here, so a mistake is only told.
    wrong = problem != null;
    if (wrong) {
      LOG.error(problem);
    } else if (config.hasLayout()) {
      boundaries = Boundaries.of(config.group());
    }
  }

  @Override
  protected boolean shouldSplit() {
    return !wrong && SplitPolicyAccess.shouldSplit(when);
  }

  @Override
  protected boolean canSplit() {
    return !wrong && super.canSplit() && SplitPolicyAccess.canSplit(when);
  }

  @Override
  protected byte[] getSplitPoint() {
    if (wrong) {
      return null;
    }
    if (boundaries == null) {
      return SplitPolicyAccess.getSplitPoint(when);
    }
    byte[] middle = super.getSplitPoint();
    if (middle == null) {
      return null;
    }
    byte[] point = new SplitRange(region).nearest(boundaries, middle);
    if (point == null) {
      tellUnsplittable(middle);
    }
    return point;
  }

  /** Once per opened region: the policy is asked again after every flush. */
  private void tellUnsplittable(byte[] middle) {
    if (toldUnsplittable.compareAndSet(false, true)) {
      LOG.warn(
          "The region cannot be split: all of its rows on both sides of the middle belong to one"
              + " entity group. table={} region={} row=\"{}\" group={} bytes={}",
          region.getTableDescriptor().getTableName(),
          region.getRegionInfo().getEncodedName(),
          RowText.abbreviated(middle),
          boundaries.group(),
          region.getStores().stream().mapToLong(store -> store.getStorefilesSize()).sum());
    }
  }
}
