package io.rowguard.tools.audit;

import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cli.TextTable;
import java.util.Comparator;
import java.util.List;

/** The findings of an audit, for a person. */
final class AuditReport {
  private static final int MOST_REGIONS = 20;
  private static final double LEAST_SHOWN = 0.0005;

  private final Terminal terminal;
  private final AuditFindings findings;

  AuditReport(Terminal terminal, AuditFindings findings) {
    this.terminal = terminal;
    this.findings = findings;
  }

  void print() {
    head();
    if (findings.refused() > 0) {
      codes();
      examples();
      regions();
    }
    terminal.out().println();
    verdict();
  }

  private void head() {
    boolean isSnapshot = findings.snapshot() != null;
    terminal.line("table     " + findings.table());
    if (isSnapshot) {
      terminal.line("snapshot  " + findings.snapshot());
    }
    terminal.line("layout    " + findings.layout());
    if (findings.previous() != null) {
      terminal.line("previous  " + findings.previous());
    }
    if (findings.group() != null) {
      terminal.line("group     " + findings.group());
    }
    String from = findings.start().isEmpty() ? "(start)" : findings.start();
    String to = findings.stop().isEmpty() ? "(end)" : findings.stop();
    boolean isWhole = findings.start().isEmpty() && findings.stop().isEmpty();
    terminal.line(
        "read      "
            + Terminal.count(findings.rows())
            + " rows in "
            + Terminal.count(findings.regionsRead())
            + " regions"
            + (isWhole ? "" : ", " + from + " .. " + to));
  }

  private void codes() {
    terminal.heading("Rows that do not fit");
    TextTable table = new TextTable("  ", "lrrrl");
    table.row("code", "rows", "share", "regions", "");
    for (AuditFindings.Code code : findings.codes()) {
      table.row(
          code.verdict().name(),
          Terminal.count(code.rows()),
          share(code.rows(), findings.rows()),
          Terminal.count(code.regions()),
          code.verdict().description());
    }
    table.print(terminal);
  }

  private void examples() {
    if (findings.codes().stream().allMatch(code -> code.examples().isEmpty())) {
      return;
    }
    terminal.heading("Examples");
    for (AuditFindings.Code code : findings.codes()) {
      if (!code.examples().isEmpty()) {
        terminal.line("  " + code.verdict());
      }
      for (AuditFindings.Example example : code.examples()) {
        terminal.prose("    ", "\"" + example.row() + "\"");
        terminal.prose(
            "      ",
            example.problem()
                + (example.isBare() ? "; a bare key" : "")
                + "; region "
                + example.region());
      }
    }
  }

  private void regions() {
    terminal.heading("Regions with such rows");
    List<AuditFindings.Region> worst =
        findings.regions().stream()
            .sorted(Comparator.comparingLong(AuditFindings.Region::refused).reversed())
            .limit(MOST_REGIONS)
            .toList();
    TextTable table = new TextTable("  ", "lrrrl");
    table.row("region", "rows", "not fitting", "share", "from .. to");
    for (AuditFindings.Region region : worst) {
      table.row(
          region.name(),
          Terminal.count(region.rows()),
          Terminal.count(region.refused()),
          share(region.refused(), region.rows()),
          region.range());
    }
    table.print(terminal);
    int more = findings.regions().size() - worst.size();
    if (more > 0) {
      terminal.line("  and " + Terminal.count(more) + " more with fewer; --json has all");
    }
  }

  private void verdict() {
    if (findings.refused() == 0) {
      terminal.line(
          terminal.styled(
              Terminal.Style.GOOD,
              "All " + Terminal.count(findings.rows()) + " rows fit; none would be refused."));
      old();
      return;
    }
    terminal.line(
        terminal.styled(
            Terminal.Style.BAD,
            Terminal.count(findings.refused())
                + " of "
                + Terminal.count(findings.rows())
                + " rows would be refused ("
                + share(findings.refused(), findings.rows())
                + ")."));
    if (findings.layout().hasDerivedSegments()) {
      terminal.prose(
          "",
          Terminal.count(findings.bare())
              + " of these are bare keys: they lack only what the layout derives. With"
              + " rowguard.mode=salt they would be completed and not refused when they are written;"
              + " those that are stored bare would not be found any more.");
    }
    old();
  }

  private void old() {
    if (findings.previous() != null) {
      terminal.prose(
          "",
          Terminal.count(findings.old())
              + " of "
              + Terminal.count(findings.rows())
              + " rows are old: they fit the layout that rows leave, and move to the other one"
              + " (rowguard relayout).");
    }
  }

  /** Never 0.0 % of something, nor 100.0 % of not all. */
  private static String share(long part, long whole) {
    double share = (double) part / whole;
    if (share < LEAST_SHOWN) {
      return "< 0.1 %";
    }
    return part < whole && share > 1 - LEAST_SHOWN ? "> 99.9 %" : Terminal.percent(share);
  }
}
