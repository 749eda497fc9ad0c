package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.relayout.RelayoutArguments.ConsentOption;
import io.rowguard.tools.relayout.StepOutcome.FinishOutcome;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Ends a relayout. */
@Command(
    name = "finish",
    description = {
      "End a change of the layout, when no old row is left.",
      "",
      "Every region counts its old rows, and when there are none the table is altered to have its"
          + " new layout only. Exit code 1 says that old rows are left, or something else is in the"
          + " way, and that nothing was done."
    })
final class RelayoutFinishCommand extends StepCommand {
  @Mixin private ConsentOption consent;

  RelayoutFinishCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void prepare() {
    consent.require(
        terminal(),
        "When no old row is left, the table "
            + table()
            + " will be altered to have its new layout only; then there is no way back but another"
            + " relayout.");
  }

  @Override
  int carryOut(RelayoutSteps steps) throws IOException {
    FinishOutcome outcome = steps.finish();
    report(outcome, report -> report.finish(outcome));
    return outcome.isFinished() ? ExitCodes.OK : ExitCodes.PROBLEMS;
  }
}
