package io.rowguard.layout;

import java.util.Arrays;

/**
 * How far a prefix of a row has come in its layout; what {@link PrefixAutomaton} steps through.
 * Immutable; two equal states allow the same continuations.
 */
final class PrefixState {
  static final int[] NONE = {};

  /** The part that the next byte belongs to; the number of parts when the row is complete. */
  final int part;

  /** Bytes of the part so far; not counted beyond the minimum where there is no maximum. */
  final int length;

  /**
   * Text and word: the {@link Utf8} state after all bytes of the part, {@link Utf8#INVALID} when
   * they cannot all be its value. Derived with buckets: the smallest number ({@link
   * BucketNumbers}).
   */
  final int value;

  /** How many bytes of the following literal the bytes so far end with, at most. */
  final int literalSuffix;

  /** The lengths of beginnings of the literal that may have begun in earnest, longest first. */
  final int[] begun;

  /**
   * Where the value's length stands in front of it: the number that the bytes of the length make,
   * and when these are complete, how many bytes are missing; else 0. Then {@link #length} counts
   * the bytes of the length only.
   */
  final long number;

  PrefixState(int part, int length, int value, int literalSuffix, int[] begun) {
    this(part, length, value, literalSuffix, begun, 0);
  }

  private PrefixState(
      int part, int length, int value, int literalSuffix, int[] begun, long number) {
    this.part = part;
    this.length = length;
    this.value = value;
    this.literalSuffix = literalSuffix;
    this.begun = begun;
    this.number = number;
  }

  /** Within a segment whose length stands in front of its value. */
  static PrefixState counted(int part, int length, long number, int value) {
    return new PrefixState(part, length, value, 0, NONE, number);
  }

  static PrefixState startOf(int part) {
    return new PrefixState(part, 0, 0, 0, NONE);
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof PrefixState)) {
      return false;
    }
    PrefixState that = (PrefixState) other;
    return part == that.part
        && length == that.length
        && value == that.value
        && literalSuffix == that.literalSuffix
        && number == that.number
        && Arrays.equals(begun, that.begun);
  }

  @Override
  public int hashCode() {
    int counts = 31 * (31 * (31 * part + length) + value) + literalSuffix;
    return 31 * (31 * counts + Long.hashCode(number)) + Arrays.hashCode(begun);
  }
}
