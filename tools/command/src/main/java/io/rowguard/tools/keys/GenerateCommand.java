package io.rowguard.tools.keys;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cli.TextTable;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints the keys of a generator, or lists the generators. */
@Command(
    name = "generate",
    description = {
      "Print keys that a generator makes, or list the generators.",
      "",
      "They are bare keys and rows, one per line, as presplit and simulate take them by --keys.",
      "",
      "A SOURCE gives numbers to a segment:",
      "  seq, seq(start), seq(start,step)  that count up",
      "  each(n)                           that count up after every n keys",
      "  cycle(n)                          0 to n - 1, again and again",
      "  uniform(n)                        random ones below n, all equally likely",
      "  random                            any value of the segment",
      "  zipf(n)                           random ones below n: 0 most often, 1 half as often",
      "  clock(rate)                       milliseconds, so many keys a second, from 2025-11-20",
      "  hour(rate), day(rate)             the same: seconds of the hour's begin; as 20251120",
      "  42                                always that one"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowguard generate --list",
      "  rowguard generate reversed-id --count 5",
      "  rowguard generate sequential '{order:digits(12) reversed}' --count 5",
      "  rowguard generate 'values:user=zipf(1000),time=clock(10)' '{user:word}|{time:millis}'",
    })
public final class GenerateCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "GENERATOR",
      description = "NAME, or NAME:SEGMENT=SOURCE,...")
  private String generatorText;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "LAYOUT",
      description = "The layout of the rows; by default the generator's own layout.")
  private String layoutText;

  @Option(
      names = {"-c", "--count"},
      paramLabel = "N",
      defaultValue = "10",
      description = "How many keys; default: ${DEFAULT-VALUE}.")
  private long count;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "The seed of random choices; default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--list", description = "List the generators.")
  private boolean isList;

  public GenerateCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (isList) {
      list();
      return ExitCodes.OK;
    }
    if (generatorText == null || count < 1) {
      throw new CommandFailure(
          "Name a generator, and a --count of 1 or more. See: rowguard generate --list");
    }
    GeneratorText text = GeneratorText.parse(generatorText);
    RowkeyLayout layout = Generators.layout(text.generator(), layoutText);
    RowKeys keys = Generators.open(text, layout, count, seed);
    byte[] target = new byte[keys.maxLength()];
    for (long i = 0; i < count && !terminal.out().checkError(); i++) {
      int length = keys.write(i, target);
      terminal.out().println(SplitKeyText.of(Arrays.copyOf(target, length)));
    }
    return ExitCodes.OK;
  }

  private void list() {
    TextTable table = new TextTable("", "lll");
    for (RowKeyGenerator generator : Generators.all()) {
      String layout = generator.layout() == null ? "(any layout)" : generator.layout();
      table.row(generator.name(), generator.description(), "");
      table.row("", "  " + layout, "");
      if (!generator.options().isEmpty()) {
        table.row("", "  " + options(generator.options()), "");
      }
    }
    table.print(terminal);
  }

  private static String options(Map<String, String> options) {
    return options.entrySet().stream()
        .map(option -> option.getKey() + "=" + option.getValue())
        .collect(Collectors.joining(","));
  }
}
