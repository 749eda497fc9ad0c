package io.rowguard.tools.presplit;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.LayoutArguments;
import io.rowguard.tools.cli.OutputFile;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.cluster.SiteOptions;
import io.rowguard.tools.keys.KeyFile;
import io.rowguard.tools.keys.SplitKeyText;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes split keys, or judges those there are. */
@Command(
    name = "presplit",
    description = {
      "Make legal split keys for a new table, or judge existing ones.",
      "",
      "The keys divide what the layout can hold evenly, or a sample of real keys by weight. They"
          + " are printed one per line, as the HBase shell reads a SPLITS_FILE. Exit code 1 says"
          + " that --check found problems."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowguard presplit '{id:hex(16)}' -n 16 -o ids.splits",
      "      create 'ids', 'f', {SPLITS_FILE => 'ids.splits'}          in the HBase shell",
      "  rowguard presplit '{scope:text}/{name:text}' -g scope -n 8 --keys keys.txt.gz",
      "  rowguard presplit '{id:hex(16)}' -n 16 --statement ids --families f",
      "  rowguard presplit '{id:hex(16)}' -n 16 --create ids --families f",
      "  rowguard presplit '{id:hex(16)}' --check old.splits --keys keys.txt.gz",
    })
public final class PresplitCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private LayoutArguments arguments;

  @Option(
      names = {"-n", "--regions"},
      paramLabel = "N",
      description = "How many regions the table is to have.")
  private Integer regions;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = "Divide these keys instead of the layout: one per line, - for standard input.")
  private String sampleFile;

  @Option(
      names = "--weights",
      paramLabel = "FILE",
      description = "One whole number per line of --keys: its rows, bytes or writes.")
  private String weightsFile;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write there instead of to standard output.")
  private Path output;

  @Option(
      names = "--statement",
      paramLabel = "TABLE",
      description = "Print a create statement for the HBase shell.")
  private String statementTable;

  @Option(
      names = "--create",
      paramLabel = "TABLE",
      description = "Create the table on the cluster of hbase-site.xml.")
  private String createTable;

  @Option(
      names = "--families",
      paramLabel = "FAMILY",
      split = ",",
      description = "The column families of the table.")
  private List<String> families = List.of();

  @Option(
      names = "--plugins",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description =
          "Whether the table is guarded by Rowguard's split policy and observer; the default.")
  private boolean withPlugins;

  @Mixin private SiteOptions site;

  @Option(
      names = "--check",
      paramLabel = "FILE",
      description = "Judge the split keys of a SPLITS_FILE instead.")
  private String checkFile;

  public PresplitCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    refuseContradictions();
    EntityGroup group = arguments.group();
    KeySample sample = null;
    if (sampleFile != null) {
      sample = KeySample.read(group.layout(), sampleFile, weightsFile, terminal);
      sample.noteWhatWasTaken(terminal);
    }
    if (checkFile != null) {
      List<byte[]> keys = KeyFile.readAll(checkFile, terminal.in());
      boolean isWell = new SplitKeyReview(group, keys, sample).print(terminal);
      return isWell ? ExitCodes.OK : ExitCodes.PROBLEMS;
    }
    List<byte[]> keys = splitKeys(group, sample);
    if (createTable != null) {
      create(new TablePlan(createTable, families, keys, group, withPlugins));
    } else if (statementTable != null) {
      write(new TablePlan(statementTable, families, keys, group, withPlugins).statement() + "\n");
    } else {
      write(keys.stream().map(key -> SplitKeyText.of(key) + "\n").collect(Collectors.joining()));
    }
    return ExitCodes.OK;
  }

  private void refuseContradictions() {
    int outputs =
        (checkFile == null ? 0 : 1)
            + (createTable == null ? 0 : 1)
            + (statementTable == null ? 0 : 1);
    if (outputs > 1) {
      throw new CommandFailure("Give one of --check, --statement and --create.");
    }
    if (checkFile != null && regions != null) {
      throw new CommandFailure("--check judges the regions there are; leave --regions out.");
    }
    if (checkFile == null && regions == null) {
      throw new CommandFailure("Say how many regions the table is to have: -n 16.");
    }
    if (regions != null && regions < 1) {
      throw new CommandFailure("A table has 1 region or more. -n=" + regions);
    }
    boolean isTable = createTable != null || statementTable != null;
    if (isTable && families.isEmpty()) {
      throw new CommandFailure("A table needs a column family: --families f.");
    }
    if (!isTable && (!families.isEmpty() || !withPlugins)) {
      throw new CommandFailure("--families and --no-plugins are for --statement and --create.");
    }
    if (createTable == null && site.isGiven()) {
      throw new CommandFailure("--site and -D are for --create.");
    }
    if (weightsFile != null && sampleFile == null) {
      throw new CommandFailure("--weights belong to the keys of --keys.");
    }
    if (createTable != null && output != null) {
      throw new CommandFailure("--create writes no file; leave --output out.");
    }
    if (checkFile != null && output != null) {
      throw new CommandFailure("--check writes to standard output; leave --output out.");
    }
  }

  private List<byte[]> splitKeys(EntityGroup group, KeySample sample) {
    LayoutBoundaries boundaries = LayoutBoundaries.of(group);
    if (sample == null) {
      try {
        return boundaries.evenly(regions);
      } catch (IllegalArgumentException e) {
        throw new CommandFailure(e.getMessage() + " (--keys FILE)", e);
      }
    }
    List<byte[]> keys = boundaries.quantiles(sample.rows(), sample.weights(), regions);
    if (keys.size() < regions - 1) {
      terminal.note(
          "The sample gives "
              + (keys.size() + 1)
              + " regions, not "
              + regions
              + ": between its groups there are no more places to cut that would make them more"
              + " even.");
    }
    return keys;
  }

  private void write(String text) {
    if (output == null) {
      terminal.out().print(text);
      return;
    }
    OutputFile.write(output, text);
  }

  private void create(TablePlan plan) {
    ClusterOptions.withHBase(
        () -> {
          HBaseTables.create(plan, site.site(), site.settings());
          return ExitCodes.OK;
        });
    terminal.line(
        "Created "
            + plan.table()
            + " with "
            + Terminal.count(plan.splitKeys().size() + 1)
            + " regions.");
  }
}
