package io.rowguard.tools.adopt;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.cluster.TableNames;
import io.rowguard.tools.keys.KeyFile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Knows the tables of other systems, and prints what guards them. */
@Command(
    name = "adopt",
    description = {
      "Guard a table that another system writes.",
      "",
      "Looks at some rows of the TABLE, finds the kind of table and its numbers (buckets, widths)"
          + " among those that the SYSTEM has, and prints the `alter` that guards it. It changes"
          + " nothing. Without a TABLE it shows the kinds. Exit code 1 says that rows do not fit, or"
          + " that nothing of the table can be guarded."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowguard adopt --list",
      "  rowguard adopt opentsdb",
      "  rowguard adopt opentsdb tsdb",
      "  rowguard adopt geomesa gdelt_z3_geom_dtg_v7 --set shards=4",
      "  rowguard adopt hbasewd events --rows some.keys",
    })
public final class AdoptCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(index = "0", arity = "0..1", paramLabel = "SYSTEM", description = "As --list has it.")
  private String systemName;

  @Parameters(index = "1", arity = "0..1", paramLabel = "TABLE", description = "A live table.")
  private String tableName;

  @Option(names = "--list", description = "List the systems, their tables, and what is guarded.")
  private boolean isList;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "The kind of table; default: the one that the name and the rows fit.")
  private String kind;

  @Option(
      names = "--set",
      paramLabel = "NAME=NUMBER",
      description = "A number that the system is configured with; default: what the rows fit.")
  private Map<String, Integer> given = new LinkedHashMap<>();

  @Option(
      names = "--rows",
      paramLabel = "FILE",
      description =
          "Look at these rows instead of the live table: one per line, - for standard input.")
  private String rowsFile;

  @Mixin private ClusterOptions cluster;

  public AdoptCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    AdoptReport report = new AdoptReport(terminal);
    if (isList) {
      report.list(KnownSystem.all());
      return ExitCodes.OK;
    }
    if (systemName == null) {
      throw new CommandFailure("Name a system, or see which there are: --list.");
    }
    KnownSystem system = KnownSystem.of(systemName);
    if (tableName == null) {
      if (rowsFile != null || kind != null || !given.isEmpty()) {
        throw new CommandFailure("--rows, --kind and --set are about a table: name it, too.");
      }
      report.system(system);
      return ExitCodes.OK;
    }
    List<KnownTable> kinds = kinds(system);
    requireKnown(kinds);
    List<KnownTable> judged =
        kinds.stream()
            .filter(KnownTable::hasLayout)
            .filter(table -> table.usual().keySet().containsAll(given.keySet()))
            .toList();
    if (judged.isEmpty()) {
      report.nothing(system, kinds.get(0));
      return ExitCodes.PROBLEMS;
    }
    if (rowsFile != null) {
      return adopt(report, system, judged, KeyFile.readAll(rowsFile, terminal.in()));
    }
    return ClusterOptions.withHBase(
        () -> {
          try (Cluster connected = Cluster.connect(cluster)) {
            List<byte[]> rows = TableSample.of(connected, TableNames.parse(tableName));
            return adopt(report, system, judged, rows);
          }
        });
  }

  private int adopt(
      AdoptReport report, KnownSystem system, List<KnownTable> kinds, List<byte[]> rows) {
    if (rows.isEmpty()) {
      terminal.note("There are no rows to look at: the first kind is shown, its usual numbers.");
    }
    Adoption adoption = Adoption.of(kinds, given, rows);
    report.table(system, tableName, adoption);
    return adoption.bad().isEmpty() ? ExitCodes.OK : ExitCodes.PROBLEMS;
  }

  /** The kinds that come into question: the one given, those of the table's name, or all. */
  private List<KnownTable> kinds(KnownSystem system) {
    if (kind != null) {
      return List.of(system.table(kind));
    }
    List<KnownTable> named =
        system.tables().stream().filter(table -> table.isNamed(tableName)).toList();
    List<KnownTable> others =
        system.tables().stream().filter(table -> table.names().isEmpty()).toList();
    List<KnownTable> fitting = named.isEmpty() ? others : named;
    return fitting.isEmpty() ? system.tables() : fitting;
  }

  private void requireKnown(List<KnownTable> kinds) {
    for (Map.Entry<String, Integer> each : given.entrySet()) {
      List<KnownNumber> numbers =
          kinds.stream()
              .flatMap(table -> table.numbers().stream())
              .filter(number -> number.name().equals(each.getKey()))
              .toList();
      boolean fits =
          numbers.stream()
              .anyMatch(
                  number -> each.getValue() >= number.least() && each.getValue() <= number.most());
      if (!fits) {
        throw new CommandFailure(
            numbers.isEmpty()
                ? "These tables have no such number. set=" + each.getKey()
                : each.getKey()
                    + " is "
                    + numbers.get(0).least()
                    + " to "
                    + numbers.get(0).most()
                    + ". set="
                    + each.getKey()
                    + "="
                    + each.getValue());
      }
    }
  }
}
