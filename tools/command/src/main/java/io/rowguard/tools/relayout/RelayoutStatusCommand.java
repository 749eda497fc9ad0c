package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Says how far a relayout is. */
@Command(
    name = "status",
    description = {
      "Say how far a change of the layout is. It changes nothing.",
      "",
      "Every region counts its old rows, up to a thousand at once and the rest by and by, for a"
          + " second with each status and all along a run. How many rows have moved is since the"
          + " regions opened: one that moves, or whose server dies, begins anew.",
      "",
      "Exit code 1 says that something is as it" + " ought not to be, or not for long."
    })
final class RelayoutStatusCommand extends StepCommand {
  RelayoutStatusCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  int carryOut(RelayoutSteps steps) throws IOException {
    RelayoutStatus status = steps.status();
    report(status, report -> report.status(status));
    return status.odd().isEmpty() ? ExitCodes.OK : ExitCodes.PROBLEMS;
  }
}
