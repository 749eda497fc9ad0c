package io.rowguard.tools.explain;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.ExitCodes;
import io.rowguard.tools.cli.LayoutArguments;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cli.Terminal.Style;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Draws a layout, takes keys apart, and warns of what goes wrong later. */
@Command(
    name = "explain",
    description = {
      "Show what a layout means, take keys apart, and warn.",
      "",
      "A KEY is a row or a bare key, as the HBase shell shows it. Exit code 1 says that a KEY is"
          + " neither, or that the group is impossible."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  rowguard explain '{salt:digits(2)=murmur3(user)%%16}-{user:word}|{time:millis descending}'"
          + " -g user",
      "  rowguard explain '{id:hex(16)}' 4f1bd09c21e7a3b5 4F1BD09C21E7A3B5",
      "  rowguard explain '{hash:hex(8)=md5(id)}{id:uint64}' --values id=42",
      "  rowguard explain '{id:word}|{time:millis}' --values id=a,time=2025-11-20T00:00:00Z",
    })
public final class ExplainCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private LayoutArguments arguments;

  @Parameters(
      index = "1..*",
      paramLabel = "KEY",
      description = "A key, with \\xHH for bytes that are not printable.")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = {"-v", "--values"},
      paramLabel = "NAME=VALUE,...",
      description = {
        "Make the row of these values; several times for several rows. Bytes with \\xHH, times in"
            + " milliseconds or as 2025-11-20T00:00:00Z."
      })
  private List<String> values = new ArrayList<>();

  public ExplainCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    RowkeyLayout layout = arguments.layout();
    List<byte[]> rows = rows(layout);
    String problem = groupProblem(layout);
    EntityGroup drawn = EntityGroup.of(layout, problem == null ? arguments.groupName() : null);
    new LayoutDrawing(drawn).print(terminal);
    if (problem != null) {
      terminal.heading("Problem");
      terminal.prose("  ", problem);
    }
    printAdvice(LayoutAdvice.of(drawn));
    boolean allFit = true;
    for (byte[] row : rows) {
      allFit &= new KeyReport(drawn, row).print(terminal);
    }
    return allFit && problem == null ? ExitCodes.OK : ExitCodes.PROBLEMS;
  }

  /** The keys that were given, then those of the values. */
  private List<byte[]> rows(RowkeyLayout layout) {
    List<byte[]> rows = new ArrayList<>();
    try {
      for (String key : keys) {
        rows.add(RowText.toBytesBinary(key));
      }
      for (String each : values) {
        rows.add(layout.encode(ValuesText.parse(layout, each)));
      }
      return rows;
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
  }

  /** Why one group would get many salts, or null. A segment that does not exist is a failure. */
  private String groupProblem(RowkeyLayout layout) {
    String name = arguments.groupName();
    if (name != null && !hasSegment(layout, name)) {
      throw new CommandFailure(failureOf(layout, name));
    }
    return failureOf(layout, name);
  }

  private static String failureOf(RowkeyLayout layout, String group) {
    try {
      EntityGroup.of(layout, group);
      return null;
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  private static boolean hasSegment(RowkeyLayout layout, String name) {
    return layout.segments().stream().anyMatch(segment -> segment.name().equals(name));
  }

  private void printAdvice(List<LayoutAdvice> advice) {
    if (advice.isEmpty()) {
      return;
    }
    terminal.heading("Advice");
    for (LayoutAdvice each : advice) {
      String mark = each.isWarning() ? "warning" : "note   ";
      String styled = each.isWarning() ? terminal.styled(Style.WARNING, mark) : mark;
      terminal.prose("  " + styled + "  ", mark.length() + 4, each.text());
    }
  }
}
