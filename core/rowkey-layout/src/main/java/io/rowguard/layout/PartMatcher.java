package io.rowguard.layout;

/**
 * Matches one part of a layout against a row. Immutable; allocates nothing.
 *
 * <p>A match is an int: the position after the part, or a negative {@link Verdict#asFailure()}.
 */
final class PartMatcher {
  private final Part part;
  private final SegmentType type;
  // Whether a text stands there with all bits turned.
  private final boolean turned;
  private final byte[] literal;
  private final boolean fixed;
  private final int min;
  private final int max;
  private final boolean excludesLiteral;
  // Whether the row may end here instead of going on with the literal.
  private final boolean mayEndRow;
  // Of a segment of variable length: which bytes fit wherever they stand and do not begin the
  // literal. Nearly all rows hold nothing else there, and are read once. Null where every byte
  // fits, and for all other parts.
  private final boolean[] plain;

  /**
   * @param part the part
   * @param terminator the bytes of the literal right after the part, or null when there is none
   * @param mayEndRow whether all that comes after the part may be missing
   */
  PartMatcher(Part part, byte[] terminator, boolean mayEndRow) {
    this.part = part;
    this.mayEndRow = mayEndRow;
    this.fixed = part.isFixedLength();
    this.min = part.minLength();
    this.max = part.maxLength();
    if (part instanceof Segment) {
      Segment segment = (Segment) part;
      this.type = segment.type();
      this.turned = segment.isTurned();
      this.literal = terminator;
      this.excludesLiteral = terminator != null && type.kind().excludesLiteral();
      this.plain = fixed || type.acceptsAllBytes() ? null : plainBytes(segment, terminator);
    } else {
      this.type = null;
      this.turned = false;
      this.literal = ((Literal) part).shared();
      this.excludesLiteral = false;
      this.plain = null;
    }
  }

  private static boolean[] plainBytes(Segment segment, byte[] terminator) {
    boolean[] plain = new boolean[256];
    for (int b = 0; b < plain.length; b++) {
      plain[b] = segment.acceptsAlone(b) && (terminator == null || b != (terminator[0] & 0xff));
    }
    return plain;
  }

  Part part() {
    return part;
  }

  /** Matches at {@code pos} in a row that ends before {@code end}. */
  int match(byte[] row, int pos, int end) {
    if (type == null) {
      return ByteRanges.startsWith(row, pos, end, literal)
          ? pos + literal.length
          : Verdict.LITERAL_MISSING.asFailure();
    }
    return fixed ? matchFixed(row, pos, end) : matchVariable(row, pos, end);
  }

  /** The position after the part at {@code pos}, in a row that is known to match. */
  int skip(byte[] row, int pos, int end) {
    if (fixed) {
      return pos + min;
    }
    int to = literal == null ? -1 : ByteRanges.indexOf(row, pos, end, literal);
    return to < 0 ? end : to;
  }

  private int matchFixed(byte[] row, int pos, int end) {
    if (end - pos < min) {
      return Verdict.TOO_SHORT.asFailure();
    }
    int to = pos + min;
    if (type.firstWrong(row, pos, to, turned) >= 0) {
      return type.kind().violation().asFailure();
    }
    if (excludesLiteral && ByteRanges.indexOf(row, pos, to, literal) >= 0) {
      return Verdict.LITERAL_INSIDE.asFailure();
    }
    return to;
  }

  private int matchVariable(byte[] row, int pos, int end) {
    int to = plain == null ? end : endOfPlain(row, pos, end);
    boolean ends =
        to == end
            ? literal == null || mayEndRow
            : literal != null && ByteRanges.startsWith(row, to, end, literal);
    return ends && to - pos >= min && to - pos <= max ? to : judgeVariable(row, pos, end);
  }

  private int judgeVariable(byte[] row, int pos, int end) {
    int to = literal == null ? -1 : ByteRanges.indexOf(row, pos, end, literal);
    if (to < 0) {
      if (literal != null && !mayEndRow) {
        return Verdict.LITERAL_MISSING.asFailure();
      }
      if (pos == end) {
        return Verdict.TOO_SHORT.asFailure();
      }
      to = end;
    }
    if (to - pos < min) {
      return Verdict.SEGMENT_TOO_SHORT.asFailure();
    }
    if (to - pos > max) {
      return Verdict.SEGMENT_TOO_LONG.asFailure();
    }
    return type.firstWrong(row, pos, to, turned) >= 0 ? type.kind().violation().asFailure() : to;
  }

  /** The first place in {@code [pos, end)} of a byte that is not plain, or {@code end}. */
  private int endOfPlain(byte[] row, int pos, int end) {
    int to = pos;
    while (to < end && plain[row[to] & 0xff]) {
      to++;
    }
    return to;
  }
}
