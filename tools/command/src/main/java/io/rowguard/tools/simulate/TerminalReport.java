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
  private final List<SimulationResult> outcomes;

  /**
   * @param keys where the keys come from
   * @param outcomes one or two
   */
  TerminalReport(Terminal terminal, String keys, List<SimulationResult> outcomes) {
    this.terminal = terminal;
    this.keys = keys;
    this.outcomes = outcomes;
  }

  void print() {
    printDesigns();
    if (outcomes.size() == 1) {
      printRegions(outcomes.get(0));
    } else {
      printBars();
    }
    printFigures();
    for (SimulationResult outcome : outcomes) {
      printMoments(outcome);
    }
    printVerdicts();
  }

  private void printDesigns() {
    TextTable table = new TextTable("", "ll");
    table.row("keys", keys);
    for (int i = 0; i < outcomes.size(); i++) {
      Design design = outcomes.get(i).design();
      String group = design.group().segment() == null ? "" : ", group " + design.group().segment();
      table.row(outcomes.size() == 1 ? "layout" : name(i), design.layout() + group);
      Growth growth = outcomes.get(i).growth();
      table.row("", growth == null ? regions(design) : GrowthText.regions(growth));
    }
    if (outcomes.get(0).growth() != null) {
      table.row("model", GrowthText.settings(outcomes.get(0).growth().settings()));
    }
    table.print(terminal);
  }

  private static String regions(Design design) {
    return Terminal.count(design.regions()) + " regions, " + design.splitBy();
  }

  /** What the two designs are called. */
  private static String name(int outcome) {
    return outcome == 0 ? "A" : "B";
  }

  private void printRegions(SimulationResult outcome) {
    terminal.heading("Rows per region");
    double most = outcome.share(outcome.fullest());
    TextTable table = new TextTable("  ", "rlrrlll");
    table.row("region", "from", "rows", "share", "", "", "");
    int shown = Math.min(outcome.regions(), MOST_LINES);
    for (int i = 0; i < shown; i++) {
      table.row(
          Integer.toString(i),
          from(outcome.design(), i),
          Terminal.count(outcome.rows(i)),
          Terminal.percent(outcome.share(i)),
          terminal.bar(outcome.share(i), most, BAR),
          "",
          remark(outcome, i));
    }
    table.print(terminal);
    printRest(outcome.regions(), shown);
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

  private static String remark(SimulationResult outcome, int region) {
    if (!outcome.isReachable(region)) {
      return "unreachable";
    }
    if (outcome.isOneGroup(region)) {
      return "one group: cannot be split";
    }
    return outcome.growth() == null ? "" : GrowthText.remark(outcome.growth().states().get(region));
  }

  private void printBars() {
    terminal.heading("Rows per region, side by side");
    int regions = outcomes.stream().mapToInt(SimulationResult::regions).max().orElseThrow();
    double most =
        outcomes.stream().mapToDouble(outcome -> outcome.share(outcome.fullest())).max().orElse(1);
    TextTable table = new TextTable("  ", "rrlrl");
    table.row("region", "A", "", "B", "");
    int shown = Math.min(regions, MOST_LINES);
    for (int i = 0; i < shown; i++) {
      List<String> cells = new ArrayList<>(List.of(Integer.toString(i)));
      for (SimulationResult outcome : outcomes) {
        boolean hasRegion = i < outcome.regions();
        cells.add(hasRegion ? Terminal.percent(outcome.share(i)) : "");
        cells.add(hasRegion ? terminal.bar(outcome.share(i), most, NARROW_BAR) : "");
      }
      table.row(cells.toArray(new String[0]));
    }
    table.print(terminal);
    printRest(regions, shown);
  }

  private void printFigures() {
    terminal.heading("Figures");
    TextTable table = new TextTable("  ", outcomes.size() == 1 ? "lrl" : "lrrl");
    if (outcomes.size() > 1) {
      table.row("", "A", "B", "");
    }
    figure(
        table,
        "hottest region at a time",
        outcome -> Terminal.percent(outcome.live().meanHottestShare()),
        isFull()
            ? "of the writes of the moment, on average"
            : "of the writes of the moment, on average; even: " + even());
    if (isFull()) {
      figure(
          table,
          "hottest server at a time",
          outcome -> Terminal.percent(outcome.growth().servers().meanHottestShare()),
          "likewise; even: "
              + Terminal.percent(1.0 / outcomes.get(0).growth().settings().servers()));
    }
    figure(
        table,
        "fullest region in the end",
        outcome -> Terminal.percent(outcome.share(outcome.fullest())),
        "of all rows");
    figure(
        table,
        "Gini coefficient",
        outcome -> String.format(Locale.ROOT, "%.3f", outcome.gini()),
        "0: all regions alike; near 1: one has all");
    figure(table, "rows", outcome -> Terminal.count(outcome.rows()), "");
    figure(table, "bytes", outcome -> Terminal.bytes(outcome.bytes()), "of rowkeys and values");
    figure(
        table, "bare keys completed", outcome -> Terminal.count(outcome.intake().completed()), "");
    figure(table, "keys refused", outcome -> Terminal.count(outcome.intake().refused()), "");
    figure(table, "unreachable regions", outcome -> Terminal.count(outcome.unreachable()), "");
    figure(
        table,
        "regions of one group",
        outcome -> Terminal.count(outcome.oneGroup()),
        "these cannot be split");
    if (isFull()) {
      GrowthText.figures((name, value, meaning) -> figure(table, name, value, meaning));
    }
    table.print(terminal);
  }

  private boolean isFull() {
    return outcomes.get(0).growth() != null;
  }

  private String even() {
    List<String> shares =
        outcomes.stream()
            .map(outcome -> Terminal.percent(1.0 / outcome.regions()))
            .distinct()
            .toList();
    return String.join(" and ", shares);
  }

  private void figure(
      TextTable table, String name, Function<SimulationResult, String> value, String meaning) {
    List<String> cells = new ArrayList<>(List.of(name));
    outcomes.forEach(outcome -> cells.add(value.apply(outcome)));
    cells.add(meaning);
    table.row(cells.toArray(new String[0]));
  }

  private void printMoments(SimulationResult outcome) {
    String whose = outcomes.size() == 1 ? "" : ", " + name(outcomes.indexOf(outcome));
    terminal.heading("The hottest region over time" + whose);
    terminal.line("  its share  " + levels(outcome.live()));
    terminal.line(
        "  which      "
            + (isFull() ? "as they are in the end: " : "")
            + hottest("region ", outcome.timeline()));
    if (isFull()) {
      printGrowth(outcome.growth(), whose);
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
    for (int i = 0; i < outcomes.size(); i++) {
      SimulationResult outcome = outcomes.get(i);
      String whose = outcomes.size() == 1 ? "" : name(i) + ": ";
      if (outcome.isHotspot()) {
        terminal.line(
            whose + terminal.styled(Style.BAD, "hotspot") + ": at any time " + hotspot(outcome));
      } else {
        terminal.line(whose + terminal.styled(Style.GOOD, "no hotspot") + ".");
      }
      if (isFull() && outcome.growth().stuck() > 0) {
        terminal.line(
            whose
                + terminal.styled(Style.BAD, "stuck")
                + ": large enough to be split, and cannot be: "
                + Terminal.count(outcome.growth().stuck())
                + " of "
                + Terminal.count(outcome.regions())
                + " regions.");
      }
      if (outcome.intake().refused() > 0) {
        terminal.line(whose + "refused: " + outcome.intake().refusals());
      }
    }
  }

  private static String hotspot(SimulationResult outcome) {
    Growth growth = outcome.growth();
    return growth == null
        ? "one region takes "
            + Terminal.percent(outcome.timeline().meanHottestShare())
            + " of the writes, and with it one server."
        : "one server takes "
            + Terminal.percent(growth.servers().meanHottestShare())
            + " of the writes.";
  }
}
