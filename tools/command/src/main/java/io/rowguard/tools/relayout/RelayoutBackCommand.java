package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.Consent;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.relayout.RelayoutArguments.PatienceOption;
import io.rowguard.tools.relayout.RelayoutArguments.RelayoutTarget;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Turns a relayout. */
@Command(
    name = "back",
    description = {
      "Turn a change of the layout back, at any time before its finish.",
      "",
      "While nothing has moved, it is given up: one alter. Else the two layouts change places, and"
          + " what has moved moves back, with run and finish as before. For that the table is"
          + " compacted twice, and a key cannot be written while its two regions reopen, one after"
          + " the other, between the compactions: clients wait and try again."
    })
final class RelayoutBackCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RelayoutTarget target;
  @Mixin private PatienceOption patience;

  @Option(names = "--yes", description = "Do not ask before the table is altered.")
  private boolean isAgreed;

  RelayoutBackCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Consent.require(
        terminal,
        "The relayout of "
            + target.table()
            + " will be turned back. If rows have moved, all of the table is compacted twice, and"
            + " keys cannot be written while their regions reopen.",
        isAgreed);
    return ClusterOptions.withHBase(
        () ->
            RelayoutSession.of(
                target,
                terminal,
                steps -> {
                  boolean isOver = steps.patient(patience.patience()).back();
                  RelayoutStatus status = steps.status();
                  RelayoutReport.print(
                      terminal, target, status, report -> report.back(isOver, status));
                  return ExitCodes.OK;
                }));
  }
}
