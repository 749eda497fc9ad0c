package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.relayout.RelayoutArguments.ConsentOption;
import io.rowguard.tools.relayout.RelayoutArguments.PatienceOption;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Turns a relayout. */
@Command(
    name = "back",
    description = {
      "Turn a change of the layout back, at any time before its finish.",
      "",
      "While nothing has moved, it is given up: one alter. Else the two layouts change places, and"
          + " what has moved moves back, with run and finish as before. For that regions that rows"
          + " have left are compacted, before and after, and a key cannot be written while its two"
          + " regions reopen, one after the other, in between: clients wait and try again."
    })
final class RelayoutBackCommand extends StepCommand {
  @Mixin private PatienceOption patience;
  @Mixin private ConsentOption consent;

  RelayoutBackCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void prepare() {
    consent.require(
        terminal(),
        "The relayout of "
            + table()
            + " will be turned back. If rows have moved, the regions that they left are"
            + " compacted, before and after, and keys cannot be written while their regions reopen.");
  }

  @Override
  int carryOut(RelayoutSteps steps) throws IOException {
    boolean isOver = steps.patient(patience.patience()).back();
    RelayoutStatus status = steps.status();
    report(status, report -> report.back(isOver, status));
    return ExitCodes.OK;
  }
}
