package io.rowguard.layout;

/**
 * The one-byte alphabets of {@code hex}, {@code HEX}, {@code digits} and {@code word}, as bits in
 * one table: a byte belongs to an alphabet when the table's entry has the alphabet's bit.
 */
final class Alphabet {
  private static final int DIGIT = 1;
  private static final int HEX_LOWER = 2;
  private static final int HEX_UPPER = 4;
  private static final int WORD = 8;

  private static final byte[] MEMBERSHIP = membership();

  private Alphabet() {}

  /** The alphabet's bit for a kind that has a one-byte alphabet. */
  static int of(SegmentType.Kind kind) {
    switch (kind) {
      case HEX_LOWER:
        return HEX_LOWER;
      case HEX_UPPER:
        return HEX_UPPER;
      case DIGITS:
        return DIGIT;
      case WORD:
        return WORD;
      default:
        throw new IllegalArgumentException("No one-byte alphabet. kind=" + kind);
    }
  }

  static boolean contains(int alphabet, int b) {
    return (MEMBERSHIP[b & 0xff] & alphabet) != 0;
  }

  /** The index of the first byte of {@code [from, to)} outside the alphabet, or -1. */
  static int firstOutside(byte[] row, int from, int to, int alphabet) {
    for (int i = from; i < to; i++) {
      if ((MEMBERSHIP[row[i] & 0xff] & alphabet) == 0) {
        return i;
      }
    }
    return -1;
  }

  private static byte[] membership() {
    byte[] table = new byte[256];
    add(table, '0', '9', DIGIT | HEX_LOWER | HEX_UPPER | WORD);
    add(table, 'a', 'f', HEX_LOWER);
    add(table, 'A', 'F', HEX_UPPER);
    add(table, 'a', 'z', WORD);
    add(table, 'A', 'Z', WORD);
    add(table, '_', '_', WORD);
    return table;
  }

  private static void add(byte[] table, char first, char last, int bits) {
    for (int c = first; c <= last; c++) {
      table[c] |= (byte) bits;
    }
  }
}
