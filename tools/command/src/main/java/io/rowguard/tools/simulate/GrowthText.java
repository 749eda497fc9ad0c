package io.rowguard.tools.simulate;

import io.rowguard.model.SimulatedRegionState;
import io.rowguard.model.SplitByLoad;
import io.rowguard.model.SplitRules;
import io.rowguard.model.SplitWhen;
import io.rowguard.model.TableSettings;
import io.rowguard.tools.cli.Terminal;
import java.util.Locale;
import java.util.function.Function;

/** How the full model's part of the report reads. */
final class GrowthText {
  private GrowthText() {}

  /** A line of the figures. */
  interface Figures {
    void add(String name, Function<SimulationResult, String> value, String meaning);
  }

  /** The regions at first and in the end. */
  static String regions(Growth growth) {
    int first = growth.begin().regions();
    return (first == 1
            ? "1 region at first"
            : Terminal.count(first) + " regions at first, " + growth.begin().splitBy())
        + "; "
        + Terminal.count(growth.states().size())
        + " in the end";
  }

  /** The settings that the model depends on, in one line. */
  static String settings(TableSettings settings) {
    SplitRules splits = settings.splits();
    String when = splits.when().name().toLowerCase(Locale.ROOT);
    String where =
        switch (settings.where()) {
          case PREFIX -> "prefix of " + settings.prefixLength() + " bytes";
          case DELIMITER -> "prefix up to \"" + settings.delimiter() + "\"";
          default -> settings.where().name().toLowerCase(Locale.ROOT);
        };
    String splitting =
        splits.when() == SplitWhen.DISABLED
            ? "no splits"
            : "split when "
                + when
                + " ("
                + Terminal.bytes(splits.maxFileSize())
                + "), where "
                + where;
    return "full: "
        + splitting
        + "; flush at "
        + Terminal.bytes(settings.flushSize())
        + "; servers: "
        + Terminal.count(settings.servers())
        + byLoad(settings.byLoad());
  }

  private static String byLoad(SplitByLoad splits) {
    return splits == null
        ? ""
        : "; split by load above "
            + Terminal.count(Math.round(splits.load()))
            + " of "
            + Terminal.count(Math.round(splits.writesPerSecond()))
            + " writes/s";
  }

  private static String splits(Growth growth) {
    long byLoad = growth.work().splitsByLoad();
    return Terminal.count(growth.splitTimes().size())
        + (byLoad == 0 ? "" : ", " + Terminal.count(byLoad) + " by load");
  }

  /** Why a region cannot be split, if so. */
  static String remark(SimulatedRegionState region) {
    if (region.refusedSplits() > 0 && region.isStuck()) {
      return "stuck: the median group begins it";
    }
    return region.isStuck() ? "stuck: the policy has no point" : "";
  }

  /** The work of the servers. */
  static void figures(Figures figures) {
    figures.add(
        "stuck regions",
        result -> Terminal.count(result.growth().stuck()),
        "large enough to be split, and cannot be");
    figures.add("splits", result -> splits(result.growth()), "");
    figures.add(
        "splits refused",
        result -> Terminal.count(result.growth().work().refusedSplits()),
        "by the master, at the region's own start key");
    figures.add("flushes", result -> Terminal.count(result.growth().work().flushes()), "");
    figures.add(
        "flushes that waited",
        result -> Terminal.count(result.growth().work().blockedFlushes()),
        "for a compaction, since there were too many store files");
    figures.add("compactions", result -> Terminal.count(result.growth().work().compactions()), "");
    figures.add(
        "write amplification",
        result -> String.format(Locale.ROOT, "%.1f", result.growth().work().writeAmplification()),
        "bytes written to store files for each that was flushed");
    figures.add(
        "regions moved",
        result -> Terminal.count(result.growth().work().moves()),
        "by the balancer");
  }
}
