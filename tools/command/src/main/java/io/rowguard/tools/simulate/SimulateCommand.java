package io.rowguard.tools.simulate;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.model.TableSettings;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.LayoutArguments;
import io.rowguard.tools.cli.OutputFile;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.keys.GeneratorText;
import io.rowguard.tools.keys.Generators;
import io.rowguard.tools.keys.KeyFile;
import io.rowguard.tools.keys.KeyIntake;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes many keys into a table that does not exist, and tells which regions get them when. */
@Command(
    name = "simulate",
    description = {
      "Try a design: write many keys into regions, and see which get how many, and when.",
      "",
      "The keys come from a generator (rowguard generate --list) or from a file. Rows count as they"
          + " are, bare keys are completed, all others are refused and counted. Exit code 1 says"
          + " that keys were refused."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowguard simulate '{id:uint64}' --generator sequential --count 1000000 --regions 10",
      "  rowguard simulate '{id:uint64}' --compare '{hash:hex(8)=md5(id)}{id:uint64}'",
      "  rowguard simulate '{user:word}|{time:millis}' -g user \\",
      "      --generator 'values:user=zipf(1000),time=clock'",
      "  rowguard simulate '{scope:text}/{name:text}' --keys keys.txt.gz --html report.html",
      "  rowguard simulate '{id:uint64}' --model full --max-file-size 1g --count 20000000",
    })
public final class SimulateCommand implements Callable<Integer> {
  // Each thread counts every region in every moment: some 10 MB for so many.
  private static final int MOST_REGIONS = 10_000;

  private final Terminal terminal;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "LAYOUT",
      description = "The layout of the rowkeys; by default the generator's own layout.")
  private String layoutText;

  @Option(
      names = {"-g", "--group"},
      paramLabel = "SEGMENT",
      description = "The segment that ends the entity group (rowguard.group).")
  private String groupName;

  @Option(
      names = "--generator",
      paramLabel = "NAME[:OPTION=VALUE,...]",
      description = "The generator of the keys; default: sequential.")
  private String generatorText;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = "Take these keys: one per line, - for standard input.")
  private String keysFile;

  @Option(
      names = {"-c", "--count"},
      paramLabel = "N",
      description = "How many keys the generator makes; default: 1000000.")
  private Long count;

  @Option(
      names = {"-n", "--regions"},
      paramLabel = "N",
      description =
          "Pre-split into so many regions, evenly by the layout; default: 10, in the full"
              + " model 1.")
  private Integer regions;

  @Option(
      names = "--splits",
      paramLabel = "FILE",
      description =
          "Pre-split at the keys of this SPLITS_FILE; the layout of --compare gets as many"
              + " regions.")
  private String splitsFile;

  @Option(
      names = "--compare",
      paramLabel = "LAYOUT",
      description = "A second layout, with the same keys, side by side.")
  private String otherLayoutText;

  @Option(
      names = "--compare-group",
      paramLabel = "SEGMENT",
      description = "The entity group of the second layout; default: that of the first.")
  private String otherGroupName;

  @Option(
      names = "--model",
      paramLabel = "MODEL",
      defaultValue = "simple",
      description =
          "simple: regions stay as they are. (The default.) full: they flush, compact, split and"
              + " move to other servers.")
  private Model model;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      defaultValue = "100",
      description = "Bytes of each row beside its key; default: ${DEFAULT-VALUE}.")
  private int valueBytes;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The seed of random choices; default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many threads make keys; default: one per processor.")
  private Integer threads;

  @ArgGroup(exclusive = false, heading = "%nOf the full model:%n")
  private FullModelOptions full = new FullModelOptions();

  @Option(names = "--json", description = "Print the report as JSON.")
  private boolean isJson;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Write the report to one HTML file, with charts, too.")
  private Path htmlFile;

  /** How true to HBase the simulation is. */
  enum Model {
    SIMPLE,
    FULL
  }

  public SimulateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    OutputFile.require(htmlFile);
    refuseContradictions();
    GeneratorText generator =
        keysFile != null
            ? null
            : GeneratorText.parse(generatorText == null ? "sequential" : generatorText);
    RowkeyLayout layout =
        generator != null
            ? Generators.layout(generator.generator(), layoutText)
            : LayoutArguments.parse(layoutText);
    KeySource source =
        generator != null
            ? new GeneratedKeys(generator, keyCount(), seed, threadCount())
            : new FileKeys(keysFile, terminal);
    List<Design> designs = new ArrayList<>();
    EntityGroup first = LayoutArguments.group(layout, groupName);
    designs.add(splitsFile == null ? divided(first, source, wanted()) : split(first));
    if (otherLayoutText != null) {
      String group = otherGroupName == null ? groupName : otherGroupName;
      RowkeyLayout other = LayoutArguments.parse(otherLayoutText);
      designs.add(divided(LayoutArguments.group(other, group), source, designs.get(0).regions()));
    }
    List<SimulationResult> results =
        model == Model.FULL ? fullResults(designs, source) : simpleResults(designs, source);
    report(source.description(), results);
    boolean isRefused = results.stream().anyMatch(result -> result.intake().refused() > 0);
    return isRefused ? ExitCodes.PROBLEMS : ExitCodes.OK;
  }

  private List<SimulationResult> simpleResults(List<Design> designs, KeySource source) {
    full.refuseAny();
    List<Tally> tallies = source.run(designs, terminal);
    List<SimulationResult> results = new ArrayList<>();
    for (int i = 0; i < designs.size(); i++) {
      results.add(new SimulationResult(designs.get(i), tallies.get(i), valueBytes));
    }
    return results;
  }

  private List<SimulationResult> fullResults(List<Design> designs, KeySource source) {
    TableSettings settings = full.settings(valueBytes);
    List<FullRun> runs =
        designs.stream()
            .map(design -> new FullRun(design, settings, source.count(), seed))
            .toList();
    source.runInOrder(runs.stream().map(FullRun::run).toList(), terminal);
    return runs.stream().map(FullRun::result).toList();
  }

  private void refuseContradictions() {
    if (keysFile != null && (generatorText != null || count != null)) {
      throw new CommandFailure("--keys are all the keys; leave --generator and --count out.");
    }
    if (keysFile != null && layoutText == null) {
      throw new CommandFailure("Say what the keys look like: a LAYOUT goes with --keys.");
    }
    if (splitsFile != null && regions != null) {
      throw new CommandFailure("--splits say how many regions there are; leave --regions out.");
    }
    if (regions != null && (regions < 1 || regions > MOST_REGIONS)) {
      throw new CommandFailure("--regions must be 1 to " + MOST_REGIONS + ". given=" + regions);
    }
    if (count != null && count < 1) {
      throw new CommandFailure("--count must be 1 or more. given=" + count);
    }
    if (valueBytes < 0 || (threads != null && threads < 1)) {
      throw new CommandFailure("--value-bytes must be 0 or more, --threads 1 or more.");
    }
    if (otherGroupName != null && otherLayoutText == null) {
      throw new CommandFailure("--compare-group is the group of the layout of --compare.");
    }
  }

  private long keyCount() {
    return count == null ? 1_000_000 : count;
  }

  private int threadCount() {
    return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
  }

  private int wanted() {
    return regions != null ? regions : model == Model.FULL ? 1 : 10;
  }

  private Design split(EntityGroup group) {
    return new Design(group, splitsOfFile(), "split as in " + splitsFile);
  }

  private Design divided(EntityGroup group, KeySource source, int wanted) {
    LayoutBoundaries boundaries = LayoutBoundaries.of(group);
    try {
      return new Design(group, boundaries.evenly(wanted), "evenly by the layout");
    } catch (IllegalArgumentException e) {
      // No segment of fixed length comes first: the keys themselves must say where to cut.
      return new Design(group, quantiles(boundaries, source, wanted), "evenly by the keys");
    }
  }

  private List<byte[]> quantiles(LayoutBoundaries boundaries, KeySource source, int wanted) {
    KeyIntake intake = new KeyIntake(boundaries.group().layout());
    List<byte[]> rows = new ArrayList<>();
    for (byte[] key : source.sample(boundaries.group().layout())) {
      if (intake.take(key, key.length)) {
        rows.add(Arrays.copyOf(intake.row(), intake.rowLength()));
      }
    }
    rows.sort(Arrays::compareUnsigned);
    return boundaries.quantiles(rows, null, wanted);
  }

  private List<byte[]> splitsOfFile() {
    List<byte[]> keys = new ArrayList<>(KeyFile.readAll(splitsFile, terminal.in()));
    keys.sort(Arrays::compareUnsigned);
    for (int i = 0; i < keys.size(); i++) {
      boolean isTwice = i > 0 && Arrays.equals(keys.get(i - 1), keys.get(i));
      if (isTwice || keys.get(i).length == 0) {
        throw new CommandFailure(
            "HBase refuses these split keys: one is empty or comes twice. See: rowguard presplit"
                + " LAYOUT --check "
                + splitsFile);
      }
    }
    if (keys.size() >= MOST_REGIONS) {
      throw new CommandFailure(
          "There are too many split keys. most=" + (MOST_REGIONS - 1) + " found=" + keys.size());
    }
    return keys;
  }

  private void report(String keys, List<SimulationResult> results) {
    String json = null;
    if (isJson || htmlFile != null) {
      json = JsonReport.text(model.name().toLowerCase(Locale.ROOT), keys, results);
    }
    if (isJson) {
      terminal.out().println(json);
    } else {
      new TerminalReport(terminal, keys, results).print();
    }
    if (htmlFile != null) {
      HtmlReport.write(htmlFile, json);
    }
  }
}
