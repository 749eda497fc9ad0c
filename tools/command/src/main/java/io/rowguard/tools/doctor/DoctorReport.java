package io.rowguard.tools.doctor;

import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cli.Terminal.Style;
import io.rowguard.tools.cli.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The doctor's facts and findings as text: servers, tables, findings with the worst first. */
final class DoctorReport {
  /** Findings of one kind in one table beyond that are only counted. */
  private static final int MOST_ALIKE = 10;

  private final Terminal terminal;
  private final Diagnosis diagnosis;

  DoctorReport(Terminal terminal, Diagnosis diagnosis) {
    this.terminal = terminal;
    this.diagnosis = diagnosis;
  }

  void print() {
    printServers();
    printTables();
    printFindings();
    terminal.line("");
    terminal.line(summary());
  }

  private void printServers() {
    terminal.line(terminal.styled(Style.STRONG, "Servers (HBase " + diagnosis.hbase() + ")"));
    TextTable table = new TextTable("  ", "llll");
    table.row("", "", "Rowguard's jar", "observer");
    for (ServerFacts server : diagnosis.servers()) {
      String observer = server.isMaster() ? ServerFacts.MASTER_OBSERVER : ServerFacts.OBSERVER;
      table.row(
          server.isMaster() ? "master" : "region server",
          server.server(),
          server.jars() == null ? "not known" : server.jars().toString(),
          server.hasLoaded(observer) ? "loaded" : "not loaded");
    }
    table.print(terminal);
  }

  private void printTables() {
    terminal.heading("Tables");
    TextTable table = new TextTable("  ", "lllrrr");
    table.row("", "mode", "guarded by", "regions", "sampled", "rows looked at");
    for (TableFacts each : diagnosis.tables()) {
      table.row(
          each.table(),
          each.mode() == null ? "-" : each.mode(),
          guards(each) + (Boolean.FALSE.equals(each.enabled()) ? ", disabled" : ""),
          Terminal.count(each.regions()),
          Terminal.count(each.regionsSampled()),
          Terminal.count(each.rowsSampled()));
    }
    if (!diagnosis.tables().isEmpty()) {
      table.print(terminal);
    }
    int others = diagnosis.tablesUnguarded();
    if (others > 0) {
      terminal.line("  and " + Terminal.count(others) + " without Rowguard");
    }
  }

  private static String guards(TableFacts table) {
    List<String> guards = new ArrayList<>();
    if (table.observer()) {
      guards.add("observer");
    }
    if (table.splitPolicy()) {
      guards.add("split policy");
    }
    return guards.isEmpty() ? "nothing" : String.join(", ", guards);
  }

  private void printFindings() {
    if (diagnosis.findings().isEmpty()) {
      return;
    }
    terminal.heading("Findings");
    Map<String, Integer> alike = new LinkedHashMap<>();
    for (Finding finding : diagnosis.findings()) {
      int number = alike.merge(finding.code() + " " + finding.table(), 1, Integer::sum);
      if (number <= MOST_ALIKE) {
        print(finding);
      }
    }
    alike.forEach(
        (what, count) -> {
          if (count > MOST_ALIKE) {
            terminal.line(
                "  ... and "
                    + Terminal.count(count - MOST_ALIKE)
                    + " more: "
                    + what
                    + " (--json has all)");
          }
        });
  }

  private void print(Finding finding) {
    String severity = finding.severity().name().toLowerCase(Locale.ROOT);
    List<String> head = new ArrayList<>();
    head.add(terminal.styled(style(finding.severity()), severity));
    head.add(finding.code());
    if (finding.table() != null) {
      head.add("table " + finding.table());
    }
    if (finding.where() != null) {
      head.add(finding.where());
    }
    terminal.line("  " + String.join("  ", head));
    terminal.prose("      ", finding.what());
    if (finding.wayOut() != null) {
      terminal.prose("      > ", finding.wayOut());
    }
  }

  private static Style style(Severity severity) {
    return switch (severity) {
      case PROBLEM -> Style.BAD;
      case WARNING -> Style.WARNING;
      case NOTE -> Style.FAINT;
    };
  }

  private String summary() {
    String counts =
        counted(Severity.PROBLEM, "problem")
            + ", "
            + counted(Severity.WARNING, "warning")
            + ", "
            + counted(Severity.NOTE, "note");
    String ignored =
        diagnosis.ignored() == 0 ? "" : "; " + Terminal.count(diagnosis.ignored()) + " ignored";
    return diagnosis.isWell()
        ? terminal.styled(Style.GOOD, "All is well") + " (" + counts + ignored + ")."
        : terminal.styled(Style.BAD, counts + ignored) + ".";
  }

  private String counted(Severity severity, String word) {
    long count = diagnosis.count(severity);
    return Terminal.count(count) + " " + word + (count == 1 ? "" : "s");
  }
}
