package io.rowguard.benchmarks.quality;

import io.rowguard.benchmarks.MarkdownTable;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;

/** The report on one data set. */
record QualityReport(DataSet data, SplitResult hbase, SplitResult rowguard, SplitResult best) {
  /** How many of the splits that fell short of the best possible are shown. */
  private static final int MOST_SHOWN = 5;

  private static final double SHORT = 0.98;

  void print(PrintStream out) {
    out.printf("### %s%n%n", data.title());
    out.printf(
        Locale.ROOT,
        "Layout `%s`, group `%s`; HBase: `%s`, `%s`. Split above %.1f MB.%n%n",
        data.layout(),
        data.group(),
        data.prefixes().policy(),
        data.prefixes().settings().entrySet().iterator().next(),
        rowguard.limit() / 1e6);
    table().print(out);
    refusals(out, "HBase", hbase);
    refusals(out, "Rowguard", rowguard);
    shortfalls(out);
  }

  private MarkdownTable table() {
    MarkdownTable table = new MarkdownTable("", "HBase's own", "Rowguard", "best possible");
    row(table, "regions", result -> count(result.regions().size()));
    row(table, "splits", result -> count(result.splits().size()));
    row(table, "largest region", QualityReport::largest);
    row(table, "over the limit, one group: to be left whole", o -> count(o.whole().size()));
    row(table, "**stuck**: over the limit, could be cut", o -> count(o.stuck().size()));
    row(table, "rows in stuck regions", result -> percent(result.stuckShareOfRows()));
    row(table, "bytes in stuck regions", result -> percent(result.stuckShareOfBytes()));
    row(table, "**smaller daughter against the best**: median", result -> quality(result, 0.5));
    row(table, "likewise, 5th percentile", result -> quality(result, 0.05));
    row(table, "likewise, worst", result -> quality(result, 0));
    row(table, "empty daughters", result -> count(result.emptyDaughters()));
    row(table, "groups cut", result -> count(result.groupCuts()));
    return table;
  }

  private void row(MarkdownTable table, String what, Function<SplitResult, String> value) {
    table.add(List.of(what, value.apply(hbase), value.apply(rowguard), value.apply(best)));
  }

  private static String largest(SplitResult result) {
    return String.format(Locale.ROOT, "%.1f MB", result.rows().bytes(result.largest()) / 1e6);
  }

  private static String quality(SplitResult result, double share) {
    return result.quality() == null
        ? "-"
        : String.format(Locale.ROOT, "%.3f", result.quality().at(share));
  }

  private static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * share);
  }

  /** The server's reasons for the regions that it would not split. */
  private static void refusals(PrintStream out, String whose, SplitResult result) {
    String words =
        result.refusals().stream()
            .map(QualityReport::withoutNames)
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()))
            .entrySet()
            .stream()
            .map(entry -> entry.getValue() + " times \"" + entry.getKey() + "\"")
            .sorted()
            .limit(MOST_SHOWN)
            .collect(Collectors.joining("; "));
    if (!words.isEmpty()) {
      out.printf("%s refused: %s.%n%n", whose, words);
    }
  }

  private static String withoutNames(String refusal) {
    return refusal.replaceAll("[^ ]{24,} ?", "").replaceAll("(startkey):.*", "$1");
  }

  /** Rowguard's worst splits, if any is notably short of the best possible. */
  private void shortfalls(PrintStream out) {
    List<Split> judged = rowguard.judged();
    Stream<Split> worst = judged.stream().skip(Math.max(0, judged.size() - MOST_SHOWN));
    List<Split> shown = worst.filter(split -> split.quality() < SHORT).toList();
    if (shown.isEmpty()) {
      return;
    }
    MarkdownTable table =
        new MarkdownTable("Rowguard's worst", "groups", "rows", "MB", "smaller", "best", "ratio");
    for (Split split : shown) {
      TableRows rows = rowguard.rows();
      table.add(
          List.of(
              "`" + Bytes.toStringBinary(rows.key(split.region().from())) + "` on",
              count(rows.groups(split.region())),
              count(split.region().size()),
              String.format(Locale.ROOT, "%.1f", split.bytes() / 1e6),
              percent((double) split.smaller() / split.bytes()),
              percent((double) split.best() / split.bytes()),
              String.format(Locale.ROOT, "%.3f", split.quality())));
    }
    table.print(out);
  }
}
