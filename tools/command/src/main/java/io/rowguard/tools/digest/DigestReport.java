package io.rowguard.tools.digest;

import io.rowguard.mapreduce.digest.CellsDigest;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cli.TextTable;
import java.nio.file.Path;
import java.util.List;

/** A digest, alone or held against another, for a person. */
final class DigestReport {
  private static final int MOST_SHOWN = 20;

  private final Terminal terminal;
  private final DigestFile here;
  private final String cluster;

  /**
   * @param cluster the options that name the cluster that was read, as {@code ClusterOptions.text}
   *     has them
   */
  DigestReport(Terminal terminal, DigestFile here, String cluster) {
    this.terminal = terminal;
    this.here = here;
    this.cluster = cluster;
  }

  /** The digest alone; {@code output} is the file that it was written to, null for none. */
  void print(Path output) {
    CellsDigest total = here.digests().total();
    terminal.line("table   " + here.table());
    scope();
    terminal.line("rows    " + Terminal.count(total.rows()));
    terminal.line("cells   " + Terminal.count(total.cells()));
    terminal.line("digest  " + total.hex());
    if (output != null) {
      terminal.line("ranges  " + Terminal.count(here.digests().ranges().size()) + ", in " + output);
    }
  }

  private void scope() {
    if (!here.scope().options().isEmpty()) {
      terminal.line("of     " + here.scope().options());
    }
  }

  /** Both digests, and the ranges in which they differ; answers whether they are the same. */
  boolean printAgainst(DigestFile there, Path file) {
    CellsDigest mine = here.digests().total();
    CellsDigest theirs = there.digests().total();
    TextTable table = new TextTable("", "lll");
    table.row("table", here.table(), there.table() + ", as in " + file);
    table.row("rows", Terminal.count(mine.rows()), Terminal.count(theirs.rows()));
    table.row("cells", Terminal.count(mine.cells()), Terminal.count(theirs.cells()));
    table.row("digest", mine.hex(), theirs.hex());
    table.print(terminal);
    scope();
    terminal.out().println();
    List<DigestDifference> differences = DigestDifference.between(here.digests(), there.digests());
    if (differences.isEmpty()) {
      terminal.line(terminal.styled(Terminal.Style.GOOD, "Both have the same cells."));
      return true;
    }
    terminal.line(
        terminal.styled(
            Terminal.Style.BAD,
            "They differ in "
                + Terminal.count(differences.size())
                + (differences.size() == 1 ? " range." : " ranges.")));
    ranges(differences, there.table(), file);
    return false;
  }

  private void ranges(List<DigestDifference> differences, String otherTable, Path file) {
    TextTable table = new TextTable("  ", "llrrrr");
    table.row("from", "to", "rows", "cells", "rows there", "cells there");
    for (DigestDifference range :
        differences.subList(0, Math.min(MOST_SHOWN, differences.size()))) {
      table.row(
          range.from() == null ? "(start)" : range.from(),
          range.to() == null ? "(end)" : range.to(),
          Terminal.count(range.here().rows()),
          Terminal.count(range.here().cells()),
          Terminal.count(range.there().rows()),
          Terminal.count(range.there().cells()));
    }
    table.print(terminal);
    if (differences.size() > MOST_SHOWN) {
      terminal.line("  and " + Terminal.count(differences.size() - MOST_SHOWN) + " more");
    }
    next(differences.get(0), otherTable, file);
  }

  /** The way from a range of many rows to the row. */
  private void next(DigestDifference first, String otherTable, Path file) {
    if (Math.max(first.here().rows(), first.there().rows()) < 2) {
      return;
    }
    DigestScope scope = here.scope();
    DigestScope narrower =
        new DigestScope(
            first.from() == null ? scope.from() : first.from(),
            first.to() == null ? scope.to() : first.to(),
            scope.isOfVersions(),
            scope.isOfTimestamps());
    terminal.line("The first of the next two is for the cluster that " + file + " is of.");
    terminal.line("Next: rowguard digest " + otherTable + narrower.options() + " -o FILE");
    terminal.line("      rowguard digest " + here.table() + " --against FILE" + cluster);
  }
}
