package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.relayout.RelayoutArguments.RelayoutTarget;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;

/**
 * A command that carries out one step of a relayout. Names no class of HBase, as it loads without.
 */
abstract class StepCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private RelayoutTarget target;

  StepCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  final Terminal terminal() {
    return terminal;
  }

  final String table() {
    return target.table();
  }

  /** Looks at the arguments, and asks whether to go on, before anything is asked of the cluster. */
  void prepare() {}

  /**
   * Carries the step out and reports it.
   *
   * @return the exit code
   */
  abstract int carryOut(RelayoutSteps steps) throws IOException;

  @Override
  public final Integer call() {
    prepare();
    return ClusterOptions.withHBase(() -> RelayoutSession.of(target, terminal, this::carryOut));
  }

  /**
   * Prints the answer.
   *
   * @param text prints it for people
   */
  final void report(Object answer, Consumer<RelayoutReport> text) {
    RelayoutReport.print(terminal, target, answer, text);
  }
}
