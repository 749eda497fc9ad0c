package io.rowguard.layout;

import java.util.List;

/**
 * The salt of the usual salted layout: the hash of one range, and it stands before all else.
 *
 * <p>What follows such a salt and the literal after it is the bare key as it is, part by part, so a
 * bare key is judged, located and completed in one pass, and the row needs no second look: only its
 * length can be wrong. Immutable and thread-safe.
 */
final class FrontSalt {
  private final RowMatcher bareMatcher;
  private final DerivedValue value;
  // How many parts of the row stand before its bare key.
  private final int ahead;
  // The bytes of these, with zeros for the salt.
  private final byte[] head;

  private FrontSalt(List<Part> parts, RowMatcher bareMatcher, DerivedValue value) {
    this.bareMatcher = bareMatcher;
    this.value = value;
    this.ahead = parts.size() - bareMatcher.partCount();
    byte[] literal = ahead == 1 ? new byte[0] : ((Literal) parts.get(1)).shared();
    this.head = new byte[value.segment().minLength() + literal.length];
    System.arraycopy(literal, 0, head, head.length - literal.length, literal.length);
  }

  /**
   * The salt of a layout.
   *
   * @param onlyHash the layout's one derived value, the hash of one range; null when it has others
   * @return null when it is not before all else
   */
  static FrontSalt of(List<Part> parts, RowMatcher bareMatcher, DerivedValue onlyHash) {
    return onlyHash == null || onlyHash.part() != 0
        ? null
        : new FrontSalt(parts, bareMatcher, onlyHash);
  }

  /** {@link RowkeyLayout#completeIfBare}. */
  byte[] completeIfBare(byte[] bareKey, int maxRowLength) {
    long input =
        bareMatcher.matchAndLocate(
            bareKey,
            0,
            bareKey.length,
            value.firstInput() - ahead,
            value.lastOfFirstRange() - ahead);
    if (input < 0 || bareKey.length > maxRowLength - head.length) {
      return null;
    }
    byte[] row = new byte[head.length + bareKey.length];
    System.arraycopy(head, 0, row, 0, head.length);
    System.arraycopy(bareKey, 0, row, head.length, bareKey.length);
    int start = head.length + (int) (input >>> 32);
    value.writeAhead(row, start, head.length + (int) input);
    return row;
  }
}
