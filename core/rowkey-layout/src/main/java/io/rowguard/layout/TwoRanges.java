package io.rowguard.layout;

/**
 * The positions of two ranges of parts in a row, noted while its structure is matched: four
 * positions of 15 bits each in one long. Immutable.
 *
 * <p>The long is a sum of products, so that noting has no branches: per part, what the position in
 * front of it and the one behind it are to be multiplied with, 0 for most.
 */
final class TwoRanges {
  private static final int START = 45;
  private static final int STOP = 30;
  private static final int OTHER_START = 15;
  private static final int POSITION = 0x7fff;

  private final long[] inFront;
  private final long[] behind;

  /**
   * @param parts how many parts the layout has
   * @param value one {@linkplain DerivedValue#isOfTwoRanges of two ranges}
   */
  TwoRanges(int parts, DerivedValue value) {
    this.inFront = new long[parts];
    this.behind = new long[parts];
    inFront[value.firstInput()] += 1L << START;
    behind[value.lastOfFirstRange()] += 1L << STOP;
    inFront[value.secondInput()] += 1L << OTHER_START;
    behind[value.lastOfSecondRange()] += 1L;
  }

  /** The sum to add for a position in front of a part. */
  long inFront(int part, int position) {
    return inFront[part] * position;
  }

  /** The sum to add for a position behind a part. */
  long behind(int part, int position) {
    return behind[part] * position;
  }

  /** The start (inclusive) of the first range. */
  static int start(long positions) {
    return (int) (positions >>> START);
  }

  /** The end (exclusive) of the first range. */
  static int stop(long positions) {
    return (int) (positions >>> STOP) & POSITION;
  }

  /** The start (inclusive) of the second range. */
  static int otherStart(long positions) {
    return (int) (positions >>> OTHER_START) & POSITION;
  }

  /** The end (exclusive) of the second range. */
  static int otherStop(long positions) {
    return (int) positions & POSITION;
  }
}
