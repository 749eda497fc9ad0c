package io.rowguard.tools.doctor;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Looks at a live cluster. Names no class of HBase, so that it can be there without HBase. */
@Command(
    name = "doctor",
    description = {
      "Look at a live cluster, and name what is wrong with its guarded tables.",
      "",
      "It reads and changes nothing: wrong configuration, plugins that are missing, servers without"
          + " the jar or with another version, boundaries that cut groups, regions that no row can"
          + " reach or that cannot be split, rows that do not fit. Exit code 1 says that something"
          + " is wrong; notes do not count.",
      "",
      "Cost: four requests to the info port of each server, some 300 kB; three requests"
          + " to the master; for each table two reads of hbase:meta, and in up to --sample-regions"
          + " of its regions one scan for --sample rows, keys only, that does not fill the block cache;"
          + " two more for each region that is larger than it should be. Eight servers are asked at"
          + " a time, and one that does not answer is not asked again for rows."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowguard doctor                              all tables that are guarded",
      "  rowguard doctor orders events --sample 100",
      "  rowguard doctor --site /etc/hbase/conf/hbase-site.xml --timeout 30",
      "  rowguard doctor --ignore no_master_observer --json",
    })
public final class DoctorCommand implements Callable<Integer> {
  private static final int MOST_ROWS = 10_000;

  private final Terminal terminal;

  @Parameters(
      paramLabel = "TABLE",
      description = "Its name, with the namespace if any; default: all that are guarded.")
  private List<String> tables = List.of();

  @Mixin private ClusterOptions cluster;

  @Option(
      names = "--sample",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many rows of a region to look at, 0 for none; default: ${DEFAULT-VALUE}.")
  private int rowsPerRegion;

  @Option(
      names = "--sample-regions",
      paramLabel = "N",
      defaultValue = "200",
      description =
          "In how many regions of a table to look at rows, evenly spread; default:"
              + " ${DEFAULT-VALUE}.")
  private int mostRegions;

  @Option(
      names = "--ignore",
      paramLabel = "CODE",
      split = ",",
      description = "Leave out findings with this code.")
  private Set<String> ignored = new LinkedHashSet<>();

  @Option(names = "--json", description = "Print what was seen and found as JSON.")
  private boolean isJson;

  public DoctorCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (rowsPerRegion < 0 || rowsPerRegion > MOST_ROWS) {
      throw new CommandFailure("--sample is 0 to " + MOST_ROWS + ". found=" + rowsPerRegion);
    }
    if (mostRegions < 1) {
      throw new CommandFailure("--sample-regions is 1 or more. found=" + mostRegions);
    }
    for (String code : ignored) {
      if (!Finding.CODES.contains(code)) {
        throw new CommandFailure(
            "There is no such code to --ignore. found="
                + code
                + " codes="
                + String.join(",", Finding.CODES));
      }
    }
    Request request = new Request(tables, rowsPerRegion, mostRegions, ignored);
    return ClusterOptions.withHBase(() -> examine(request));
  }

  private int examine(Request request) {
    Diagnosis diagnosis = Visit.make(cluster, request);
    if (isJson) {
      terminal.line(DoctorJson.text(diagnosis));
    } else {
      new DoctorReport(terminal, diagnosis).print();
    }
    return diagnosis.isWell() ? ExitCodes.OK : ExitCodes.PROBLEMS;
  }
}
