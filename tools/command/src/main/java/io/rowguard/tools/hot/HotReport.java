package io.rowguard.tools.hot;

import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cli.TextTable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The hottest groups and rows of a table as text, and its hottest regions with theirs. */
final class HotReport {
  /** The measure of a hot key. */
  enum By {
    /** Reads and writes. */
    ALL,
    /** Reads alone. */
    READS,
    /** Writes alone. */
    WRITES;

    double of(double reads, double writes) {
      return (this == WRITES ? 0 : reads) + (this == READS ? 0 : writes);
    }
  }

  /** The keys that are named of a table. */
  static final int OF_TABLE = 10;

  private static final int OF_REGION = 5;

  private final Terminal terminal;
  private final HotTable table;
  private final By by;
  private final int most;
  private final HotKeyText text;
  private final HotKeyText bareText;

  /**
   * @param most how many regions are shown
   */
  HotReport(Terminal terminal, HotTable table, By by, int most) {
    this.terminal = terminal;
    this.table = table;
    this.by = by;
    this.most = most;
    this.text = new HotKeyText(table.group());
    this.bareText = HotKeyText.ofBareKeys(table.group());
  }

  /** The hottest regions, the hottest first. */
  static List<HotRegion> hottest(HotTable table, By by, int most) {
    Comparator<HotRegion> colder =
        Comparator.comparingDouble(r -> by.of(r.readsPerSecond(), r.writesPerSecond()));
    return table.regions().stream().sorted(colder.reversed()).limit(most).toList();
  }

  void print() {
    TextTable head = new TextTable("", "ll");
    head.row("table", table.table());
    if (table.group() != null) {
      String segment = table.group().segment();
      head.row("layout", table.group().layout() + (segment == null ? "" : ", group " + segment));
    }
    head.row("regions", Terminal.count(table.regions().size()));
    head.print(terminal);
    terminal.heading("The table's hottest keys");
    if (hasGroups()) {
      keys("group", HotRegion::groups, HotKeyText::ofGroup);
    }
    keys("row", HotRegion::rows, HotKeyText::ofRow);
    for (HotRegion region : hottest(table, by, most)) {
      print(region);
    }
    for (String why : table.silent()) {
      terminal.note("A region server did not answer, its regions are missing. " + why);
    }
  }

  /** Whether a group is more than a row, as far as is known. */
  private boolean hasGroups() {
    return table.group() == null || table.group().segment() != null;
  }

  private void keys(
      String what,
      Function<HotRegion, List<HotKeyRate>> keys,
      BiFunction<HotKeyText, HotKeyRate, String> words) {
    TextTable lines = new TextTable("  ", "lrrrrl");
    lines.row(what, "share", "reads/s", "writes/s", "at most more/s", "region");
    Function<HotKeyRate, String> name = key -> words.apply(bareText, key);
    for (TableKey hot : TableKey.hottest(table, keys, by, OF_TABLE, name)) {
      lines.row(
          name.apply(hot.key()),
          Terminal.percent(hot.share()),
          rate(hot.key().readsPerSecond()),
          rate(hot.key().writesPerSecond()),
          rate(hot.key().errorPerSecond()),
          hot.rows() == 1 ? hot.region() : hot.rows() + " rows of it");
    }
    lines.print(terminal);
  }

  private void print(HotRegion region) {
    terminal.heading("Region " + region.region() + " on " + region.server());
    TextTable facts = new TextTable("  ", "ll");
    facts.row("from", region.startKey().isEmpty() ? "the beginning" : region.startKey());
    facts.row("to", region.endKey().isEmpty() ? "the end" : region.endKey());
    facts.row(
        "load",
        rate(region.readsPerSecond())
            + " reads/s, "
            + rate(region.writesPerSecond())
            + " writes/s since "
            + Instant.ofEpochMilli(region.since()).truncatedTo(ChronoUnit.SECONDS));
    facts.row(
        "counted",
        "one in "
            + Terminal.count(region.sample())
            + ", half after "
            + region.halfLifeSeconds()
            + " s; "
            + rate(region.lostPerSecond())
            + "/s lost");
    facts.print(terminal);
    terminal.prose("  verdict  ", region.verdict() + ": " + region.advice());
    if (region.repeats() != null) {
      terminal.line("  repeats  " + region.repeats());
    }
    if (region.boundary() != null) {
      terminal.line(
          "  cut      "
              + text.ofBoundary(region.boundary())
              + " ("
              + region.boundary()
              + "): "
              + Terminal.percent(region.smallerSide())
              + " on the smaller side");
    }
    if (region.splitLoad() > 0) {
      String answer = region.splitAnswer();
      terminal.prose(
          "  split    ",
          "above "
              + Terminal.count(region.splitLoad())
              + "/s; "
              + (answer == null ? "not looked at yet" : answer));
    }
    if (hasGroups()) {
      keys("group", region.groups(), HotKeyText::ofGroup);
    }
    keys("row", region.rows(), HotKeyText::ofRow);
  }

  private void keys(
      String what, List<HotKeyRate> keys, BiFunction<HotKeyText, HotKeyRate, String> words) {
    TextTable lines = new TextTable("  ", "lrrrr");
    lines.row(what, "share", "reads/s", "writes/s", "at most more/s");
    keys.stream()
        .sorted(Comparator.comparingDouble((HotKeyRate k) -> k.perSecond(by)).reversed())
        .limit(OF_REGION)
        .forEach(
            key ->
                lines.row(
                    words.apply(text, key),
                    Terminal.percent(key.share()),
                    rate(key.readsPerSecond()),
                    rate(key.writesPerSecond()),
                    rate(key.errorPerSecond())));
    lines.print(terminal);
  }

  private static String rate(double perSecond) {
    return String.format(Locale.ROOT, perSecond < 10 ? "%.1f" : "%,.0f", perSecond);
  }
}
