package io.rowguard.tools.adopt;

import io.rowguard.layout.RowText;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cli.TextTable;
import io.rowguard.tools.presplit.TablePlan;
import java.util.List;
import java.util.Map;

/** Prints what is known of systems and tables, and the statements that guard a table. */
final class AdoptReport {
  private static final int SHOWN_ROWS = 3;

  private final Terminal terminal;

  AdoptReport(Terminal terminal) {
    this.terminal = terminal;
  }

  /** All systems and their kinds, in one table. */
  void list(List<KnownSystem> systems) {
    TextTable table = new TextTable("  ", "llll");
    table.row("system", "kind", "what it holds", "guarded");
    for (KnownSystem system : systems) {
      for (KnownTable kind : system.tables()) {
        table.row(system.name(), kind.kind(), kind.about(), guarded(kind));
      }
    }
    table.print(terminal);
  }

  private static String guarded(KnownTable kind) {
    return kind.hasLayout() ? String.join("; ", kind.guarded()) : "nothing";
  }

  /** One system: its kinds with their usual numbers. */
  void system(KnownSystem system) {
    terminal.line(system.title());
    terminal.line("Facts from " + system.source());
    for (KnownTable kind : system.tables()) {
      terminal.heading(kind.kind() + ": " + kind.about());
      facts(kind, kind.usual(), null);
      limits(kind);
    }
  }

  /** One table with the layout that fits it, and what to do. */
  void table(KnownSystem system, String table, Adoption adoption) {
    KnownTable kind = adoption.table();
    terminal.line(system.title() + ", " + kind.kind() + ": " + kind.about());
    terminal.line("");
    facts(kind, adoption.values(), adoption);
    adoption.bad().stream().limit(SHOWN_ROWS).forEach(row -> explain(adoption, row));
    limits(kind);
    if (adoption.bad().isEmpty()) {
      statements(table, kind, adoption);
    } else {
      terminal.heading("To do");
      terminal.prose(
          "  ",
          "Rows do not fit, so nothing is proposed. Is it another kind of table (--kind), or are"
              + " the numbers other ones (--set NAME=NUMBER)? Rows that another program wrote are to"
              + " be mended, or left out by mode warn.");
    }
  }

  /** A table of a kind without a layout. */
  void nothing(KnownSystem system, KnownTable kind) {
    terminal.line(system.title() + ", " + kind.kind() + ": " + kind.about());
    limits(kind);
  }

  private void facts(KnownTable kind, Map<String, Integer> values, Adoption adoption) {
    TextTable facts = new TextTable("  ", "ll");
    facts.row("layout", kind.hasLayout() ? kind.layout(values).toString() : "none");
    if (kind.group() != null) {
      facts.row("group", kind.group());
    }
    for (KnownNumber number : kind.numbers()) {
      String value = values.get(number.name()).toString();
      facts.row(number.name(), value + ": " + number.where() + remark(number, value, adoption));
    }
    if (adoption != null && adoption.rows() > 0) {
      int good = adoption.rows() - adoption.bad().size();
      facts.row("sample", Terminal.count(good) + " of " + Terminal.count(adoption.rows()) + " fit");
    }
    if (adoption == null && kind.hasLayout()) {
      facts.row("tests", "rows " + kind.rows());
    }
    facts.print(terminal);
  }

  private static String remark(KnownNumber number, String value, Adoption adoption) {
    if (adoption == null || adoption.rows() == 0) {
      return ", usually " + number.usual();
    }
    List<String> others =
        adoption.alsoFitting().stream()
            .map(values -> values.get(number.name()).toString())
            .filter(other -> !other.equals(value))
            .distinct()
            .toList();
    return others.isEmpty()
        ? ""
        : "; rows would fit " + String.join(", ", others) + " too, so make sure (--set)";
  }

  private void explain(Adoption adoption, byte[] row) {
    terminal.line("  does not fit: \"" + RowText.abbreviated(row) + "\"");
    terminal.prose("    ", adoption.layout().explain(row).problem() + ".");
  }

  private void limits(KnownTable kind) {
    if (!kind.guarded().isEmpty()) {
      terminal.line("");
      terminal.line("  guarded");
      kind.guarded().forEach(line -> terminal.prose("    - ", 6, line));
    }
    if (!kind.open().isEmpty()) {
      terminal.line("");
      terminal.line("  not guarded");
      kind.open().forEach(line -> terminal.prose("    - ", 6, line));
    }
  }

  private void statements(String table, KnownTable kind, Adoption adoption) {
    terminal.heading("In the HBase shell, a dry run first");
    terminal.line("  alter " + TablePlan.quoted(table) + ", {'coprocessor' => '" + coprocessor());
    terminal.line("    SPLIT_POLICY => " + TablePlan.quoted(TablePlan.SPLIT_POLICY) + ",");
    String layout = TablePlan.quoted(adoption.layout().toString());
    String group =
        kind.group() == null ? "" : "\n      'rowguard.group' => '" + kind.group() + "',";
    terminal.line(
        "    METADATA => {'rowguard.layout' => "
            + layout
            + ","
            + group
            + "\n      'rowguard.mode' => 'warn'}}");
    terminal.line("");
    terminal.prose(
        "  ",
        "When `rowguard audit "
            + table
            + "` finds nothing and the counters accepted_... stand still:");
    terminal.line("");
    terminal.line(
        "  alter " + TablePlan.quoted(table) + ", {METADATA => {'rowguard.mode' => 'reject'}}");
  }

  private static String coprocessor() {
    return "|" + TablePlan.OBSERVER + "|" + TablePlan.OBSERVER_PRIORITY + "|',";
  }
}
