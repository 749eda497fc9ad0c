package io.rowguard.tools.merge;

import com.google.gson.GsonBuilder;
import io.rowguard.tools.cli.ByteSize;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.Consent;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.ShellWord;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.cluster.GivenLayout;
import io.rowguard.tools.cluster.TableArgument;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Merges regions that are empty or small. */
@Command(
    name = "merge",
    description = {
      "Merge neighbouring regions that are empty or small.",
      "",
      "Never across a boundary between two salts, nor one of an even pre-split. For what a change"
          + " of the layout leaves, and for tables whose TTL empties regions. A table that declares"
          + " no layout, such as one of Phoenix, takes --layout. Exit code 1 says that some could"
          + " not be merged."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowguard merge orders --dry-run",
      "  rowguard merge orders --empty --yes",
      "  rowguard merge EVENTS --smaller-than 1g --layout"
          + " '{salt:uint8=java31(key)%%16}{key:bytes}'",
    })
public final class MergeCommand implements Callable<Integer> {
  private static final int MOST_SHOWN = 20;
  private static final String AT_ONCE = "2";

  private final Terminal terminal;

  @Mixin private TableArgument table;

  @Option(names = "--empty", description = "Merge regions without rows; the default.")
  private boolean isEmpty;

  @Option(
      names = "--smaller-than",
      paramLabel = "SIZE",
      converter = ByteSize.class,
      description = "Merge regions as long as what they become is smaller than this.")
  private Long smallerThan;

  @Option(names = "--dry-run", description = "Say what would be merged, and do nothing.")
  private boolean isDry;

  @Mixin private GivenLayout layout;

  @Option(
      names = "--at-once",
      paramLabel = "N",
      defaultValue = AT_ONCE,
      description = "How many merges may go on at a time; default: ${DEFAULT-VALUE}.")
  private int atOnce;

  @Option(names = "--yes", description = "Do not ask before regions are merged.")
  private boolean isAgreed;

  @Option(names = "--json", description = "Print what was done as JSON.")
  private boolean isJson;

  @Mixin private ClusterOptions cluster;

  public MergeCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (isEmpty && smallerThan != null) {
      throw new CommandFailure("Give one of --empty and --smaller-than.");
    }
    if (smallerThan != null && smallerThan < 1) {
      throw new CommandFailure("--smaller-than is 1 or more. found=" + smallerThan);
    }
    String group = layout.group();
    if (atOnce < 1) {
      throw new CommandFailure("--at-once is 1 or more. found=" + atOnce);
    }
    MergeRequest request =
        new MergeRequest(
            table.name(), layout.layout(), group, smallerThan == null ? 0 : smallerThan, atOnce);
    return ClusterOptions.withHBase(
        () -> {
          MergeOutcome outcome =
              RegionMerges.of(cluster, request, isDry, this::requireConsent, terminal);
          if (isJson) {
            terminal.line(json(outcome));
          } else {
            print(outcome);
          }
          return outcome.failures() == 0 ? ExitCodes.OK : ExitCodes.PROBLEMS;
        });
  }

  private void requireConsent() {
    String what = smallerThan == null ? "empty" : "small";
    Consent.require(
        terminal,
        "The " + what + " regions of " + table.name() + " will be merged (--dry-run says which).",
        isAgreed);
  }

  private static String json(MergeOutcome outcome) {
    return new GsonBuilder()
        .serializeNulls()
        .disableHtmlEscaping()
        .setPrettyPrinting()
        .setFieldNamingStrategy(
            field -> field.getName().equals("isDone") ? "done" : field.getName())
        .create()
        .toJson(outcome);
  }

  private void print(MergeOutcome outcome) {
    terminal.line("table    " + outcome.table());
    terminal.line("layout   " + outcome.layout());
    outcome.merges().stream()
        .limit(MOST_SHOWN)
        .forEach(
            merge ->
                terminal.line(
                    "  "
                        + merge.regions()
                        + " regions, "
                        + merge.emptyRegions()
                        + " of them empty, "
                        + Terminal.bytes(merge.bytes())
                        + ": "
                        + merge.range()));
    if (outcome.merges().size() > MOST_SHOWN) {
      terminal.line("  and " + (outcome.merges().size() - MOST_SHOWN) + " more; --json has all");
    }
    terminal.line("");
    terminal.line(verdict(outcome));
    if (outcome.failures() > 0) {
      terminal.prose(
          "",
          terminal.styled(
                  Terminal.Style.BAD,
                  outcome.failures() + " more could not be merged within five minutes")
              + ", the last one because: "
              + outcome.why());
    }
  }

  private String verdict(MergeOutcome outcome) {
    int gone = outcome.merges().stream().mapToInt(merge -> merge.regions() - 1).sum();
    if (!outcome.isDone()) {
      return gone == 0
          ? "Nothing can be merged; the table has " + outcome.regions() + " regions."
          : outcome.regions()
              + " regions would become "
              + (outcome.regions() - gone)
              + ". Next: rowguard merge "
              + outcome.table()
              + options();
    }
    return gone == 0
        ? "Nothing was merged; the table has " + outcome.regions() + " regions."
        : (outcome.regions() + gone) + " regions became " + outcome.regions() + ".";
  }

  /** The options of this dry run, for a command that does it. */
  private String options() {
    return (smallerThan == null ? "" : " --smaller-than " + smallerThan)
        + (layout.layout() == null ? "" : " --layout " + ShellWord.of(layout.layout()))
        + (layout.group() == null ? "" : " --group " + ShellWord.of(layout.group()))
        + (atOnce == Integer.parseInt(AT_ONCE) ? "" : " --at-once " + atOnce)
        + cluster.text();
  }
}
