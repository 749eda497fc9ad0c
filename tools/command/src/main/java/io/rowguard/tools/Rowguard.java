package io.rowguard.tools;

import io.rowguard.layout.FailureText;
import io.rowguard.tools.adopt.AdoptCommand;
import io.rowguard.tools.audit.AuditCommand;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.StandaloneSite;
import io.rowguard.tools.digest.DigestCommand;
import io.rowguard.tools.doctor.DoctorCommand;
import io.rowguard.tools.explain.ExplainCommand;
import io.rowguard.tools.heatmap.HeatmapCommand;
import io.rowguard.tools.hot.HotCommand;
import io.rowguard.tools.keys.GenerateCommand;
import io.rowguard.tools.merge.MergeCommand;
import io.rowguard.tools.presplit.PresplitCommand;
import io.rowguard.tools.relayout.RelayoutCommand;
import io.rowguard.tools.simulate.SimulateCommand;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code rowguard} command itself: its subcommands, and how all of them fail. */
@Command(
    name = "rowguard",
    mixinStandardHelpOptions = true,
    versionProvider = RowguardVersion.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND",
    descriptionHeading = "%n",
    parameterListHeading = "%n",
    optionListHeading = "%n",
    commandListHeading = "%n",
    description = "Plans the rowkeys of HBase tables and judges those that exist.")
public final class Rowguard implements Callable<Integer> {
  private static final String DEBUG = "--debug";

  private final Terminal terminal;

  @Spec private CommandSpec spec;

  @Option(
      names = DEBUG,
      scope = ScopeType.INHERIT,
      description = "Show the stack trace of a failure.")
  private boolean isDebugging;

  private Rowguard(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    Terminal terminal = Terminal.ofProcess();
    if (!List.of(args).contains(DEBUG)) {
      keepLibrariesQuiet(terminal);
    }
    System.exit(run(terminal, args));
  }

  /**
   * Takes {@link System#err} away from libraries: the command says what failed in one line, by the
   * terminal's own stream, and HBase 2's client prints the stack trace of a failed scan, whatever
   * its log's level is. A thread that fails without a caller still says so, in one line.
   */
  private static void keepLibrariesQuiet(Terminal terminal) {
    System.setErr(new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8));
    Thread.setDefaultUncaughtExceptionHandler(
        (thread, e) ->
            terminal.note(
                "A thread failed. thread=" + thread.getName() + " why=" + FailureText.of(e)));
  }

  /** Runs a command on a terminal; answers its exit code. */
  public static int run(Terminal terminal, String... args) {
    int exitCode;
    try {
      exitCode = new Rowguard(terminal).commandLine().execute(args);
    } catch (OutOfMemoryError e) {
      terminal.note("The memory does not suffice. Give more: ROWGUARD_JAVA_OPTS=-Xmx4g");
      exitCode = ExitCodes.FAILED;
    } catch (Error e) { // else the JVM would end with the code for problems found
      terminal.note(
          "The command cannot go on. why=\""
              + FailureText.of(e)
              + "\". Is HBASE_HOME an HBase of another version than 2.5, 2.6 and 3.0?");
      exitCode = ExitCodes.FAILED;
    }
    if (terminal.out().checkError()) {
      // A pipe that was closed, a disk that is full: the answer did not arrive.
      terminal.note("Standard output was closed, or cannot be written.");
      exitCode = ExitCodes.FAILED;
    }
    terminal.err().flush();
    return exitCode;
  }

  private CommandLine commandLine() {
    CommandLine rowguard =
        new CommandLine(this)
            .addSubcommand(new ExplainCommand(terminal))
            .addSubcommand(new PresplitCommand(terminal))
            .addSubcommand(new SimulateCommand(terminal))
            .addSubcommand(new GenerateCommand(terminal))
            .addSubcommand(new DoctorCommand(terminal))
            .addSubcommand(new HeatmapCommand(terminal))
            .addSubcommand(new HotCommand(terminal))
            .addSubcommand(new AuditCommand(terminal))
            .addSubcommand(new DigestCommand(terminal))
            .addSubcommand(new AdoptCommand(terminal))
            .addSubcommand(new MergeCommand(terminal))
            .addSubcommand(RelayoutCommand.commandLine(terminal))
            .addSubcommand(new CompletionCommand(terminal));
    Ansi ansi = terminal.isColored() ? Ansi.ON : Ansi.OFF;
    return rowguard
        .setOut(terminal.out())
        .setErr(terminal.err())
        .setColorScheme(CommandLine.Help.defaultColorScheme(ansi))
        .setUsageHelpWidth(Math.min(terminal.columns(), 100))
        // A key such as @rowguard/layout is no file of arguments.
        .setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setExecutionStrategy(this::execute)
        .setParameterExceptionHandler(this::misused)
        .setExecutionExceptionHandler(this::failed);
  }

  /** Without a command there is nothing to do but to say which there are. */
  @Override
  public Integer call() {
    terminal.err().println(spec.commandLine().getUsageMessage());
    return ExitCodes.FAILED;
  }

  private int execute(ParseResult parsed) {
    StandaloneSite.takeWhereNoneIsNamed(
        parsed, System.getProperty(StandaloneSite.RUNNING), terminal);
    return new RunLast().execute(parsed);
  }

  private int misused(ParameterException e, String[] args) {
    PrintWriter err = terminal.err();
    err.println("rowguard: " + oneLine(e.getMessage()));
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    if (e instanceof CommandLine.UnmatchedArgumentException unmatched
        && unmatched.isUnknownOption()) {
      err.println("A key that begins with - goes after --, which ends the options.");
    }
    err.println("Try: " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
    return ExitCodes.FAILED;
  }

  private int failed(Exception e, CommandLine command, ParseResult parsed) {
    PrintWriter err = terminal.err();
    terminal.out().flush();
    String message = e.getMessage() == null ? FailureText.of(e) : e.getMessage();
    err.println("rowguard: " + oneLine(message));
    if (isDebugging) {
      e.printStackTrace(err);
    }
    return ExitCodes.FAILED;
  }

  private static String oneLine(String message) {
    return message.strip().replaceAll("\\s*\\R\\s*", " ");
  }
}
