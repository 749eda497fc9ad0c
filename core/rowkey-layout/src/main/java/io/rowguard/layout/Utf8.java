package io.rowguard.layout;

/**
 * Valid UTF-8 as the Unicode Standard's table 3-7 defines it: no overlong forms, no surrogates,
 * nothing above U+10FFFF.
 *
 * <p>The JDK's decoder gives the same verdict (a test holds this class to it) but allocates; here
 * the rule is a small automaton that the check and the boundaries share. A state is a non-negative
 * int, {@link #START} between characters; {@link #next} gives the state after one more byte.
 */
final class Utf8 {
  /** Between two characters. */
  static final int START = 0;

  /** For {@link #firstInvalid}: the bytes are those of the text. */
  static final int STRAIGHT = 0;

  /** For {@link #firstInvalid}: the bytes are those of the text with all bits turned. */
  static final int TURNED = 0xff;

  /** No valid text begins like this. */
  static final int INVALID = -1;

  // States 1 to 3: that many continuation bytes 80..BF are missing. The others restrict the next
  // continuation byte, since the lead byte alone does not decide.
  private static final int AFTER_E0 = 4;
  private static final int AFTER_ED = 5;
  private static final int AFTER_F0 = 6;
  private static final int AFTER_F4 = 7;

  private Utf8() {}

  /** The state after {@code b}, or {@link #INVALID}. */
  static int next(int state, byte b) {
    int u = b & 0xff;
    switch (state) {
      case START:
        return afterLead(u);
      case AFTER_E0:
        return u >= 0xa0 && u <= 0xbf ? 1 : INVALID;
      case AFTER_ED:
        return u >= 0x80 && u <= 0x9f ? 1 : INVALID;
      case AFTER_F0:
        return u >= 0x90 && u <= 0xbf ? 2 : INVALID;
      case AFTER_F4:
        return u >= 0x80 && u <= 0x8f ? 2 : INVALID;
      default:
        return u >= 0x80 && u <= 0xbf ? state - 1 : INVALID;
    }
  }

  /** How many bytes are missing until the character that {@code state} is in is complete. */
  static int missing(int state) {
    switch (state) {
      case AFTER_E0:
      case AFTER_ED:
        return 2;
      case AFTER_F0:
      case AFTER_F4:
        return 3;
      default:
        return state;
    }
  }

  /**
   * {@link String#hashCode()} of the text that the bytes {@code [from, to)} are; any number where
   * they are none. Allocates nothing.
   */
  static int stringHash(byte[] bytes, int from, int to) {
    int hash = 0;
    int state = START;
    int character = 0;
    for (int i = from; i < to; i++) {
      int b = bytes[i];
      if (b >= 0) {
        hash = 31 * hash + b;
        continue;
      }
      boolean leads = state == START;
      state = Math.max(START, next(state, (byte) b));
      // A lead byte holds as many bits fewer as bytes are missing.
      character = leads ? b & (0x3f >> missing(state)) : character << 6 | (b & 0x3f);
      if (state == START) {
        hash =
            character < Character.MIN_SUPPLEMENTARY_CODE_POINT
                ? 31 * hash + character
                : 31 * (31 * hash + Character.highSurrogate(character))
                    + Character.lowSurrogate(character);
      }
    }
    return hash;
  }

  /** Whether a byte of valid text does not begin a character. */
  static boolean isContinuation(byte b) {
    return (b & 0xc0) == 0x80;
  }

  /** Whether a byte (0 to 255) stands in some valid text. */
  static boolean canHold(int u) {
    return u < 0xf5 && u != 0xc0 && u != 0xc1;
  }

  private static int afterLead(int u) {
    if (u < 0x80) {
      return START;
    }
    if (u < 0xc2 || u > 0xf4) {
      return INVALID;
    }
    if (u < 0xe0) {
      return 1;
    }
    if (u < 0xf0) {
      return u == 0xe0 ? AFTER_E0 : u == 0xed ? AFTER_ED : 2;
    }
    return u == 0xf0 ? AFTER_F0 : u == 0xf4 ? AFTER_F4 : 3;
  }

  /**
   * The index of the first byte of {@code [from, to)} that no valid text can have there; where the
   * range ends within a character, the index of that character's first byte; -1 when it is valid.
   *
   * @param turn which bits of each byte to turn before it is read
   */
  static int firstInvalid(byte[] bytes, int from, int to, int turn) {
    int state = START;
    int character = from;
    for (int i = from; i < to; i++) {
      byte b = (byte) (bytes[i] ^ turn);
      if (state == START) {
        if (b >= 0) {
          continue;
        }
        character = i;
      }
      state = next(state, b);
      if (state == INVALID) {
        return i;
      }
    }
    return state == START ? -1 : character;
  }
}
