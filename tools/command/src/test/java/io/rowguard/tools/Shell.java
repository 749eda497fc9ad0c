package io.rowguard.tools;

import io.rowguard.tools.cli.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Runs command lines as a shell would, in this JVM: {@code rowguard}, {@code cat}, {@code head -N}
 * and {@code grep TEXT}, quotes, a backslash, {@code |} and {@code > FILE}. File names without a
 * directory lie in one of its own.
 */
final class Shell {
  private static final Pattern FILE_NAME =
      Pattern.compile("[a-z0-9-]+\\.(splits|keys|weights|html|txt|json|xml)(\\.gz)?");

  private static final Set<String> CLUSTER_COMMANDS =
      Set.of("doctor", "heatmap", "hot", "digest", "merge", "relayout");

  private final Path directory;
  private final List<String> clusterArguments;

  Shell(Path directory) {
    this(directory, List.of());
  }

  /**
   * @param clusterArguments arguments for every command that talks to a cluster, without being
   *     shown
   */
  Shell(Path directory, List<String> clusterArguments) {
    this.directory = directory;
    this.clusterArguments = clusterArguments;
  }

  /** A word of a command line; quoted ones are never operators. */
  private record Word(String text, boolean isQuoted) {
    boolean is(String operator) {
      return !isQuoted && text.equals(operator);
    }
  }

  CommandResult run(String commandLine) throws IOException {
    String input = "";
    StringBuilder errors = new StringBuilder();
    int exitCode = 0;
    List<Word> words = new ArrayList<>(words(commandLine));
    words.add(new Word("|", false));
    List<String> command = new ArrayList<>();
    Path redirect = null;
    for (int i = 0; i < words.size(); i++) {
      if (words.get(i).is("|")) {
        CommandResult result = runOne(command, input);
        exitCode = result.exitCode();
        input = result.out();
        errors.append(result.err());
        command.clear();
      } else if (words.get(i).is(">")) {
        redirect = directory.resolve(words.get(++i).text);
      } else {
        command.add(words.get(i).text);
      }
    }
    if (redirect != null) {
      Files.writeString(redirect, input);
      input = "";
    }
    return new CommandResult(exitCode, shown(input), shown(errors.toString()));
  }

  /** Makes a file, as {@code cat > FILE <<END} does. */
  void write(String file, String text) throws IOException {
    Files.writeString(directory.resolve(file), text);
  }

  private CommandResult runOne(List<String> command, String input) throws IOException {
    String name = command.get(0);
    String[] args =
        command.stream()
            .skip(1)
            .map(arg -> FILE_NAME.matcher(arg).matches() ? directory.resolve(arg).toString() : arg)
            .toArray(String[]::new);
    switch (name) {
      case "rowguard":
        return rowguard(args, input);
      case "cat":
        StringBuilder text = new StringBuilder();
        for (String file : args) {
          text.append(Files.readString(Path.of(file)));
        }
        return new CommandResult(0, text.toString(), "");
      case "head":
        return filtered(input.lines().limit(-Long.parseLong(args[0])));
      case "grep":
        return filtered(input.lines().filter(line -> line.contains(args[0])));
      default:
        throw new IllegalArgumentException("This shell has no such command. command=" + command);
    }
  }

  private static CommandResult filtered(Stream<String> lines) {
    return new CommandResult(0, lines.map(line -> line + "\n").collect(Collectors.joining()), "");
  }

  private CommandResult rowguard(String[] args, String input) {
    List<String> all = new ArrayList<>(List.of(args));
    if (args.length > 0 && CLUSTER_COMMANDS.contains(args[0])) {
      boolean hasSteps = args[0].equals("relayout");
      all.addAll(hasSteps ? 2 : 1, clusterArguments);
    }
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal =
        new Terminal(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintWriter(out),
            new PrintWriter(err),
            "unicode,columns=100");
    int exitCode = Rowguard.run(terminal, all.toArray(new String[0]));
    return new CommandResult(exitCode, out.toString(), err.toString());
  }

  private String shown(String text) {
    String shown = text.replace(directory + "/", "");
    String given = String.join(" ", clusterArguments).replace(directory + "/", "");
    return given.isEmpty() ? shown : shown.replace(" " + given, "");
  }

  private static List<Word> words(String line) {
    List<Word> words = new ArrayList<>();
    StringBuilder word = null;
    boolean isQuoted = false;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == ' ') {
        if (word != null) {
          words.add(new Word(word.toString(), isQuoted));
        }
        word = null;
        isQuoted = false;
      } else {
        word = word == null ? new StringBuilder() : word;
        if (c == '\'' || c == '"') {
          quote = c;
          isQuoted = true;
        } else {
          word.append(c == '\\' ? line.charAt(++i) : c);
        }
      }
    }
    if (word != null) {
      words.add(new Word(word.toString(), isQuoted));
    }
    return words;
  }
}
