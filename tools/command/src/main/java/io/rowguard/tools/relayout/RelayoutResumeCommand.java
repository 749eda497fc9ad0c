package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.relayout.RelayoutArguments.RelayoutTarget;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Lets the runs of a relayout go on. */
@Command(
    name = "resume",
    description = {
      "Let the runs go on that pause has told to wait.",
      "",
      "They notice within seconds. Exit code 1 says that not all regions have taken it: runs wait"
          + " as long as one region says that it is paused, so give it again."
    })
final class RelayoutResumeCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RelayoutTarget target;

  RelayoutResumeCommand(Terminal terminal) {
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
                  StepOutcome.PauseOutcome outcome = steps.resume();
                  RelayoutReport.print(terminal, target, outcome, report -> report.resume(outcome));
                  return outcome.failures().isEmpty() ? ExitCodes.OK : ExitCodes.PROBLEMS;
                }));
  }
}
