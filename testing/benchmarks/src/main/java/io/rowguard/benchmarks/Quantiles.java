package io.rowguard.benchmarks;

import java.util.Arrays;
import java.util.Locale;

/** Some measured numbers, by rank. Immutable. */
public final class Quantiles {
  private final double[] sorted;

  private Quantiles(double[] sorted) {
    this.sorted = sorted;
  }

  /** The quantiles of one or more numbers. */
  public static Quantiles of(double[] values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("There is nothing to rank.");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Quantiles(sorted);
  }

  /**
   * The smallest number that at least a share of all are at or below.
   *
   * @param share 0 (for the least) to 1 (for the largest)
   */
  public double at(double share) {
    int rank = (int) Math.ceil(share * sorted.length);
    return sorted[Math.max(0, rank - 1)];
  }

  /** The number in the middle. */
  public double median() {
    return at(0.5);
  }

  /**
   * The number in the middle, for a report.
   *
   * @param format of {@link String#format}, for one number
   */
  public String median(String format) {
    return String.format(Locale.ROOT, format, median());
  }

  /**
   * The bounds of the middle half of the numbers, for a report.
   *
   * @param format of {@link String#format}, for one number
   */
  public String quartiles(String format) {
    return String.format(Locale.ROOT, format + " to " + format, at(0.25), at(0.75));
  }
}
