package io.rowguard.deploy;

import io.rowguard.deploy.Command.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of the manual, read for its commands: those in indented blocks, and those in code spans in
 * the text, in the order of the page.
 *
 * <p>A line of a block is indented by four blanks or more; more than two or three are code within a
 * list as well. Which tool a command is for shows in how it begins: {@code $} or the name of a
 * program, or a command of HBase's shell.
 */
final class Page {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern BASH =
      Pattern.compile(
          "(\\$ .*|(\\./|bin/|deploy/)\\S+\\.sh\\b.*|(mvn|cp|curl|ssh|for|deploy/rowguard) .*)");
  private static final Pattern HBASE_SHELL =
      Pattern.compile(
          "(create|alter|describe|put|get|delete|scan|move|disable|drop|split|major_compact) '.*"
              + "|list\\.each .*");
  private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
  private static final Pattern COMMENT = Pattern.compile("(^|\\s{2,})#\\s.*$");

  private final List<Command> commands = new ArrayList<>();
  private final List<String> block = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private String section = "";

  private Page() {}

  /** The commands of a Markdown file, which is named from the root of the project. */
  static List<Command> commandsOf(String file) throws IOException {
    Page page = new Page();
    boolean inBlock = false;
    boolean afterBlank = false;
    for (String line : Files.readAllLines(ROOT.resolve(file))) {
      boolean indented = line.startsWith("    ");
      inBlock = inBlock ? indented || line.isBlank() : indented && afterBlank;
      afterBlank = line.isBlank();
      if (inBlock) {
        page.endText();
        page.block.add(line);
      } else {
        page.endBlock();
        page.readText(line);
      }
    }
    page.endBlock();
    page.endText();
    return page.commands;
  }

  /** The commands of a file to paste into HBase's shell: all lines that do not begin with #. */
  static List<Command> pastedFrom(String file) throws IOException {
    Page page = new Page();
    page.section = Path.of(file).getFileName().toString();
    page.block.addAll(Files.readAllLines(ROOT.resolve(file)));
    page.endBlock();
    return page.commands;
  }

  private void readText(String line) {
    if (line.startsWith("#")) {
      endText();
      section = line.replaceFirst("^#+ *", "");
    } else if (line.isBlank()) {
      endText();
    } else {
      text.append(text.isEmpty() ? "" : " ").append(line.strip());
    }
  }

  private void endText() {
    Matcher span = SPAN.matcher(text);
    while (span.find()) {
      Tool tool = toolFor(span.group(1));
      if (tool != Tool.NONE) {
        add(tool, span.group(1));
      }
    }
    text.setLength(0);
  }

  private void endBlock() {
    List<String> lines =
        block.stream().map(line -> COMMENT.matcher(line).replaceFirst("").stripTrailing()).toList();
    String first =
        lines.stream().map(String::strip).filter(line -> !line.isEmpty()).findFirst().orElse("");
    Tool tool = toolFor(first);
    if (tool == Tool.NONE && !first.isEmpty()) {
      add(tool, String.join("\n", lines).stripTrailing().stripIndent().strip());
    } else {
      StringBuilder statement = new StringBuilder();
      for (String line : lines) {
        statement.append(statement.isEmpty() ? "" : " ").append(line.strip());
        if (!statement.toString().isBlank() && isWhole(statement)) {
          add(tool, statement.toString());
          statement.setLength(0);
        }
      }
      if (!statement.toString().isBlank()) {
        throw new IllegalStateException("Not a whole command: " + statement);
      }
    }
    block.clear();
  }

  private void add(Tool tool, String command) {
    String plain =
        tool == Tool.NONE ? command : command.replaceFirst("^\\$ ", "").replaceAll("\\s+", " ");
    commands.add(new Command(section, tool, plain));
  }

  private static Tool toolFor(String command) {
    if (BASH.matcher(command).matches()) {
      return Tool.BASH;
    }
    return HBASE_SHELL.matcher(command).matches() ? Tool.HBASE_SHELL : Tool.NONE;
  }

  /** Whether all brackets are closed that were opened outside of quotes. */
  private static boolean isWhole(CharSequence statement) {
    int open = 0;
    char quote = 0;
    for (int i = 0; i < statement.length(); i++) {
      char c = statement.charAt(i);
      if (quote != 0) {
        quote = c == quote ? 0 : quote;
      } else if (c == '\'' || c == '"') {
        quote = c;
      } else if ("([{".indexOf(c) >= 0) {
        open++;
      } else if (")]}".indexOf(c) >= 0) {
        open--;
      }
    }
    return open == 0 && statement.charAt(statement.length() - 1) != ',';
  }
}
