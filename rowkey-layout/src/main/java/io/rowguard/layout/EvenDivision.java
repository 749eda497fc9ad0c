package io.rowguard.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Divides the leading fixed-width space of a layout evenly.
 *
 * <p>The boundary at the fraction {@code i/n} is found as arithmetic decoding finds a symbol: at
 * each byte the interval is divided among the bytes that may come next, each weighted by what can
 * follow it, and the part that holds the fraction is taken. Fractions are exact. It stops where the
 * fraction falls on the beginning of a part, or where what remains is below 1/65,536 of a region.
 */
final class EvenDivision {
  private static final double PRECISION = 1 << 16;

  private final Boundaries boundaries;
  private final PrefixAutomaton automaton;

  EvenDivision(Boundaries boundaries, PrefixAutomaton automaton) {
    this.boundaries = boundaries;
    this.automaton = automaton;
  }

  List<byte[]> divide(int regions) {
    if (regions < 1) {
      throw new IllegalArgumentException(
          "The number of regions must be 1 or more. given=" + regions);
    }
    List<byte[]> keys = new ArrayList<>();
    byte[] last = new byte[0];
    for (int i = 1; i < regions; i++) {
      byte[] key = at(new Fraction(i, regions), PRECISION * regions);
      if (ByteRanges.compare(key, last) <= 0) {
        throw new IllegalArgumentException(
            "The layout cannot be divided evenly into so many regions: its fixed-width beginning (up"
                + " to the first variable-length segment or the end of the entity group) has too few"
                + " values. Divide by a sample of real rows instead. regions="
                + regions
                + " layout="
                + boundaries.group().layout());
      }
      keys.add(key);
      last = key;
    }
    return keys;
  }

  /** The boundary at a fraction of the space; empty when there is none. */
  private byte[] at(Fraction fraction, double enoughValues) {
    PrefixWalk walk = boundaries.walk();
    Fraction rest = fraction;
    double values = 1;
    while (!rest.isZero()
        && values < enoughValues
        && !walk.isAtLimit()
        && !automaton.isVariable(walk.state())) {
      long total = totalWeight(walk);
      if (total == 0) {
        break;
      }
      rest = descend(walk, rest, total);
      values *= (double) total / automaton.completions(walk.state());
    }
    return withoutSmallestEnding(walk);
  }

  private long totalWeight(PrefixWalk walk) {
    int depth = walk.length();
    long total = 0;
    for (int b = 0; b <= 0xff; b++) {
      if (walk.push(b)) {
        total += automaton.completions(walk.state());
        walk.truncate(depth);
      }
    }
    return total;
  }

  /** Appends the byte whose share of the interval holds the fraction; answers where within it. */
  private Fraction descend(PrefixWalk walk, Fraction fraction, long total) {
    int depth = walk.length();
    long before = 0;
    for (int b = 0; b <= 0xff; b++) {
      if (walk.push(b)) {
        long weight = automaton.completions(walk.state());
        if (fraction.isBelow(before + weight, total)) {
          return fraction.within(before, weight, total);
        }
        before += weight;
        walk.truncate(depth);
      }
    }
    throw new AssertionError("A fraction below 1 lies in one of its parts");
  }

  /**
   * The prefix without the bytes that are the smallest possible at their place: no row lies between
   * {@code 16-} and {@code 16}, so the shorter one divides the same.
   */
  private static byte[] withoutSmallestEnding(PrefixWalk walk) {
    byte[] prefix = walk.prefix();
    int length = prefix.length;
    while (length > 0) {
      walk.truncate(length - 1);
      walk.pushAtLeast(0);
      if (walk.prefix()[length - 1] != prefix[length - 1]) {
        break;
      }
      length--;
    }
    return Arrays.copyOf(prefix, length);
  }

  /** An exact fraction, 0 (inclusive) to 1 (exclusive). */
  private static final class Fraction {
    private final long numerator;
    private final long denominator;

    Fraction(long numerator, long denominator) {
      this.numerator = numerator;
      this.denominator = denominator;
    }

    boolean isZero() {
      return numerator == 0;
    }

    /** Whether it is below {@code part/total}. */
    boolean isBelow(long part, long total) {
      return numerator * total < part * denominator;
    }

    /**
     * Its place within the interval from {@code before/total} that is {@code weight/total} wide.
     */
    Fraction within(long before, long weight, long total) {
      long above = numerator * total - before * denominator;
      long width = weight * denominator;
      long divisor = greatestCommonDivisor(above, width);
      return new Fraction(above / divisor, width / divisor);
    }

    private static long greatestCommonDivisor(long a, long b) {
      return b == 0 ? a : greatestCommonDivisor(b, a % b);
    }
  }
}
