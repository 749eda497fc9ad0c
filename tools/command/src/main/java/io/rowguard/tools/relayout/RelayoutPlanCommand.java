package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.relayout.RelayoutArguments.PlanArguments;
import io.rowguard.tools.relayout.RelayoutArguments.RelayoutTarget;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Says what a relayout would do. */
@Command(
    name = "plan",
    description = {
      "Say what a change of the layout would do, and what is in its way. It changes nothing.",
      "",
      "The rows that move are estimated from a sample. Exit code 1 says that something is in the way."
    })
final class RelayoutPlanCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RelayoutTarget target;
  @Mixin private PlanArguments arguments;

  RelayoutPlanCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    PlanRequest request = arguments.request();
    return ClusterOptions.withHBase(
        () ->
            RelayoutSession.of(
                target,
                terminal,
                steps -> {
                  RelayoutPlan plan = steps.plan(request);
                  RelayoutReport.print(
                      terminal, target, plan, report -> report.plan(plan, request.regions()));
                  return plan.isClear() ? ExitCodes.OK : ExitCodes.PROBLEMS;
                }));
  }
}
