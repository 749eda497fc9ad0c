package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.relayout.RelayoutArguments.ConsentOption;
import io.rowguard.tools.relayout.RelayoutArguments.PatienceOption;
import io.rowguard.tools.relayout.RelayoutArguments.PlanArguments;
import io.rowguard.tools.relayout.StepOutcome.StartOutcome;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
final class RelayoutStartCommand extends StepCommand {
  @Mixin private PatienceOption patience;
  @Mixin private PlanArguments arguments;
  @Mixin private ConsentOption consent;

  RelayoutStartCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void prepare() {
    consent.require(
        terminal(),
        "The table "
            + table()
            + " will be altered twice, its regions divided, and its rows moved to "
            + arguments.request(0).to()
            + ".");
  }

  @Override
  int carryOut(RelayoutSteps steps) throws IOException {
    StartOutcome outcome = steps.patient(patience.patience()).start(arguments.request(0));
    report(outcome, report -> report.start(outcome));
    return outcome.isStarted() ? ExitCodes.OK : ExitCodes.PROBLEMS;
  }
}
