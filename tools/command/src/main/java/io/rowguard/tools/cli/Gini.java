package io.rowguard.tools.cli;

import java.util.Arrays;

/** The Gini coefficient: how unevenly something is divided. */
public final class Gini {
  private Gini() {}

  /**
   * 0 when all have the same, or nothing; towards 1 when one has all. (The mean difference between
   * two of them, divided by twice the mean.)
   *
   * @param values zero or more each
   */
  public static double of(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    double total = 0;
    double weighted = 0;
    for (int i = 0; i < sorted.length; i++) {
      total += sorted[i];
      weighted += (2.0 * i + 1 - sorted.length) * sorted[i];
    }
    return total == 0 ? 0 : weighted / (sorted.length * total);
  }
}
