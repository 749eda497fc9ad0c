package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.Consent;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.relayout.RelayoutArguments.RelayoutTarget;
import io.rowguard.tools.relayout.StepOutcome.FinishOutcome;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
final class RelayoutFinishCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RelayoutTarget target;

  @Option(names = "--yes", description = "Do not ask before the table is altered.")
  private boolean isAgreed;

  RelayoutFinishCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    Consent.require(
        terminal,
        "When no old row is left, the table "
            + target.table()
            + " will be altered to have its new layout only; then there is no way back but another"
            + " relayout.",
        isAgreed);
    return ClusterOptions.withHBase(
        () ->
            RelayoutSession.of(
                target,
                terminal,
                steps -> {
                  FinishOutcome outcome = steps.finish();
                  RelayoutReport.print(terminal, target, outcome, report -> report.finish(outcome));
                  return outcome.isFinished() ? ExitCodes.OK : ExitCodes.PROBLEMS;
                }));
  }
}
