package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.Consent;
import io.rowguard.tools.cli.DurationText;
import io.rowguard.tools.cli.LayoutArguments;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.cluster.TableArgument;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.time.Duration;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The arguments that several steps of a relayout share. */
final class RelayoutArguments {
  private RelayoutArguments() {}

  /** The arguments of every step: the table, the cluster, the form of the answer. */
  static final class RelayoutTarget {
    @Mixin private TableArgument table;

    @Option(names = "--json", description = "Print the answer as JSON.")
    private boolean isJson;

    @Mixin private ClusterOptions cluster;

    /** For picocli. */
    RelayoutTarget() {}

    String table() {
      return table.name();
    }

    boolean isJson() {
      return isJson;
    }

    ClusterOptions cluster() {
      return cluster;
    }
  }

  /** The option that agrees to an alter of the table beforehand. */
  static final class ConsentOption {
    @Option(names = "--yes", description = "Do not ask before the table is altered.")
    private boolean isAgreed;

    /** For picocli. */
    ConsentOption() {}

    /**
     * Returns if the step is agreed to.
     *
     * @param what will be done, in sentences
     * @throws CommandFailure otherwise
     */
    void require(Terminal terminal, String what) {
      Consent.require(terminal, what, isAgreed);
    }
  }

  /** The patience of a step that waits for the cluster. */
  static final class PatienceOption {
    @Option(
        names = "--patience",
        paramLabel = "TIME",
        defaultValue = "10m",
        converter = DurationText.class,
        description =
            "How long to wait without progress (a server is down, a region is not open, no"
                + " compaction advances): 90s, 10m, 2h; default: ${DEFAULT-VALUE}.")
    private Duration patience;

    /** For picocli. */
    PatienceOption() {}

    Duration patience() {
      return patience;
    }
  }

  /** A number of rows per second; 0 where none is given. */
  static double rowsPerSecond(Double given) {
    if (given != null && !(given > 0)) {
      throw new CommandFailure("--rows-per-second is more than 0. found=" + given);
    }
    return given == null ? 0 : given;
  }

  /** The arguments of plan and start. */
  static final class PlanArguments {
    private static final int MOST_ROWS = 100_000;

    @Option(
        names = "--to",
        paramLabel = "LAYOUT",
        required = true,
        description = "The layout that the rows are to get, in single quotes.")
    private String to;

    @Option(
        names = {"-n", "--regions"},
        paramLabel = "N",
        description =
            "Divide the new layout into so many regions; 1 makes none. Default: as many as have"
                + " rows now, and two for each server at least.")
    private Integer regions;

    @Option(
        names = "--sample",
        paramLabel = "N",
        defaultValue = "1000",
        description = "How many rows of a region to look at; default: ${DEFAULT-VALUE}.")
    private int sampleRows;

    @Option(
        names = "--sample-regions",
        paramLabel = "N",
        defaultValue = "50",
        description = "Into how many regions to look, evenly spread; default: ${DEFAULT-VALUE}.")
    private int sampleRegions;

    @Option(
        names = "--threads",
        paramLabel = "N",
        defaultValue = "8",
        description =
            "How many regions to read at a time where all keys are read; default:"
                + " ${DEFAULT-VALUE}.")
    private int threads;

    /** For picocli. */
    PlanArguments() {}

    /**
     * What is asked for.
     *
     * @param rowsPerSecond how fast rows are taken to move; 0: as is usual
     */
    PlanRequest request(double rowsPerSecond) {
      if (sampleRows < 1 || sampleRows > MOST_ROWS) {
        throw new CommandFailure("--sample is 1 to " + MOST_ROWS + ". found=" + sampleRows);
      }
      if (sampleRegions < 1) {
        throw new CommandFailure("--sample-regions is 1 or more. found=" + sampleRegions);
      }
      if (regions != null && regions < 1) {
        throw new CommandFailure("--regions is 1 or more. found=" + regions);
      }
      if (threads < 1) {
        throw new CommandFailure("--threads is 1 or more. found=" + threads);
      }
      return new PlanRequest(
          LayoutArguments.parse(to),
          regions == null ? 0 : regions,
          rowsPerSecond,
          sampleRegions,
          sampleRows,
          threads);
    }
  }
}
