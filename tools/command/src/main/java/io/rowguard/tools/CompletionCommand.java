package io.rowguard.tools;

import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints what makes a shell complete rowguard's commands and options. */
@Command(
    name = "completion",
    description = "Print a script that completes commands and options in bash and zsh.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  source <(rowguard completion)                 this shell, until it ends",
      "  rowguard completion > ~/.local/share/bash-completion/completions/rowguard",
      "                                                every bash from now on",
      "  autoload -U +X bashcompinit && bashcompinit   first, once, in zsh",
    })
final class CompletionCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Spec private CommandSpec spec;

  CompletionCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    terminal.out().print(AutoComplete.bash("rowguard", spec.root().commandLine()));
    return ExitCodes.OK;
  }
}
