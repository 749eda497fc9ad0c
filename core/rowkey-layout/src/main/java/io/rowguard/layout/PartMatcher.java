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
  // A second byte that may end the segment, before an optional one; -1 where there is none.
  private final int other;
  // The byte that stands here where rows lack this optional segment; -1 where they do not.
  private final int after;
  // Whether rows may lack this literal, with the optional segment behind it.
  private final boolean opensInner;
  // How the length of a value stands in front of it; null where it does not.
  private final LengthPrefix prefix;
  // Whether the row may end here instead of going on with the literal.
  private final boolean mayEndRow;
  // Of a segment of variable length: which bytes fit wherever they stand and do not begin the
  // literal. Nearly all rows hold nothing else there, and are read once. Null where every byte
  // fits, and for all other parts.
  private final boolean[] plain;

  /**
   * @param part the part
   * @param terminator the bytes of the literal right after the part, or null when there is none
   * @param other the literal that stands right after the part where rows lack what may be lacking
   *     in between, or null
   * @param after of an optional segment before the end, the literal right after it, else null
   * @param opensInner whether this is the literal before such a segment
   * @param mayEndRow whether all that comes after the part may be missing
   */
  PartMatcher(
      Part part,
      byte[] terminator,
      byte[] other,
      byte[] after,
      boolean opensInner,
      boolean mayEndRow) {
    this.part = part;
    this.other = other == null ? -1 : other[0] & 0xff;
    this.after = after == null ? -1 : after[0] & 0xff;
    this.opensInner = opensInner;
    this.mayEndRow = mayEndRow;
    this.fixed = part.isFixedLength();
    this.min = part.minLength();
    this.max = part.maxLength();
    if (part instanceof Segment) {
      Segment segment = (Segment) part;
      this.type = segment.type();
      this.turned = segment.isTurned();
      this.prefix = segment.prefix();
      this.literal = prefix == null ? terminator : null;
      this.excludesLiteral = terminator != null && type.kind().excludesLiteral();
      this.plain =
          fixed || prefix != null || type.acceptsAllBytes()
              ? null
              : plainBytes(segment, terminator, this.other);
    } else {
      this.type = null;
      this.prefix = null;
      this.turned = false;
      this.literal = ((Literal) part).shared();
      this.excludesLiteral = false;
      this.plain = null;
    }
  }

  private static boolean[] plainBytes(Segment segment, byte[] terminator, int other) {
    boolean[] plain = new boolean[256];
    for (int b = 0; b < plain.length; b++) {
      boolean ends = b == other || (terminator != null && b == (terminator[0] & 0xff));
      plain[b] = segment.acceptsAlone(b) && !ends;
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
    if (fixed) {
      return matchFixed(row, pos, end);
    }
    return prefix == null ? matchVariable(row, pos, end) : matchCounted(row, pos, end);
  }

  /** The position after the part at {@code pos}, in a row that is known to match. */
  int skip(byte[] row, int pos, int end) {
    if (fixed) {
      boolean isLacking = opensInner && !ByteRanges.startsWith(row, pos, end, literal);
      isLacking |= after >= 0 && pos < end && (row[pos] & 0xff) == after;
      return isLacking ? pos : pos + min;
    }
    if (prefix != null) {
      return pos == end ? end : pos + prefix.bytes() + (int) prefix.lengthAt(row, pos);
    }
    int to = endOf(row, pos, end);
    return to < 0 ? end : to;
  }

  /** Where a literal that ends the segment first stands; -1 when none does. */
  private int endOf(byte[] row, int pos, int end) {
    int to = literal == null ? -1 : ByteRanges.indexOf(row, pos, end, literal);
    if (other >= 0) {
      for (int i = pos; i < (to < 0 ? end : to); i++) {
        if ((row[i] & 0xff) == other) {
          return i;
        }
      }
    }
    return to;
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

  private int matchCounted(byte[] row, int pos, int end) {
    int start = pos + prefix.bytes();
    if (start > end) {
      return Verdict.TOO_SHORT.asFailure();
    }
    long length = prefix.lengthAt(row, pos);
    if (length < type.minLength()) {
      return Verdict.SEGMENT_TOO_SHORT.asFailure();
    }
    if (length > max - prefix.bytes()) {
      return Verdict.SEGMENT_TOO_LONG.asFailure();
    }
    if (length > end - start) {
      return Verdict.TOO_SHORT.asFailure();
    }
    int to = start + (int) length;
    return type.firstWrong(row, start, to, turned) >= 0 ? type.kind().violation().asFailure() : to;
  }

  private int matchVariable(byte[] row, int pos, int end) {
    int to = plain == null ? end : endOfPlain(row, pos, end);
    boolean ends =
        to == end
            ? literal == null || mayEndRow
            : (literal != null && ByteRanges.startsWith(row, to, end, literal))
                || (row[to] & 0xff) == other;
    return ends && to - pos >= min && to - pos <= max ? to : judgeVariable(row, pos, end);
  }

  private int judgeVariable(byte[] row, int pos, int end) {
    int to = endOf(row, pos, end);
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
