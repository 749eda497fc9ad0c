package io.rowguard.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Divides the leading fixed-width space of a layout evenly.
 *
 * <p>The boundary at a fraction of the space is found as arithmetic decoding finds a symbol: at
 * each byte the interval is divided among the bytes that may come next, each weighted by what can
 * follow it, and the part that holds the fraction is taken. The place of a key in the space is
 * found the other way round. Fractions are exact. It stops where the fraction falls on the
 * beginning of a part, or where the part is below 1/65,536 of a region.
 */
final class EvenDivision {
  private static final int PRECISION = 1 << 16;

  private final LayoutBoundaries boundaries;
  private final PrefixAutomaton automaton;

  EvenDivision(LayoutBoundaries boundaries, PrefixAutomaton automaton) {
    this.boundaries = boundaries;
    this.automaton = automaton;
  }

  /**
   * @param start inclusive; empty for the beginning of the space
   * @param end exclusive; empty for its end
   */
  List<byte[]> divide(byte[] start, byte[] end, int regions) {
    if (regions < 1) {
      throw new IllegalArgumentException(
          "The number of regions must be 1 or more. given=" + regions);
    }
    if (end.length > 0 && ByteRanges.compare(start, end) >= 0) {
      throw new IllegalArgumentException(
          "The start must be below the end. start=\""
              + RowText.abbreviated(start)
              + "\" end=\""
              + RowText.abbreviated(end)
              + "\"");
    }
    Fraction from = start.length == 0 ? Fraction.ZERO : place(start);
    Fraction width = (end.length == 0 ? Fraction.ONE : place(end)).minus(from);
    Fraction enough = width.over(Fraction.of((long) PRECISION * regions, 1));
    List<byte[]> keys = new ArrayList<>();
    Fraction last = from;
    for (int i = 1; i < regions; i++) {
      if (width.isZero()) {
        throw tooFew(regions);
      }
      byte[] key = at(from.plus(width.times(Fraction.of(i, regions))), enough);
      Fraction place = place(key);
      // Compared by place and not by bytes: no row lies between 9 and a of a hex segment.
      if (!last.isBelow(place)) {
        throw tooFew(regions);
      }
      keys.add(key);
      last = place;
    }
    return keys;
  }

  private IllegalArgumentException tooFew(int regions) {
    return new IllegalArgumentException(
        "The layout cannot be divided evenly into so many regions: its fixed-width beginning (up to"
            + " the first variable-length segment or the end of the entity group) has too few"
            + " values. Divide by a sample of real rows instead. regions="
            + regions
            + " layout="
            + boundaries.group().layout());
  }

  /** The share of the space that lies below a key. */
  private Fraction place(byte[] key) {
    PrefixWalk walk = boundaries.walk();
    Fraction below = Fraction.ZERO;
    Fraction width = Fraction.ONE;
    for (byte b : key) {
      if (isEndOfSpace(walk)) {
        break;
      }
      long total = weightBelow(walk, 0x100);
      long before = weightBelow(walk, b & 0xff);
      if (total == 0) {
        break;
      }
      below = below.plus(width.times(Fraction.of(before, total)));
      PrefixState state = walk.state();
      if (!walk.push(b & 0xff)) {
        break;
      }
      width = width.times(Fraction.of(automaton.weight(state, b), total));
    }
    return below;
  }

  /** The boundary at a fraction of the space; empty when there is none. */
  private byte[] at(Fraction fraction, Fraction enough) {
    PrefixWalk walk = boundaries.walk();
    Fraction rest = fraction;
    Fraction width = Fraction.ONE;
    while (!rest.isZero() && enough.isBelow(width) && !isEndOfSpace(walk)) {
      long total = weightBelow(walk, 0x100);
      if (total == 0) {
        break;
      }
      PrefixState state = walk.state();
      rest = descend(walk, rest, total);
      width = width.times(Fraction.of(automaton.weight(state, walk.last()), total));
    }
    return withoutSmallestEnding(walk);
  }

  private boolean isEndOfSpace(PrefixWalk walk) {
    PrefixState state = walk.state();
    return walk.isAtLimit() || automaton.isVariable(state) || automaton.isOptional(state);
  }

  /** The weight of all that can follow the prefix with a next byte below {@code limit}. */
  private long weightBelow(PrefixWalk walk, int limit) {
    int depth = walk.length();
    PrefixState state = walk.state();
    long weight = 0;
    for (int b = 0; b < limit; b++) {
      if (walk.push(b)) {
        weight += automaton.weight(state, (byte) b);
        walk.truncate(depth);
      }
    }
    return weight;
  }

  /** Appends the byte whose share of the interval holds the fraction; answers where within it. */
  private Fraction descend(PrefixWalk walk, Fraction fraction, long total) {
    int depth = walk.length();
    PrefixState state = walk.state();
    long before = 0;
    for (int b = 0; b <= 0xff; b++) {
      if (walk.push(b)) {
        long weight = automaton.weight(state, (byte) b);
        if (fraction.isBelow(Fraction.of(before + weight, total))) {
          return fraction.minus(Fraction.of(before, total)).over(Fraction.of(weight, total));
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
}
