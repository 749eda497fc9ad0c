package io.rowguard.tools.relayout;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSerializer;
import io.rowguard.layout.RowText;
import io.rowguard.tools.cli.ShellWord;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cli.Terminal.Style;
import io.rowguard.tools.relayout.RelayoutArguments.RelayoutTarget;
import io.rowguard.tools.relayout.StepOutcome.FinishOutcome;
import io.rowguard.tools.relayout.StepOutcome.MoveOutcome;
import io.rowguard.tools.relayout.StepOutcome.PauseOutcome;
import io.rowguard.tools.relayout.StepOutcome.StartOutcome;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The outcome of a step: for a person the state, the work done and the next step; for a program the
 * components of its record as JSON, keys as text.
 */
final class RelayoutReport {
  private static final int MOST_KEYS = 6;
  private static final int MOST_LINES = 10;

  private static final Gson GSON =
      new GsonBuilder()
          .serializeNulls()
          .disableHtmlEscaping()
          .setPrettyPrinting()
          .setFieldNamingStrategy(field -> withoutIs(field.getName()))
          .registerTypeAdapter(
              byte[].class,
              (JsonSerializer<byte[]>)
                  (key, type, context) -> new JsonPrimitive(RowText.toStringBinary(key)))
          .create();

  private final Terminal terminal;
  private final String table;
  private final String cluster;

  private RelayoutReport(Terminal terminal, RelayoutTarget target) {
    this.terminal = terminal;
    this.table = target.table();
    this.cluster = target.cluster().text();
  }

  /**
   * Prints an outcome in the form that is asked for.
   *
   * @param outcome a record
   * @param text prints it for a person
   */
  static void print(
      Terminal terminal, RelayoutTarget target, Object outcome, Consumer<RelayoutReport> text) {
    if (target.isJson()) {
      terminal.line(GSON.toJson(outcome));
    } else {
      text.accept(new RelayoutReport(terminal, target));
    }
  }

  private static String withoutIs(String name) {
    return name.length() > 2 && name.startsWith("is") && Character.isUpperCase(name.charAt(2))
        ? Character.toLowerCase(name.charAt(2)) + name.substring(3)
        : name;
  }

  /**
   * The findings of plan.
   *
   * @param regions how many regions the new layout is to have, as it was told; 0 for as it likes
   */
  void plan(RelayoutPlan plan, int regions) {
    figures(plan);
    if (!plan.notes().isEmpty()) {
      terminal.heading("To know");
      plan.notes().forEach(note -> terminal.prose("  - ", note));
    }
    obstacles(plan);
    terminal.line("");
    if (plan.isClear()) {
      terminal.line(terminal.styled(Style.GOOD, "Nothing is in the way."));
      String told = regions > 0 ? " --regions " + regions : "";
      next("start " + table + told + " --to " + ShellWord.of(plan.to()));
    } else {
      int count = plan.obstacles().size();
      terminal.line(
          terminal.styled(
              Style.BAD,
              count == 1 ? "1 thing is in the way." : count + " things are in the way."));
    }
  }

  private void figures(RelayoutPlan plan) {
    terminal.line("table    " + plan.table());
    terminal.line("from     " + (plan.from() == null ? "no layout" : plan.from()));
    terminal.line("to       " + plan.to());
    MoveEstimate estimate = plan.estimate();
    if (estimate == null) {
      return;
    }
    terminal.line("rows     " + rows(estimate));
    terminal.line(
        "bytes    "
            + Terminal.bytes(estimate.movingBytes())
            + " of "
            + Terminal.bytes(estimate.bytes())
            + " move, as cells");
    terminal.line("regions  " + regions(plan));
    terminal.line(
        "time     "
            + StepLines.time(plan.seconds())
            + String.format(Locale.ROOT, " at %,.0f rows a second", plan.rowsPerSecond())
            + (plan.isSpeedGiven() ? "" : ", a guess; --rows-per-second says better"));
    terminal.line(
        "disk     "
            + Terminal.bytes(plan.diskBytes())
            + " more until the next major compaction"
            + (plan.diskFree() < 0 ? "" : "; " + Terminal.bytes(plan.diskFree()) + " are free"));
    if (plan.compactsFirst()) {
      terminal.line("first    a major compaction, where an earlier relayout may have left markers");
    }
  }

  private static String rows(MoveEstimate estimate) {
    if (estimate.isExact()) {
      return Terminal.count(estimate.movingRows())
          + " of "
          + Terminal.count(estimate.rows())
          + " move; all were counted";
    }
    return "about "
        + Terminal.count(estimate.movingRows())
        + " of about "
        + Terminal.count(estimate.rows())
        + " move, give or take "
        + Terminal.count(estimate.movingRowsError())
        + "; "
        + Terminal.count(estimate.sampledRows())
        + " in "
        + Terminal.count(estimate.sampledRegions())
        + " regions were looked at";
  }

  private static String regions(RelayoutPlan plan) {
    List<byte[]> keys = plan.newRegions();
    if (keys.isEmpty()) {
      return Terminal.count(plan.regions()) + ", none is made";
    }
    String shown =
        keys.stream().limit(MOST_KEYS).map(RowText::abbreviated).collect(Collectors.joining(" "));
    return Terminal.count(plan.regions())
        + ", "
        + Terminal.count(keys.size())
        + " more are made at "
        + shown
        + (keys.size() > MOST_KEYS ? " ..." : "");
  }

  private void obstacles(RelayoutPlan plan) {
    if (plan.obstacles().isEmpty()) {
      return;
    }
    terminal.heading("In the way");
    for (RelayoutObstacle obstacle : plan.obstacles()) {
      terminal.line("  " + terminal.styled(Style.BAD, obstacle.code()));
      terminal.prose("      ", obstacle.what());
      terminal.prose("      > ", obstacle.wayOut());
    }
  }

  private void next(String command) {
    next(command, "");
  }

  private void next(String command, String remark) {
    terminal.line("Next: rowguard relayout " + command + cluster + remark);
  }

  void start(StartOutcome outcome) {
    if (!outcome.isStarted()) {
      plan(outcome.plan(), 0);
      terminal.line("Nothing was done.");
      return;
    }
    int regions = outcome.regionsMade();
    String made =
        (regions == 0 ? "no" : Terminal.count(regions))
            + (regions < 2 ? " region was made" : " regions were made");
    terminal.line(
        terminal.styled(Style.GOOD, "Rows move now")
            + ": "
            + made
            + ", all regions have version "
            + outcome.version()
            + " of the layouts.");
    terminal.line("Each write takes its row along. Rows without a write move with the next step.");
    next("run " + table);
  }

  void run(MoveOutcome outcome) {
    String moved =
        Terminal.count(outcome.moved())
            + " rows moved in "
            + StepLines.time(outcome.millis() / 1000)
            + String.format(Locale.ROOT, ", %,.0f a second.", outcome.rowsPerSecond());
    terminal.line(moved);
    if (outcome.movedByOthers() > 0) {
      terminal.line(
          Terminal.count(outcome.movedByOthers()) + " more had been moved by others meanwhile.");
    }
    if (outcome.isDone()) {
      terminal.line(terminal.styled(Style.GOOD, "No old row is left that could be found."));
      next("finish " + table);
    } else if (outcome.isInterrupted()) {
      terminal.line("It was stopped; the rest is where it was.");
      next("run " + table);
    } else {
      terminal.prose("", terminal.styled(Style.BAD, "Old rows are left") + ": " + outcome.why());
      next("run " + table, "     when that is mended; or status, back");
    }
  }

  void pause(PauseOutcome outcome) {
    int paused = outcome.regions() - outcome.failures().size();
    terminal.line(
        outcome.isPaused()
            ? terminal.styled(Style.GOOD, "Paused")
                + ", in "
                + Terminal.count(paused)
                + " of "
                + Terminal.count(outcome.regions())
                + " regions: runs wait, and only writes take their rows along."
            : terminal.styled(Style.BAD, "Nothing is paused") + ": no region has taken it.");
    lines("Failures", outcome.failures());
    next(outcome.isPaused() ? "resume " + table : "status " + table);
  }

  void resume(PauseOutcome outcome) {
    terminal.line(
        outcome.failures().isEmpty()
            ? terminal.styled(Style.GOOD, "Resumed") + ": runs go on within seconds."
            : terminal.styled(Style.BAD, "Not all regions have taken it")
                + ": runs wait while one is paused.");
    lines("Failures", outcome.failures());
    next((outcome.failures().isEmpty() ? "run " : "resume ") + table);
  }

  void status(RelayoutStatus status) {
    terminal.line("table    " + status.table());
    if (status.isInRelayout()) {
      terminal.line("from     " + status.from());
      terminal.line("to       " + status.layout());
      terminal.line("phase    " + status.phase() + ", generation " + status.generation());
    } else {
      terminal.line("layout   " + (status.layout() == null ? "none" : status.layout()));
      terminal.line("phase    in no relayout");
    }
    terminal.line("version  " + status.version());
    terminal.line("regions  " + Terminal.count(status.regions()) + versions(status));
    boolean isMoving = "moving".equals(status.phase());
    if (isMoving) {
      terminal.line(
          "old rows "
              + Terminal.count(status.oldRows())
              + (status.isAtLeast() ? " or more" : "")
              + ", in "
              + Terminal.count(status.regionsWithOldRows())
              + " regions");
      progress(status.progress());
    }
    lines("Odd", status.odd());
    terminal.line("");
    if (!status.isInRelayout()) {
      next("plan " + table + " --to LAYOUT");
    } else if (!isMoving) {
      next("start " + table + " --to " + ShellWord.of(status.layout()), "     or back");
    } else if (status.oldRows() > 0 && status.progress().isPaused()) {
      next("resume " + table);
    } else {
      next((status.oldRows() > 0 ? "run " : "finish ") + table);
    }
  }

  private void progress(TableProgress progress) {
    terminal.line(
        "moved    "
            + Terminal.count(progress.moved())
            + (progress.percent() == null
                ? "; " + StepLines.uncounted(progress.uncountedRegions())
                : " of " + Terminal.count(progress.rows()) + ", " + StepLines.percent(progress))
            + (progress.secondsSinceOpened() == null
                ? ""
                : "; the last region opened "
                    + StepLines.time(progress.secondsSinceOpened())
                    + " ago"));
    terminal.line(
        "speed    "
            + StepLines.speed(progress)
            + (progress.secondsLeft() == null || progress.left() == 0
                ? ""
                : "; " + StepLines.time(progress.secondsLeft()) + " left"));
    if (progress.isPaused()) {
      terminal.line(
          "paused   in "
              + Terminal.count(progress.pausedRegions())
              + (progress.pausedRegions() == 1 ? " region" : " regions")
              + ": runs wait, and only writes take their rows along");
    }
  }

  private static String versions(RelayoutStatus status) {
    Map<Long, Integer> byVersion = status.regionsByVersion();
    if (byVersion.size() == 1 && byVersion.containsKey(status.version())) {
      return ", all of version " + status.version();
    }
    return byVersion.entrySet().stream()
        .map(each -> ", " + Terminal.count(each.getValue()) + " of version " + each.getKey())
        .collect(Collectors.joining());
  }

  private void lines(String heading, List<String> lines) {
    if (lines.isEmpty()) {
      return;
    }
    terminal.heading(heading);
    lines.stream().limit(MOST_LINES).forEach(line -> terminal.prose("  - ", line));
    if (lines.size() > MOST_LINES) {
      terminal.line(
          "  ... and " + Terminal.count(lines.size() - MOST_LINES) + " more (--json has all)");
    }
  }

  void finish(FinishOutcome outcome) {
    if (!outcome.isFinished()) {
      lines("In the way", outcome.inTheWay());
      terminal.line("");
      terminal.line(terminal.styled(Style.BAD, "It is not finished, and nothing was done."));
      next("run " + table);
      return;
    }
    terminal.line(
        "Counted in "
            + Terminal.count(outcome.regions())
            + " regions: no old row is left. The table has version "
            + outcome.version()
            + " of its layouts.");
    terminal.line(terminal.styled(Style.GOOD, "Finished") + ": " + outcome.layout());
    if (outcome.emptyRegions() > 0) {
      terminal.line(
          Terminal.count(outcome.emptyRegions()) + " regions have no rows any more. Next:");
      terminal.line("  rowguard merge " + table + " --empty" + cluster);
    }
  }

  void back(boolean isOver, RelayoutStatus status) {
    if (isOver) {
      terminal.line(
          terminal.styled(Style.GOOD, "Given up")
              + ": the table has "
              + status.layout()
              + ", and no row has moved.");
      return;
    }
    terminal.line(terminal.styled(Style.GOOD, "Turned") + ": rows move back now.");
    status(status);
  }
}
