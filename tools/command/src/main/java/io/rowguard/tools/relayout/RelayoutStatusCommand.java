package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.relayout.RelayoutArguments.RelayoutTarget;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

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
final class RelayoutStatusCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RelayoutTarget target;

  RelayoutStatusCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    return ClusterOptions.withHBase(
        () ->
            RelayoutSession.of(
                target,
                terminal,
                steps -> {
                  RelayoutStatus status = steps.status();
                  RelayoutReport.print(terminal, target, status, report -> report.status(status));
                  return status.odd().isEmpty() ? ExitCodes.OK : ExitCodes.PROBLEMS;
                }));
  }
}
