package io.rowguard.observer.load;

import io.rowguard.layout.FailureText;
import io.rowguard.load.LoadFinding;
import io.rowguard.load.LoadSplitAnswer;
import io.rowguard.load.LoadSplitRule;
import io.rowguard.load.LoadVerdict;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the load of a region, and asks for a split when {@link LoadSplitRule} says so. For one
 * thread; throws nothing. A failure is logged in one line, and tried again when it is due again.
 */
final class LoadSplitter implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(LoadSplitter.class);

  /** How a region is split, and what else only the server knows. */
  interface Host {
    /** How many regions of the table the server has. */
    int regions() throws IOException;

    /** Whether HBase would split the region. */
    boolean isSplittable();

    /** Has the region split at a key; returns when it is. */
    void split(byte[] key) throws IOException;
  }

  private final RegionInfo region;
  private final RegionLoad load;
  private final LoadSplitRule rule;
  private final Host host;
  private final LoadSplitMetrics metrics;
  private final LongSupplier clock;
  private final Set<LoadVerdict> warned = EnumSet.noneOf(LoadVerdict.class);

  /** The counter of the last answer; null at first. */
  private String last;

  /**
   * @param clock milliseconds of the epoch
   */
  LoadSplitter(
      RegionInfo region,
      RegionLoad load,
      LoadSplitRule rule,
      Host host,
      LoadSplitMetrics metrics,
      LongSupplier clock) {
    this.region = region;
    this.load = load;
    this.rule = rule;
    this.host = host;
    this.metrics = metrics;
    this.clock = clock;
  }

  @Override
  public void run() {
    try {
      look();
    } catch (Throwable e) { // an Error too: the other regions are looked at all the same
      metrics.count(LoadSplitMetrics.FAILED);
      last = null;
      LOG.warn(
          "A split by load failed; it is tried again later. {} error=\"{}\"",
          where(),
          FailureText.of(e));
    }
  }

  private void look() throws IOException {
    load.refresh();
    LoadFinding finding = load.finding();
    double perSecond = load.perSecond();
    long now = clock.getAsLong();
    LoadSplitAnswer answer =
        rule.answer(
            now,
            now - region.getRegionId(),
            perSecond,
            finding,
            host.isSplittable(),
            host.regions());
    load.setSplitAnswer(answer);
    String counter = LoadSplitMetrics.counter(answer, finding.verdict());
    if (!counter.equals(last)) {
      last = counter;
      metrics.count(counter);
      tell(answer, finding, String.format(Locale.ROOT, "%.0f", perSecond));
    }
    if (answer == LoadSplitAnswer.CUT) {
      host.split(finding.boundary());
      metrics.count(LoadSplitMetrics.DONE);
      last = null;
    }
  }

  private void tell(LoadSplitAnswer answer, LoadFinding finding, String perSecond) {
    LoadVerdict verdict = finding.verdict();
    switch (answer) {
      case CUT:
        LOG.info(
            "A region is split by its load. {} perSecond={} verdict=\"{}\" key=\"{}\""
                + " smallerSide={}",
            where(),
            perSecond,
            verdict.text(),
            load.name(finding.boundary()),
            String.format(Locale.ROOT, "%.2f", finding.smallerSide()));
        break;
      case CANNOT:
        if (warned.add(verdict)) {
          LOG.warn(
              "A region has more load than rowguard.split.load, and no split divides it. {}"
                  + " perSecond={} verdict=\"{}\". The way out: {}.",
              where(),
              perSecond,
              verdict.text(),
              verdict.advice());
        }
        break;
      case BELOW:
      case SHORT:
      case YOUNG:
        LOG.debug("A region is not split by its load. {} {}", where(), answer.text());
        break;
      default:
        LOG.info(
            "A region is not split by its load. {} perSecond={} {}",
            where(),
            perSecond,
            answer.text());
    }
  }

  private String where() {
    return "table=" + region.getTable() + " region=" + region.getEncodedName();
  }
}
