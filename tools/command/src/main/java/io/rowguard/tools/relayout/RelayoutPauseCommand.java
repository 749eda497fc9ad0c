package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Has the runs of a relayout wait. */
@Command(
    name = "pause",
    description = {
      "Have every run that moves rows of the table wait, wherever it was started, until resume.",
      "",
      "It works within seconds, and in the middle of a run of MapReduce too; runs that are started"
          + " later wait as well, and say so. Writes go on taking their rows along: without that"
          + " they could not be carried out. No region is reopened.",
      "",
      "The regions keep it in memory. One that opens anew, as after a move or when its server has"
          + " died, has forgotten it; runs wait as long as one region of the table knows it still."
          + " The steps back and finish end it.",
      "",
      "Exit code 1 says that not all regions know it."
    })
final class RelayoutPauseCommand extends StepCommand {
  RelayoutPauseCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  int carryOut(RelayoutSteps steps) throws IOException {
    StepOutcome.PauseOutcome outcome = steps.pause();
    report(outcome, report -> report.pause(outcome));
    return outcome.failures().isEmpty() ? ExitCodes.OK : ExitCodes.PROBLEMS;
  }
}
