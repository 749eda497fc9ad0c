package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.Consent;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.relayout.RelayoutArguments.PatienceOption;
import io.rowguard.tools.relayout.RelayoutArguments.PlanArguments;
import io.rowguard.tools.relayout.RelayoutArguments.RelayoutTarget;
import io.rowguard.tools.relayout.StepOutcome.StartOutcome;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Begins a relayout. */
@Command(
    name = "start",
    description = {
      "Begin to change the layout.",
      "",
      "It plans, and if nothing is in the way declares both layouts, makes regions for the new"
          + " rows, and lets rows move. From then on each write takes its row along; the rest moves"
          + " with: rowguard relayout run. A start that was interrupted goes on when it is given"
          + " again.",
      "",
      "Exit code 1 says that something is in the way, and that nothing was done."
    })
final class RelayoutStartCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RelayoutTarget target;
  @Mixin private PatienceOption patience;
  @Mixin private PlanArguments arguments;

  @Option(names = "--yes", description = "Do not ask before the table is altered.")
  private boolean isAgreed;

  RelayoutStartCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    PlanRequest request = arguments.request();
    Consent.require(
        terminal,
        "The table "
            + target.table()
            + " will be altered twice, its regions divided, and its rows moved to "
            + request.to()
            + ".",
        isAgreed);
    return ClusterOptions.withHBase(
        () ->
            RelayoutSession.of(
                target,
                terminal,
                steps -> {
                  StartOutcome outcome = steps.patient(patience.patience()).start(request);
                  RelayoutReport.print(terminal, target, outcome, report -> report.start(outcome));
                  return outcome.isStarted() ? ExitCodes.OK : ExitCodes.PROBLEMS;
                }));
  }
}
