package io.rowguard.tools.doctor;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.presplit.BoundaryProblems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Judges a table's regions by the layout: their boundaries, and whether large ones can be cut. */
final class RegionCheck {
  private final String table;
  private final LayoutBoundaries boundaries;
  private final LayoutBoundaries previous;

  RegionCheck(String table, LayoutBoundaries boundaries) {
    this(table, boundaries, null);
  }

  /**
   * A check of a table whose rows may be on their way to the layout: regions of those that have not
   * moved are as they should be.
   *
   * @param previous by the layout that rows leave; null for none
   */
  RegionCheck(String table, LayoutBoundaries boundaries, LayoutBoundaries previous) {
    this.table = table;
    this.boundaries = boundaries;
    this.previous = previous;
  }

  /**
   * The mistakes in the boundaries.
   *
   * @param startKeys those of all regions but the first, ascending
   */
  List<Finding> boundaries(List<byte[]> startKeys) {
    List<Finding> findings = new ArrayList<>();
    for (BoundaryProblems.Problem each : problems(startKeys)) {
      findings.add(
          switch (each.kind()) {
            case CUTS_GROUP ->
                Finding.problem(
                    "boundary_cuts_group",
                    table,
                    each.where(),
                    "A region begins inside an entity group: " + each.why() + ".",
                    "Merge the regions on both sides of it (merge_region).");
            case ILLEGAL ->
                Finding.warning(
                    "boundary_illegal",
                    table,
                    each.where(),
                    "A region begins where no row can: " + each.why() + ".",
                    "It cuts no group. Merge the regions on both sides of it (merge_region) if it"
                        + " leaves one of them without rows.");
            case UNREACHABLE ->
                Finding.problem(
                    "region_unreachable",
                    table,
                    each.where(),
                    "A region stays empty for ever: " + each.why() + ".",
                    "Merge it with a neighbour (merge_region).");
          });
    }
    return findings;
  }

  /** Without what the layout that rows leave has use for; what cuts a group will cut it. */
  private List<BoundaryProblems.Problem> problems(List<byte[]> startKeys) {
    List<BoundaryProblems.Problem> problems = BoundaryProblems.of(boundaries, startKeys);
    if (previous == null) {
      return problems;
    }
    Set<String> also =
        BoundaryProblems.of(previous, startKeys).stream()
            .map(BoundaryProblems.Problem::where)
            .collect(Collectors.toSet());
    return problems.stream()
        .filter(
            each -> each.kind() == BoundaryProblems.Kind.CUTS_GROUP || also.contains(each.where()))
        .toList();
  }

  /** Whether no legal boundary lies strictly inside a region, whatever its rows are. */
  boolean isOneGroup(byte[] start, byte[] end) {
    return isOneGroup(boundaries, start, end)
        && (previous == null || isOneGroup(previous, start, end));
  }

  private static boolean isOneGroup(LayoutBoundaries boundaries, byte[] start, byte[] end) {
    byte[] inside = boundaries.ceiling(start);
    return inside == null || (end.length > 0 && Arrays.compareUnsigned(inside, end) >= 0);
  }

  /** Whether no legal boundary divides the rows from a region's first to its last. */
  boolean isOneGroupOfRows(byte[] first, byte[] last) {
    return boundaries.between(first, last) == null
        && (previous == null || previous.between(first, last) == null);
  }

  /** The finding about a region that is too large and cannot be split. */
  Finding unsplittable(String region, long bytes, long most, String group) {
    return Finding.problem(
        "region_unsplittable",
        table,
        region,
        "A region is larger than it should be and cannot be split: one entity group fills it."
            + " size="
            + Terminal.bytes(bytes)
            + " limit="
            + Terminal.bytes(most)
            + (group == null ? "" : " group=\"" + group + "\"")
            + ".",
        "Give it a server of its own (move), or declare a smaller group.");
  }
}
