package io.rowguard.tools;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A session with the rowguard command, as text: {@code $} and a command line, then what it printed.
 * Lines of standard error begin with {@code !}; an exit code other than 0 stands in brackets. Lines
 * with {@code #} before the first command are remarks.
 *
 * <pre>
 * $ rowguard explain '{id:hex(4)}' 12
 * ...
 * [exit 1]
 * $ cat > some.keys &lt;&lt;END
 * 1234
 * END
 * </pre>
 */
final class Transcript {
  private static final String PROMPT = "$ ";
  private static final String HERE = " <<END";
  private static final String CONTINUED = " \\";

  private Transcript() {}

  /** The same commands with what they print now. */
  static String rerun(String text, Shell shell) throws IOException {
    StringBuilder actual = new StringBuilder();
    List<String> lines = text.lines().toList();
    boolean isBeforeCommands = true;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith(PROMPT)) {
        isBeforeCommands = false;
        int last = lastLine(lines, i);
        if (line.endsWith(HERE)) {
          while (!lines.get(last).equals("END")) {
            last++;
          }
          String content = String.join("\n", lines.subList(i + 1, last)) + "\n";
          shell.write(line.substring((PROMPT + "cat > ").length(), line.indexOf(HERE)), content);
          append(actual, lines.subList(i, last + 1));
        } else {
          append(actual, lines.subList(i, last + 1));
          append(actual, run(shell, joined(lines.subList(i, last + 1)), actual));
        }
        i = last;
      } else if (isBeforeCommands) {
        actual.append(line).append('\n');
      }
    }
    return actual.toString();
  }

  /**
   * The same, up to ten times more until it prints what is expected: for commands that depend on
   * another writer.
   *
   * @param masked what of a session is compared
   * @param once to take it as it comes
   */
  static String rerunUntil(String expected, Shell shell, UnaryOperator<String> masked, boolean once)
      throws IOException {
    String actual = rerun(expected, shell);
    for (int i = 0; i < 10 && !once && !masked.apply(expected).equals(masked.apply(actual)); i++) {
      actual = rerun(expected, shell);
    }
    return actual;
  }

  /** Runs a command line; a failure to read or write says what went before. */
  private static CommandResult run(Shell shell, String commandLine, CharSequence before)
      throws IOException {
    try {
      return shell.run(commandLine);
    } catch (IOException e) {
      throw new IOException("In the session:\n" + before, e);
    }
  }

  /** The command lines of a session, without files that are typed in. */
  static List<String> commands(String text) {
    List<String> commands = new ArrayList<>();
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith(PROMPT) && !lines.get(i).endsWith(HERE)) {
        int last = lastLine(lines, i);
        commands.add(joined(lines.subList(i, last + 1)));
        i = last;
      }
    }
    return commands;
  }

  /** The index of the last line of a command that begins at another. */
  private static int lastLine(List<String> lines, int first) {
    int last = first;
    while (lines.get(last).endsWith(CONTINUED)) {
      last++;
    }
    return last;
  }

  /** One command line, without its prompt and its breaks. */
  private static String joined(List<String> lines) {
    StringBuilder command = new StringBuilder();
    for (String line : lines) {
      String text = line.startsWith(PROMPT) ? line.substring(PROMPT.length()) : line.strip();
      boolean goesOn = text.endsWith(CONTINUED);
      command.append(goesOn ? text.substring(0, text.length() - 1) : text);
    }
    return command.toString();
  }

  private static void append(StringBuilder text, List<String> lines) {
    lines.forEach(line -> text.append(line).append('\n'));
  }

  private static void append(StringBuilder text, CommandResult result) {
    append(text, result.out().lines().toList());
    append(text, result.err().lines().map(line -> ("! " + line).stripTrailing()).toList());
    if (result.exitCode() != 0) {
      text.append("[exit ").append(result.exitCode()).append("]\n");
    }
  }
}
