package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.relayout.RelayoutArguments.PlanArguments;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Says what a relayout would do. */
@Command(
    name = "plan",
    description = {
      "Say what a change of the layout would do, and what is in its way. It changes nothing.",
      "",
      "The rows that move are estimated from a sample. Exit code 1 says that something is in the way."
    })
final class RelayoutPlanCommand extends StepCommand {
  @Mixin private PlanArguments arguments;

  @Option(
      names = "--rows-per-second",
      paramLabel = "N",
      description = "How fast rows will move, for the estimated time; it limits nothing.")
  private Double rowsPerSecond;

  RelayoutPlanCommand(Terminal terminal) {
    super(terminal);
  }

  @Override
  void prepare() {
    request(); // says what is wrong with it
  }

  private PlanRequest request() {
    return arguments.request(RelayoutArguments.rowsPerSecond(rowsPerSecond));
  }

  @Override
  int carryOut(RelayoutSteps steps) throws IOException {
    PlanRequest request = request();
    RelayoutPlan plan = steps.plan(request);
    report(plan, report -> report.plan(plan, request.regions()));
    return plan.isClear() ? ExitCodes.OK : ExitCodes.PROBLEMS;
  }
}
