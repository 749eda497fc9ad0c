package io.rowguard.layout;

/**
 * How many bytes a value has, in big-endian bytes in front of it, such as {@code with length
 * uint16}; a number may be added, as by programs that set the top bit: {@code with length uint8
 * plus 127}. Immutable; allocates nothing but in {@link #write(byte[])}.
 */
final class LengthPrefix {
  private final int bytes;
  private final long plus;

  /**
   * @param bytes how many bytes the number takes: 1, 2 or 4
   * @param plus what is added to the length; below what the bytes hold
   */
  LengthPrefix(int bytes, long plus) {
    this.bytes = bytes;
    this.plus = plus;
  }

  /** How many bytes the number takes. */
  int bytes() {
    return bytes;
  }

  /** The longest value that can be counted. */
  static long longest(int bytes, long plus) {
    return (1L << (8 * bytes)) - 1 - plus;
  }

  /** The longest value that can be counted, and fits a row. */
  int longest() {
    return (int) Math.min(longest(bytes, plus), RowkeyLayout.MAX_ROW_LENGTH - bytes);
  }

  /** The length that stands at a place, all of it; negative, or above every row's, when wrong. */
  long lengthAt(byte[] row, int pos) {
    long number = 0;
    for (int i = pos; i < pos + bytes; i++) {
      number = number << 8 | (row[i] & 0xff);
    }
    return number - plus;
  }

  /** The number that one more byte makes of the number that some make. */
  static long next(long number, byte b) {
    return number << 8 | (b & 0xff);
  }

  /**
   * Whether the number that {@code read} bytes make can be the beginning of that of a length.
   *
   * @param least the shortest value, inclusive
   * @param most the longest value, inclusive
   */
  boolean canBecome(long number, int read, int least, int most) {
    int missing = 8 * (bytes - read);
    long smallest = number << missing;
    long largest = smallest + (1L << missing) - 1;
    return smallest <= most + plus && largest >= least + plus;
  }

  /** The length for which the number stands that all bytes make. */
  int lengthOf(long number) {
    return (int) (number - plus);
  }

  /** Writes the number for a length to {@code at}. */
  void write(int length, byte[] target, int at) {
    long number = length + plus;
    for (int i = bytes - 1; i >= 0; i--) {
      target[at + i] = (byte) number;
      number >>>= 8;
    }
  }

  /** A value with its length in front. */
  byte[] write(byte[] value) {
    byte[] written = new byte[bytes + value.length];
    write(value.length, written, 0);
    System.arraycopy(value, 0, written, bytes, value.length);
    return written;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LengthPrefix
        && bytes == ((LengthPrefix) other).bytes
        && plus == ((LengthPrefix) other).plus;
  }

  @Override
  public int hashCode() {
    return 31 * bytes + Long.hashCode(plus);
  }

  /** Such as {@code with length uint8 plus 127}. */
  @Override
  public String toString() {
    return "with length uint" + 8 * bytes + (plus == 0 ? "" : " plus " + plus);
  }
}
