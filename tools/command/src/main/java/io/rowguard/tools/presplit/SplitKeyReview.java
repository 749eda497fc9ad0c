package io.rowguard.tools.presplit;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowText;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cli.Terminal.Style;
import io.rowguard.tools.cli.TextTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Judges split keys that exist: keys that are no legal boundary, regions that no row can reach, and
 * on a sample regions that get far too much or nothing.
 */
final class SplitKeyReview {
  /** A region with more than this much of the mean makes its server hot. */
  static final double UNBALANCED = 2;

  private static final int BAR = 30;
  private static final int MOST_REGIONS_SHOWN = 64;

  private final LayoutBoundaries boundaries;
  private final List<byte[]> keys;
  private final KeySample sample;
  private final TextTable problems = new TextTable("  ", "lll");
  private int found;

  /**
   * @param keys in the order of their file
   * @param sample null when there is none
   */
  SplitKeyReview(EntityGroup group, List<byte[]> keys, KeySample sample) {
    this.boundaries = LayoutBoundaries.of(group);
    this.keys = keys;
    this.sample = sample;
  }

  /** Prints the judgement; answers whether nothing is wrong. */
  boolean print(Terminal terminal) {
    List<byte[]> sorted = sorted();
    for (BoundaryProblems.Problem each : BoundaryProblems.of(boundaries, sorted)) {
      boolean isUnreachable = each.kind() == BoundaryProblems.Kind.UNREACHABLE;
      problem(isUnreachable ? "unreachable" : "illegal", each.where(), each.why());
    }
    long[] weights = sample == null ? null : sample.weightPerRegion(sorted);
    if (weights != null) {
      judgeBalance(sorted, weights);
    }
    terminal.line(
        Terminal.count(keys.size())
            + " split keys, "
            + Terminal.count(sorted.size() + 1)
            + " regions: "
            + (found == 0
                ? terminal.styled(Style.GOOD, "nothing is wrong with them")
                : terminal.styled(
                    Style.BAD, found == 1 ? "1 problem" : Terminal.count(found) + " problems")));
    problems.print(terminal);
    if (weights != null) {
      printRegions(terminal, sorted, weights);
    }
    return found == 0;
  }

  private void problem(String what, String where, String why) {
    found++;
    problems.row(what, where, why);
  }

  private List<byte[]> sorted() {
    List<byte[]> sorted = new ArrayList<>(keys);
    sorted.sort(Arrays::compareUnsigned);
    List<byte[]> distinct = new ArrayList<>();
    for (byte[] key : sorted) {
      if (key.length == 0) {
        problem("empty", "\"\"", "HBase refuses an empty split key: is there an empty line?");
      } else if (!distinct.isEmpty() && Arrays.equals(distinct.get(distinct.size() - 1), key)) {
        problem("twice", shown(key), "HBase refuses split keys that are not unique");
      } else {
        distinct.add(key);
      }
    }
    return distinct;
  }

  private void judgeBalance(List<byte[]> sorted, long[] weights) {
    double mean = (double) Arrays.stream(weights).sum() / weights.length;
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] > UNBALANCED * mean) {
        problem(
            "unbalanced",
            region(sorted, i),
            String.format(Locale.ROOT, "%.1f times the mean of the sample", weights[i] / mean));
      } else if (weights[i] == 0 && boundaries.isReachable(start(sorted, i), end(sorted, i))) {
        problem("unbalanced", region(sorted, i), "nothing of the sample falls into this region");
      }
    }
  }

  private void printRegions(Terminal terminal, List<byte[]> sorted, long[] weights) {
    long total = Math.max(1, Arrays.stream(weights).sum());
    long most = Math.max(1, Arrays.stream(weights).max().orElseThrow());
    terminal.heading("The sample in these regions");
    TextTable table = new TextTable("  ", "lrrl");
    table.row("from", "weight", "share", "");
    int shown = Math.min(weights.length, MOST_REGIONS_SHOWN);
    for (int i = 0; i < shown; i++) {
      table.row(
          i == 0 ? "(start)" : shown(sorted.get(i - 1)),
          Terminal.count(weights[i]),
          Terminal.percent((double) weights[i] / total),
          terminal.bar((double) weights[i] / most, 1, BAR));
    }
    table.print(terminal);
    if (shown < weights.length) {
      terminal.line("  ... and " + Terminal.count(weights.length - shown) + " more");
    }
  }

  private static byte[] start(List<byte[]> keys, int region) {
    return region == 0 ? new byte[0] : keys.get(region - 1);
  }

  private static byte[] end(List<byte[]> keys, int region) {
    return region == keys.size() ? new byte[0] : keys.get(region);
  }

  private static String region(List<byte[]> keys, int region) {
    return BoundaryProblems.region(start(keys, region), end(keys, region));
  }

  private static String shown(byte[] key) {
    return RowText.abbreviated(key);
  }
}
