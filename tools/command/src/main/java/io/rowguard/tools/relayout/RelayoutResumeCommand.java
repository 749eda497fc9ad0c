package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Lets the runs of a relayout go on. */
@Command(
    name = "resume",
    description = {
      "Let the runs go on that pause has told to wait.",
      "",
      "They notice within seconds. Exit code 1 says that not all regions have taken it: runs wait"
          + " as long as one region says that it is paused, so give it again."
    })
final class RelayoutResumeCommand extends StepCommand {
  RelayoutResumeCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  int carryOut(RelayoutSteps steps) throws IOException {
    StepOutcome.PauseOutcome outcome = steps.resume();
    report(outcome, report -> report.resume(outcome));
    return outcome.failures().isEmpty() ? ExitCodes.OK : ExitCodes.PROBLEMS;
  }
}
