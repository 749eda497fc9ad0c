package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Takes a live table from one layout to another: the commands that do it. */
@Command(
    name = "relayout",
    synopsisSubcommandLabel = "STEP",
    commandListHeading = "%nSteps:%n",
    description = {
      "Change the layout of a live table, step by step.",
      "",
      "Another number of buckets, another salt, a salt for a table that has none, none for one that"
          + " has. The rows move within the table, while clients read and write. docs/relayout.md"
          + " says how, what it costs, and how to turn back."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowguard relayout plan orders --to '{salt:digits(2)=murmur3(user)%%64}-{user:word}'",
      "  rowguard relayout start orders --to '{salt:digits(2)=murmur3(user)%%64}-{user:word}'",
      "  rowguard relayout run orders",
      "  rowguard relayout status orders",
      "  rowguard relayout finish orders",
    })
public final class RelayoutCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private CommandSpec spec;

  private RelayoutCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  /** The command with its steps. */
  public static CommandLine commandLine(Terminal terminal) {
    return new CommandLine(new RelayoutCommand(terminal))
        .addSubcommand(new RelayoutPlanCommand(terminal))
        .addSubcommand(new RelayoutStartCommand(terminal))
        .addSubcommand(new RelayoutRunCommand(terminal))
        .addSubcommand(new RelayoutPauseCommand(terminal))
        .addSubcommand(new RelayoutResumeCommand(terminal))
        .addSubcommand(new RelayoutStatusCommand(terminal))
        .addSubcommand(new RelayoutFinishCommand(terminal))
        .addSubcommand(new RelayoutBackCommand(terminal));
  }

  /** Without a step there is nothing to do but to say which there are. */
  @Override
  public Integer call() {
    terminal.err().println(spec.commandLine().getUsageMessage());
    return ExitCodes.FAILED;
  }
}
