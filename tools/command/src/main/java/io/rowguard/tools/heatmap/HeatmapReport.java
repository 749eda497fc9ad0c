package io.rowguard.tools.heatmap;

import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cli.TextTable;
import java.util.Locale;
import java.util.stream.IntStream;

/** A heatmap as text: totals, the hottest ranges, and a bar for each. */
final class HeatmapReport {
  private static final int MOST_LINES = 40;
  private static final int BAR = 16;

  private final Terminal terminal;
  private final Heatmap heatmap;

  HeatmapReport(Terminal terminal, Heatmap heatmap) {
    this.terminal = terminal;
    this.heatmap = heatmap;
  }

  void print() {
    SampleHistory history = heatmap.history();
    TextTable head = new TextTable("", "ll");
    head.row("table", heatmap.table());
    if (heatmap.layout() != null) {
      String group = heatmap.group() == null ? "" : ", group " + heatmap.group();
      head.row("layout", heatmap.layout() + group);
    }
    head.row(
        "time",
        String.format(Locale.ROOT, "%d readings in %.1f s", history.readings(), heatmap.seconds()));
    long closed =
        IntStream.range(0, heatmap.grid().ranges().size())
            .filter(range -> Boolean.FALSE.equals(heatmap.isOpen(range)))
            .count();
    head.row(
        "regions",
        Terminal.count(heatmap.grid().ranges().size())
            + " key ranges"
            + (closed == 0 ? "" : ", " + Terminal.count(closed) + " not open at the end")
            + "; "
            + history.moved()
            + " moved, "
            + history.opened()
            + " opened, "
            + history.gone()
            + " gone");
    head.print(terminal);
    printRanges();
    printFigures();
    for (String why : history.silent()) {
      terminal.note("A region server did not answer, what it counted is missing. " + why);
    }
    if (history.unknown() > 0) {
      terminal.note(
          "Regions appeared after a server had not answered; what they had counted is not known."
              + " count="
              + history.unknown());
    }
  }

  private void printRanges() {
    terminal.heading("Requests per key range");
    Heatmap.Load reads = heatmap.reads();
    Heatmap.Load writes = heatmap.writes();
    Heatmap.Load bytes = heatmap.bytes();
    double mostReads = reads.share(reads.hottest());
    double mostWrites = writes.share(writes.hottest());
    TextTable table = new TextTable("  ", "lrlrlr");
    table.row("from", "reads", "", "writes", "", "size");
    int ranges = heatmap.grid().ranges().size();
    int shown = Math.min(ranges, MOST_LINES);
    for (int i = 0; i < shown; i++) {
      table.row(
          name(i),
          Terminal.count(reads.of(i)),
          terminal.bar(reads.share(i), mostReads, BAR),
          Terminal.count(writes.of(i)),
          terminal.bar(writes.share(i), mostWrites, BAR),
          Boolean.FALSE.equals(heatmap.isOpen(i)) ? "not open" : Terminal.bytes(bytes.of(i)));
    }
    table.print(terminal);
    if (shown < ranges) {
      terminal.line(
          "  ... and " + Terminal.count(ranges - shown) + " more (--html and --json have all)");
    }
  }

  private String name(int range) {
    byte[] start = heatmap.grid().ranges().get(range).start();
    return start.length == 0 ? "(start)" : heatmap.words().of(start);
  }

  private void printFigures() {
    terminal.heading("Figures");
    TextTable table = new TextTable("  ", "lrrrrl");
    table.row("", "total", "per second", "hottest", "Gini", "hottest range");
    figure(table, "reads", heatmap.reads());
    figure(table, "writes", heatmap.writes());
    table.print(terminal);
  }

  private void figure(TextTable table, String name, Heatmap.Load load) {
    table.row(
        name,
        Terminal.count(load.total()),
        String.format(Locale.ROOT, "%,.1f", load.total() / Math.max(heatmap.seconds(), 0.001)),
        Terminal.percent(load.share(load.hottest())),
        String.format(Locale.ROOT, "%.3f", load.gini()),
        load.total() == 0 ? "" : heatmap.grid().ranges().get(load.hottest()).toString());
  }
}
