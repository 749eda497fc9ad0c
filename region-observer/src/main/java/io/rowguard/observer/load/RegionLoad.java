package io.rowguard.observer.load;

import io.rowguard.config.TableConfig;
import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowText;
import io.rowguard.load.HeavyKey;
import io.rowguard.load.LoadFinding;
import io.rowguard.load.LoadSnapshot;
import io.rowguard.load.LoadSplitAnswer;
import io.rowguard.load.LoadSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * The figures of a region's summary, worked out when it is read and kept for five seconds.
 * Thread-safe.
 */
final class RegionLoad implements RegionLoadMXBean {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final int SHOWN = 10;
  private static final List<ToDoubleFunction<HeavyKey>> MEASURES =
      Arrays.asList(HeavyKey::atLeast, HeavyKey::reads, HeavyKey::writes);

  private final LoadSummary summary;
  private final String table;
  private final String region;
  private final KeyRange range;
  private final LayoutBoundaries boundaries;
  private final int sample;
  private final int halfLifeSeconds;
  private final KeyNames names;
  private final int splitLoad;
  private final long since = System.currentTimeMillis();

  /** The next three are for who has the lock. */
  private LoadSnapshot snapshot;

  private LoadFinding finding;
  private long takenAt;

  private volatile LoadSplitAnswer splitAnswer;

  RegionLoad(LoadSummary summary, RegionInfo region, TableConfig config) {
    this.summary = summary;
    this.table = region.getTable().getNameAsString();
    this.region = region.getEncodedName();
    this.range = KeyRange.of(region.getStartKey(), true, region.getEndKey(), false);
    this.boundaries = LayoutBoundaries.of(config.group());
    this.sample = config.loadSample();
    this.halfLifeSeconds = config.loadHalfLifeSeconds();
    this.names = new KeyNames(config.loadKeys());
    this.splitLoad = config.splitLoad();
  }

  private synchronized LoadSnapshot snapshot() {
    long now = System.nanoTime();
    if (snapshot == null || now - takenAt > FRESH_NANOS) {
      snapshot = summary.snapshot(now);
      finding = LoadFinding.of(snapshot, boundaries, range);
      takenAt = now;
    }
    return snapshot;
  }

  /** Works the figures out anew, however fresh they are. */
  synchronized void refresh() {
    snapshot = null;
    snapshot();
  }

  /** The finding of the load. */
  synchronized LoadFinding finding() {
    snapshot();
    return finding;
  }

  /** Reads and writes per second. */
  double perSecond() {
    LoadSnapshot now = snapshot();
    return perSecond(now, now.total());
  }

  /** A key as people see it. */
  String name(byte[] key) {
    return names.of(key);
  }

  /** Shows the answer to the last look at whether the region is to be cut. */
  void setSplitAnswer(LoadSplitAnswer answer) {
    splitAnswer = answer;
  }

  private double perSecond(LoadSnapshot from, double weight) {
    return from.perHalfLife(weight) * sample / halfLifeSeconds;
  }

  @Override
  public String getTable() {
    return table;
  }

  @Override
  public String getRegion() {
    return region;
  }

  @Override
  public String getStartKey() {
    return RowText.toStringBinary(range.lower());
  }

  @Override
  public String getEndKey() {
    return RowText.toStringBinary(range.upper());
  }

  @Override
  public long getSince() {
    return since;
  }

  @Override
  public int getSample() {
    return sample;
  }

  @Override
  public int getHalfLifeSeconds() {
    return halfLifeSeconds;
  }

  @Override
  public double getReadsPerSecond() {
    LoadSnapshot now = snapshot();
    return perSecond(now, now.reads());
  }

  @Override
  public double getWritesPerSecond() {
    LoadSnapshot now = snapshot();
    return perSecond(now, now.writes());
  }

  @Override
  public double getLostPerSecond() {
    LoadSnapshot now = snapshot();
    return perSecond(now, now.lost());
  }

  @Override
  public String getVerdict() {
    return finding().verdict().text();
  }

  @Override
  public String getAdvice() {
    return finding().verdict().advice();
  }

  @Override
  public String getRepeats() {
    return names.areHidden() ? null : finding().repeats();
  }

  @Override
  public String getBoundary() {
    byte[] boundary = finding().boundary();
    return boundary == null || names.areHidden() ? null : RowText.toStringBinary(boundary);
  }

  @Override
  public double getSmallerSide() {
    return finding().smallerSide();
  }

  @Override
  public int getSplitLoad() {
    return splitLoad;
  }

  @Override
  public String getSplitAnswer() {
    LoadSplitAnswer answer = splitAnswer;
    return answer == null ? null : answer.text();
  }

  @Override
  public List<HotKey> getGroups() {
    LoadSnapshot now = snapshot();
    return hottest(now, now.groups());
  }

  @Override
  public List<HotKey> getRows() {
    LoadSnapshot now = snapshot();
    return hottest(now, now.rows());
  }

  private List<HotKey> hottest(LoadSnapshot from, List<HeavyKey> keys) {
    Set<HeavyKey> shown = new HashSet<>();
    for (ToDoubleFunction<HeavyKey> measure : MEASURES) {
      keys.stream()
          .filter(key -> measure.applyAsDouble(key) > 0)
          .sorted(Comparator.comparingDouble(measure).reversed())
          .limit(SHOWN)
          .forEach(shown::add);
    }
    List<HotKey> hottest = new ArrayList<>();
    for (HeavyKey key : keys) {
      if (!shown.contains(key)) {
        continue;
      }
      hottest.add(
          new HotKey(
              names.of(key.key()),
              key.length(),
              from.total() == 0 ? 0 : key.atLeast() / from.total(),
              perSecond(from, key.reads()),
              perSecond(from, key.writes()),
              perSecond(from, key.error())));
    }
    return Collections.unmodifiableList(hottest);
  }
}
