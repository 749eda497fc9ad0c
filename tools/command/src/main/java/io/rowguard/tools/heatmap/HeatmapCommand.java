package io.rowguard.tools.heatmap;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.DurationText;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Interrupt;
import io.rowguard.tools.cli.LayoutArguments;
import io.rowguard.tools.cli.OutputFile;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.cluster.TableArgument;
import io.rowguard.tools.simulate.HtmlReport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Samples a live table. Names no class of HBase, so that it can be there without HBase. */
@Command(
    name = "heatmap",
    description = {
      "Show which regions of a live table are read and written, over time.",
      "",
      "It asks the region servers for their counters again and again, for --for or until Ctrl-C,"
          + " which writes the report all the same. Regions that split, merge or move meanwhile are"
          + " followed; what a region counted between the last reading and its closing is lost.",
      "",
      "Cost of a reading: one request to each region server and to the master, and one scan of"
          + " the table's part of hbase:meta."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowguard heatmap orders",
      "  rowguard heatmap orders --every 10s --for 30m --html orders.html",
      "  rowguard heatmap orders --site /etc/hbase/conf/hbase-site.xml --json > orders.json",
    })
public final class HeatmapCommand implements Callable<Integer> {
  private static final String SCRIPT = "/io/rowguard/tools/heatmap/heatmap.js";
  private static final Duration SHORTEST = Duration.ofMillis(100);

  private final Terminal terminal;

  @Mixin private TableArgument table;

  @Mixin private ClusterOptions cluster;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      defaultValue = "5s",
      converter = DurationText.class,
      description = "From one reading to the next, such as 500ms, 10s, 5m; default: 5s.")
  private Duration every;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      defaultValue = "1m",
      converter = DurationText.class,
      description = "How long; default: 1m.")
  private Duration howLong;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write the report to one HTML file, with heatmaps, too.")
  private Path html;

  @Option(names = "--json", description = "Print the report as JSON.")
  private boolean isJson;

  @Option(
      names = "--layout",
      paramLabel = "LAYOUT",
      description = "Read keys by this layout; default: the one that the table declares.")
  private String layout;

  public HeatmapCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (every.compareTo(SHORTEST) < 0) {
      throw new CommandFailure("--every is 100ms or more.");
    }
    if (howLong.compareTo(every) < 0) {
      throw new CommandFailure("--for is as long as --every or longer: it takes two readings.");
    }
    OutputFile.require(html);
    RowkeyLayout given = layout == null ? null : LayoutArguments.parse(layout);
    return ClusterOptions.withHBase(
        () -> {
          try (Interrupt interrupt = Interrupt.onExit()) {
            Heatmap heatmap =
                Sampling.run(cluster, table.name(), given, every, howLong, interrupt, terminal);
            report(heatmap);
            return ExitCodes.OK;
          }
        });
  }

  private void report(Heatmap heatmap) {
    String json = isJson || html != null ? HeatmapJson.text(heatmap) : null;
    if (isJson) {
      terminal.line(json);
    } else {
      new HeatmapReport(terminal, heatmap).print();
    }
    if (html != null) {
      writeHtml(html, json);
    }
    // Ctrl-C ends the process as soon as this is done.
    terminal.out().flush();
    terminal.err().flush();
  }

  static void writeHtml(Path file, String json) {
    HtmlReport.write(file, "rowguard heatmap", SCRIPT, json);
  }
}
