package io.rowguard.split;

import io.rowguard.config.TableConfig;
import io.rowguard.layout.LegalBoundaries;
import io.rowguard.layout.RowText;
import io.rowguard.splitpoint.SplitPointChooser;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
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
 * <p><em>Where</em>: at the legal boundary that divides the bytes of all store files of all stores
 * most evenly ({@link SplitPointChooser}), such that both daughters get rows; nowhere when there is
 * none. HBase then compacts, where it would go on asking for a split that the master refuses
 * ({@code KeyPrefixRegionSplitPolicy} answers the region's start key when the middle group begins
 * the region; see HBASE-23620, HBASE-26996). Cost: the block indexes in memory, and a few block
 * reads.
 *
 * <p><em>When</em>: as the policy in {@code rowguard.split.when} says, by default the one HBase
 * would use.
 *
 * <p>Without {@code rowguard.layout} it honours HBase's own settings for prefixes ({@link
 * TableBoundaries}); without those it behaves as the policy that decides when. With a wrong
 * configuration the region opens and does not split: a wrong split cannot be taken back. So too
 * where the policy fails, on a version of HBase that misses a method, say: an exception or error
 * would end a thread of the server.
 */
public final class LayoutRegionSplitPolicy extends RegionSplitPolicy {
  private static final Logger LOG = LoggerFactory.getLogger(LayoutRegionSplitPolicy.class);

  private final AtomicBoolean reportedUnsplittable = new AtomicBoolean();
  private final AtomicBoolean reportedFailure = new AtomicBoolean();
  private SplitMetrics metrics;
  private RegionSplitPolicy when;
  private LegalBoundaries boundaries;
  private boolean configured;

  /** For HBase, which makes one instance per region, and one on the master per split. */
  public LayoutRegionSplitPolicy() {}

  /** Never throws: HBase would fail the region's open. */
  @Override
  protected void configureForRegion(HRegion region) {
    super.configureForRegion(region);
    configured = guarded(this::configure, false);
  }

  private boolean configure() {
    metrics = SplitMetrics.get(); // from now on the servers show them, zero or not
    TableDescriptor table = region.getTableDescriptor();
    TableConfig config = TableConfig.of(table, getConf());
    String name = table.getTableName().getNameAsString();
    String problem =
        config.isWrong()
            ? config.problemMessage(name, "its regions do not split")
            : configure(config, table);
    if (problem != null) {
      LOG.error(problem);
      metrics.wrongConfiguration();
    }
    return problem == null;
  }

  /** Makes ready to decide; answers what is wrong, or null. */
  private String configure(TableConfig config, TableDescriptor table) {
    try {
      when = ShouldSplitPolicy.create(config.splitWhen(), getConf());
      SplitPolicyAccess.configureForRegion(when, region);
      boundaries = TableBoundaries.of(config, table, getConf());
      if (config.hasLayout() && TableBoundaries.isRestricted(table, getConf())) {
        LOG.warn(
            "HBase's split restriction shortens every split point after the layout has chosen it;"
                + " remove {} where there is a layout. table={}",
            TableBoundaries.RESTRICTION_TYPE,
            table.getTableName());
      }
      return null;
    } catch (IncompatibleClassChangeError e) {
      throw e; // a method is missing, which no alter mends
    } catch (ReflectiveOperationException | RuntimeException | Error e) {
      return "The regions of this table do not split, since the policy cannot be set up. Mend the"
          + " table's descriptor (alter) or hbase-site.xml; a class in rowguard.split.when must be"
          + " a RegionSplitPolicy on the region servers' classpath. table="
          + table.getTableName()
          + " rowguard.split.when="
          + config.splitWhen()
          + " error="
          + e;
    }
  }

  @Override
  protected boolean shouldSplit() {
    return configured && guarded(() -> SplitPolicyAccess.shouldSplit(when), false);
  }

  @Override
  protected boolean canSplit() {
    return configured && guarded(() -> super.canSplit() && SplitPolicyAccess.canSplit(when), false);
  }

  @Override
  protected byte[] getSplitPoint() {
    return configured ? guarded(this::splitPoint, null) : null;
  }

  private byte[] splitPoint() {
    if (boundaries == null) {
      return SplitPolicyAccess.getSplitPoint(when);
    }
    try (RegionFiles files = RegionFiles.of(region)) {
      if (files.areIndivisible()) {
        return null;
      }
      byte[] point =
          new SplitPointChooser(boundaries, files.lowest(), files.highest())
              .choose(files.weights(getConf()));
      // The files of a region may reach beyond it only while they are references, but a split point
      // outside the region would be refused after the fact, so it is worth being certain.
      if (point != null && region.getRegionInfo().containsRow(point)) {
        return point;
      }
      reportUnsplittable(files);
      return null;
    }
  }

  /** Once per opened region: the policy is asked again after every flush. */
  private void reportUnsplittable(RegionFiles files) {
    if (reportedUnsplittable.compareAndSet(false, true)) {
      metrics.unsplittable();
      byte[] group = boundaries.floor(files.lowest());
      LOG.warn(
          "The region cannot be split: no legal boundary divides its rows, as one entity group (or"
              + " what does not conform) takes all of it. It goes on growing and compacting."
              + " table={} region={} group=\"{}\" bytes={}",
          region.getTableDescriptor().getTableName(),
          region.getRegionInfo().getEncodedName(),
          RowText.abbreviated(group == null ? files.lowest() : group),
          files.bytes());
    }
  }

  /** The answer for HBase, or {@code noSplit} when working it out fails. */
  private <T> T guarded(Supplier<T> answer, T noSplit) {
    try {
      return answer.get();
    } catch (RuntimeException | Error e) {
      reportFailure(e);
      return noSplit;
    }
  }

  /** Once per opened region, by no more of HBase than can be helped: some of it may be missing. */
  private void reportFailure(Throwable e) {
    if (reportedFailure.compareAndSet(false, true)) {
      LOG.error(
          "The region does not split, since the split policy failed. region={} error={}. Where a"
              + " class or a method is missing, this version of Rowguard does not know this version"
              + " of HBase.",
          region,
          e.toString(),
          e);
      if (metrics != null) { // else they are what failed
        metrics.failed();
      }
    }
  }
}
