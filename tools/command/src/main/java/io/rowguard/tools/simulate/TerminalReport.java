package io.rowguard.tools.simulate;

import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cli.Terminal.Style;
import io.rowguard.tools.cli.TextTable;
import io.rowguard.tools.keys.SplitKeyText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Shows what came of one design, or of two side by side, as text. */
final class TerminalReport {
  private static final int MOST_LINES = 40;
  private static final int BAR = 30;
  private static final int NARROW_BAR = 16;
  private static final int MOMENTS = 64;
  private static final int LONGEST_KEY = 34;

  private final Terminal terminal;
  private final String keys;
  private final List<SimulationResult> results;

  /**
   * @param keys where the keys come from
   * @param results one or two
   */
  TerminalReport(Terminal terminal, String keys, List<SimulationResult> results) {
    this.terminal = terminal;
    this.keys = keys;
    this.results = results;
  }

  void print() {
    printDesigns();
    if (results.size() == 1) {
      printRegions(results.get(0));
    } else {
      printBars();
    }
    printFigures();
    for (SimulationResult result : results) {
      printMoments(result);
    }
    printVerdicts();
  }

  private void printDesigns() {
    TextTable table = new TextTable("", "ll");
    table.row("keys", keys);
    for (int i = 0; i < results.size(); i++) {
      Design design = results.get(i).design();
      String group = design.group().segment() == null ? "" : ", group " + design.group().segment();
      table.row(results.size() == 1 ? "layout" : name(i), design.layout() + group);
      Growth growth = results.get(i).growth();
      table.row("", growth == null ? regions(design) : GrowthText.regions(growth));
    }
    if (results.get(0).growth() != null) {
      table.row("model", GrowthText.settings(results.get(0).growth().settings()));
    }
    table.print(terminal);
  }

  private static String regions(Design design) {
    return Terminal.count(design.regions()) + " regions, " + design.splitBy();
  }

  /** The names of the two designs. */
  private static String name(int result) {
    return result == 0 ? "A" : "B";
  }

  private void printRegions(SimulationResult result) {
    terminal.heading("Rows per region");
    double most = result.share(result.fullest());
    TextTable table = new TextTable("  ", "rlrrlll");
    table.row("region", "from", "rows", "share", "", "", "");
    int shown = Math.min(result.regions(), MOST_LINES);
    for (int i = 0; i < shown; i++) {
      table.row(
          Integer.toString(i),
          from(result.design(), i),
          Terminal.count(result.rows(i)),
          Terminal.percent(result.share(i)),
          terminal.bar(result.share(i), most, BAR),
          "",
          remark(result, i));
    }
    table.print(terminal);
    printRest(result.regions(), shown);
  }

  private void printRest(int regions, int shown) {
    if (shown < regions) {
      terminal.line(
          "  ... and "
              + Terminal.count(regions - shown)
              + " more regions (--html and --json have all)");
    }
  }

  private static String from(Design design, int region) {
    if (region == 0) {
      return "(start)";
    }
    String key = SplitKeyText.of(design.start(region));
    if (key.length() <= LONGEST_KEY) {
      return key;
    }
    // The middle is left out: neighbours often differ only at their ends.
    int half = LONGEST_KEY / 2;
    return key.substring(0, half) + "..." + key.substring(key.length() - half);
  }

  private static String remark(SimulationResult result, int region) {
    if (!result.isReachable(region)) {
      return "unreachable";
    }
    if (result.isOneGroup(region)) {
      return "one group: cannot be split";
    }
    return result.growth() == null ? "" : GrowthText.remark(result.growth().states().get(region));
  }

  private void printBars() {
    terminal.heading("Rows per region, side by side");
    int regions = results.stream().mapToInt(SimulationResult::regions).max().orElseThrow();
    double most =
        results.stream().mapToDouble(result -> result.share(result.fullest())).max().orElse(1);
    TextTable table = new TextTable("  ", "rrlrl");
    table.row("region", "A", "", "B", "");
    int shown = Math.min(regions, MOST_LINES);
    for (int i = 0; i < shown; i++) {
      List<String> cells = new ArrayList<>(List.of(Integer.toString(i)));
      for (SimulationResult result : results) {
        boolean hasRegion = i < result.regions();
        cells.add(hasRegion ? Terminal.percent(result.share(i)) : "");
        cells.add(hasRegion ? terminal.bar(result.share(i), most, NARROW_BAR) : "");
      }
      table.row(cells.toArray(new String[0]));
    }
    table.print(terminal);
    printRest(regions, shown);
  }

  private void printFigures() {
    terminal.heading("Figures");
    TextTable table = new TextTable("  ", results.size() == 1 ? "lrl" : "lrrl");
    if (results.size() > 1) {
      table.row("", "A", "B", "");
    }
    figure(
        table,
        "hottest region at a time",
        result -> Terminal.percent(result.live().meanHottestShare()),
        isFull()
            ? "of the writes of the moment, on average"
            : "of the writes of the moment, on average; even: " + even());
    if (isFull()) {
      figure(
          table,
          "hottest server at a time",
          result -> Terminal.percent(result.growth().servers().meanHottestShare()),
          "likewise; even: "
              + Terminal.percent(1.0 / results.get(0).growth().settings().servers()));
    }
    figure(
        table,
        "fullest region in the end",
        result -> Terminal.percent(result.share(result.fullest())),
        "of all rows");
    figure(
        table,
        "Gini coefficient",
        result -> String.format(Locale.ROOT, "%.3f", result.gini()),
        "0: all regions alike; near 1: one has all");
    figure(table, "rows", result -> Terminal.count(result.rows()), "");
    figure(table, "bytes", result -> Terminal.bytes(result.bytes()), "of rowkeys and values");
    figure(table, "bare keys completed", result -> Terminal.count(result.intake().completed()), "");
    figure(table, "keys refused", result -> Terminal.count(result.intake().refused()), "");
    figure(table, "unreachable regions", result -> Terminal.count(result.unreachable()), "");
    figure(
        table,
        "regions of one group",
        result -> Terminal.count(result.oneGroup()),
        "these cannot be split");
    if (isFull()) {
      GrowthText.figures((name, value, meaning) -> figure(table, name, value, meaning));
    }
    table.print(terminal);
  }

  private boolean isFull() {
    return results.get(0).growth() != null;
  }

  private String even() {
    List<String> shares =
        results.stream()
            .map(result -> Terminal.percent(1.0 / result.regions()))
            .distinct()
            .toList();
    return String.join(" and ", shares);
  }

  private void figure(
      TextTable table, String name, Function<SimulationResult, String> value, String meaning) {
    List<String> cells = new ArrayList<>(List.of(name));
    results.forEach(result -> cells.add(value.apply(result)));
    cells.add(meaning);
    table.row(cells.toArray(new String[0]));
  }

  private void printMoments(SimulationResult result) {
    String whose = results.size() == 1 ? "" : ", " + name(results.indexOf(result));
    terminal.heading("The hottest region over time" + whose);
    terminal.line("  its share  " + levels(result.live()));
    terminal.line(
        "  which      "
            + (isFull() ? "as they are in the end: " : "")
            + hottest("region ", result.timeline()));
    if (isFull()) {
      printGrowth(result.growth(), whose);
    }
  }

  private String levels(Timeline timeline) {
    StringBuilder levels = new StringBuilder();
    for (int i = 0; i < Math.min(MOMENTS, timeline.slots()); i++) {
      levels.append(terminal.level(timeline.hottestShare(moment(timeline, i))));
    }
    return "[" + levels + "]  0 to 100 % of the writes";
  }

  private void printGrowth(Growth growth, String whose) {
    terminal.heading("The hottest server over time" + whose);
    terminal.line("  its share  " + levels(growth.servers()));
    terminal.line("  which      " + hottest("server ", growth.servers()));
    terminal.heading("Regions over time" + whose);
    int[] counts = growth.regionsOverTime();
    int most = growth.states().size();
    StringBuilder levels = new StringBuilder();
    for (int i = 0; i < Math.min(MOMENTS, counts.length); i++) {
      levels.append(terminal.level((double) counts[moment(growth.regions(), i)] / most));
    }
    terminal.line("  how many   [" + levels + "]  0 to " + Terminal.count(most));
  }

  /** Slots to moments: a line has fewer columns. */
  private static int moment(Timeline timeline, int column) {
    int columns = Math.min(MOMENTS, timeline.slots());
    return column * timeline.slots() / columns;
  }

  /** The hottest regions, or servers, in their order, as far as a line has room. */
  private static String hottest(String what, Timeline timeline) {
    StringBuilder text = new StringBuilder();
    int last = -1;
    for (int slot = 0; slot < timeline.slots(); slot++) {
      int hottest = timeline.hottest(slot);
      if (hottest != last) {
        if (text.length() > MOMENTS) {
          return text + " ...";
        }
        text.append(last < 0 ? what : ", ").append(hottest);
        last = hottest;
      }
    }
    return text.toString();
  }

  private void printVerdicts() {
    terminal.line("");
    for (int i = 0; i < results.size(); i++) {
      SimulationResult result = results.get(i);
      String whose = results.size() == 1 ? "" : name(i) + ": ";
      if (result.isHotspot()) {
        terminal.line(
            whose + terminal.styled(Style.BAD, "hotspot") + ": at any time " + hotspot(result));
      } else {
        terminal.line(whose + terminal.styled(Style.GOOD, "no hotspot") + ".");
      }
      if (isFull() && result.growth().stuck() > 0) {
        terminal.line(
            whose
                + terminal.styled(Style.BAD, "stuck")
                + ": large enough to be split, and cannot be: "
                + Terminal.count(result.growth().stuck())
                + " of "
                + Terminal.count(result.regions())
                + " regions.");
      }
      if (result.intake().refused() > 0) {
        terminal.line(whose + "refused: " + result.intake().refusals());
      }
    }
  }

  private static String hotspot(SimulationResult result) {
    Growth growth = result.growth();
    return growth == null
        ? "one region takes "
            + Terminal.percent(result.timeline().meanHottestShare())
            + " of the writes, and with it one server."
        : "one server takes "
            + Terminal.percent(growth.servers().meanHottestShare())
            + " of the writes.";
  }
}
