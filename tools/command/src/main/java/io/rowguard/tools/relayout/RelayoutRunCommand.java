package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.PercentText;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.relayout.RelayoutArguments.PatienceOption;
import io.rowguard.tools.relayout.RelayoutArguments.RelayoutTarget;
import io.rowguard.tools.relayout.StepOutcome.MoveOutcome;
import io.rowguard.tools.relayout.StepRequest.MoveRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Moves the rows of a relayout. */
@Command(
    name = "run",
    description = {
      "Move the rows that no write has taken along yet.",
      "",
      "It reads the keys of all regions that can have old rows, and has the servers pull each of"
          + " these to its new place. It may be stopped (Ctrl-C), killed, and given again as often"
          + " as you like, also twice at once. While servers are down, or the relayout is paused,"
          + " it waits, and says so. On a terminal a bar shows how far the table is, elsewhere a"
          + " line every minute.",
      "",
      "It slows down where servers say that they are busy, and so that reads by others become no"
          + " slower than --slowdown allows. For that it reads some twenty rows of the table in a"
          + " second, while rows move and in rests of half a second between, and compares how long"
          + " nine of ten such reads take at most.",
      "",
      "Exit code 1 says that rows could not be moved, 130 that Ctrl-C stopped it, 143 that kill did."
    })
final class RelayoutRunCommand implements Callable<Integer> {
  /** Protects the clients of whoever has not thought of it, and can be measured within seconds. */
  private static final double USUAL_SLOWDOWN = 0.2;

  private final Terminal terminal;

  @Mixin private RelayoutTarget target;
  @Mixin private PatienceOption patience;

  @Option(
      names = "--threads",
      paramLabel = "N",
      defaultValue = "8",
      description = "How many regions are moved at a time; default: ${DEFAULT-VALUE}.")
  private int threads;

  @Option(
      names = "--rows-per-second",
      paramLabel = "N",
      description = "Move no more rows in a second; default: no limit but that of --slowdown.")
  private Double rowsPerSecond;

  @Option(
      names = "--slowdown",
      paramLabel = "PERCENT",
      converter = PercentText.class,
      description =
          "How much slower reads may become: 20%%, 100%%; none for as fast as it goes. Default:"
              + " 20%%; with --mapreduce, whose mappers do not know of each other, none.")
  private Double slowdown;

  @Option(
      names = "--mapreduce",
      description =
          "Do it as a MapReduce job with one mapper per region: in this process, or on YARN where"
              + " mapreduce.framework.name=yarn is configured.")
  private boolean isMapReduce;

  @Option(
      names = "--temp-dir",
      paramLabel = "DIR",
      description =
          "With --mapreduce: where the job has its files meanwhile. Default: this machine's, or"
              + " YARN's /tmp.")
  private String temporaryDirectory;

  /** The steps before and after have it, and people give it here as well. */
  @Option(names = "--yes", description = "As with the other steps; this one never asks.")
  @SuppressWarnings("unused")
  private boolean isAgreed;

  RelayoutRunCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    if (threads < 1) {
      throw new CommandFailure("--threads is 1 or more. found=" + threads);
    }
    if (temporaryDirectory != null && !isMapReduce) {
      throw new CommandFailure("--temp-dir is for --mapreduce.");
    }
    if (slowdown != null && slowdown > 0 && isMapReduce) {
      throw new CommandFailure(
          "--slowdown is for a run in one process: the mappers of --mapreduce do not know of each"
              + " other. Leave out one of the two; --rows-per-second limits both.");
    }
    double allowed = slowdown != null ? slowdown : isMapReduce ? 0 : USUAL_SLOWDOWN;
    MoveRequest request =
        new MoveRequest(threads, RelayoutArguments.rowsPerSecond(rowsPerSecond), allowed);
    return ClusterOptions.withHBase(
        () -> {
          MoveOutcome outcome;
          if (isMapReduce) {
            outcome =
                RelayoutSession.runAsJobs(
                    target, terminal, request, patience.patience(), temporaryDirectory);
            print(outcome);
          } else {
            outcome =
                RelayoutSession.run(target, terminal, request, patience.patience(), this::print);
          }
          if (outcome.isInterrupted()) {
            return RelayoutSession.INTERRUPTED;
          }
          return outcome.isDone() ? ExitCodes.OK : ExitCodes.PROBLEMS;
        });
  }

  private void print(MoveOutcome outcome) {
    RelayoutReport.print(terminal, target, outcome, report -> report.run(outcome));
  }
}
