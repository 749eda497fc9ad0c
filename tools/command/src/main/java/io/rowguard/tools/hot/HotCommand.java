package io.rowguard.tools.hot;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.DurationText;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Interrupt;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.cluster.TableArgument;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Names hot keys. Names no class of HBase, so that it can be there without HBase. */
@Command(
    name = "hot",
    description = {
      "Name the hot keys of a live table, and say what can be done.",
      "",
      "The region observer counts one in rowguard.load.sample reads and writes, and forgets half of"
          + " them each rowguard.load.halflife.seconds; a region begins anew when it is opened. Rates"
          + " and shares of a key are what it has at least; the last column says how much more it may"
          + " have. Cost: one request to the info port of each region server."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowguard hot orders",
      "  rowguard hot orders --writes --watch",
      "  rowguard hot orders --json > hot.json",
    })
public final class HotCommand implements Callable<Integer> {
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration USUAL = Duration.ofSeconds(5);
  private static final String CLEAR = "\u001b[H\u001b[2J";

  private final Terminal terminal;

  @Mixin private TableArgument table;

  @Option(names = "--watch", description = "Again and again, until Ctrl-C.")
  private boolean isWatching;

  @Option(
      names = "--every",
      paramLabel = "TIME",
      converter = DurationText.class,
      description = "With --watch: from one reading to the next; default: 5s.")
  private Duration every;

  @Option(names = "--reads", description = "Reads, the hottest first.")
  private boolean isReads;

  @Option(names = "--writes", description = "Writes, the hottest first.")
  private boolean isWrites;

  @Option(
      names = {"-n", "--regions"},
      paramLabel = "N",
      defaultValue = "3",
      description = "How many regions, with the hottest keys of each; default: ${DEFAULT-VALUE}.")
  private int regions;

  @Option(names = "--json", description = "Print them as JSON; with --watch one line each time.")
  private boolean isJson;

  @Mixin private ClusterOptions cluster;

  public HotCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (isReads && isWrites) {
      throw new CommandFailure("Give one of --reads and --writes; without them both count.");
    }
    if (every != null && !isWatching) {
      throw new CommandFailure("--every is for --watch.");
    }
    Duration pause = every == null ? USUAL : every;
    if (pause.compareTo(SHORTEST) < 0) {
      throw new CommandFailure("--every is 1s or more.");
    }
    if (regions < 1) {
      throw new CommandFailure("--regions is 1 or more. found=" + regions);
    }
    HotReport.By by =
        isReads ? HotReport.By.READS : isWrites ? HotReport.By.WRITES : HotReport.By.ALL;
    return ClusterOptions.withHBase(
        () -> {
          try (Interrupt interrupt = Interrupt.onExit()) {
            HotWatch.run(
                cluster,
                table.name(),
                isWatching ? pause : null,
                interrupt,
                hot -> show(hot, by),
                terminal);
            return ExitCodes.OK;
          }
        });
  }

  /** Shows a reading; answers whether anybody still reads. */
  private boolean show(HotTable hot, HotReport.By by) {
    if (isJson) {
      terminal.line(HotJson.text(hot, by, regions));
    } else {
      if (isWatching && terminal.isColored()) {
        terminal.out().print(CLEAR);
      }
      new HotReport(terminal, hot, by, regions).print();
    }
    return !terminal.out().checkError();
  }
}
