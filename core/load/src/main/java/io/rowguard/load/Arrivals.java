package io.rowguard.load;

import io.rowguard.layout.RowOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether the written rows of a sample came in the order of rows, or against it: Kendall's tau, the
 * share of pairs in order less that of pairs against it, over all pairs. A program that goes
 * through the same rows again and again has pairs of both kinds, and reads say nothing of new keys.
 */
final class Arrivals {
  // Writers side by side, batches, and some writes to old rows take a little off.
  private static final double ORDERED = 0.8;
  private static final int ENOUGH = 30;

  private Arrivals() {}

  /** Whether writes are at least half of the load, and came in order or against it. */
  static boolean areInOrder(LoadSnapshot snapshot) {
    if (snapshot.writes() < snapshot.reads()) {
      return false;
    }
    List<byte[]> written = new ArrayList<>();
    for (SampledRow row : snapshot.sample()) {
      if (row.isWrite()) {
        written.add(row.row());
      }
    }
    return written.size() >= ENOUGH && Math.abs(tau(written)) >= ORDERED;
  }

  /** Between -1, all descend, and 1, all ascend. Equal rows are neither. */
  static double tau(List<byte[]> rows) {
    long inOrder = 0;
    for (int i = 0; i < rows.size(); i++) {
      for (int j = 0; j < i; j++) {
        inOrder += Integer.signum(RowOrder.compare(rows.get(i), rows.get(j)));
      }
    }
    return (double) inOrder * 2 / ((double) rows.size() * (rows.size() - 1));
  }
}
