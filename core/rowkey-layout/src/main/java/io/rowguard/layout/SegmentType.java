package io.rowguard.layout;

import java.util.Objects;

/**
 * The values that a segment may hold and the bytes that it takes, such as {@code hex(4)} or {@code
 * text}. Immutable.
 *
 * <p>Lengths count bytes in the row, also for text: {@code text(2)} holds two ASCII characters or
 * one of two bytes.
 */
public final class SegmentType {
  /** The families of types. */
  public enum Kind {
    /** Lower-case hex digits, {@code hex(n)}. */
    HEX_LOWER("hex", "hex digit 0-9a-f", Verdict.NOT_HEX),
    /** Upper-case hex digits, {@code HEX(n)}. */
    HEX_UPPER("HEX", "hex digit 0-9A-F", Verdict.NOT_HEX),
    /** Decimal digits, {@code digits(n)}, {@code digits(n..m)}. */
    DIGITS("digits", "digit", Verdict.NOT_DIGITS),
    /** UTF-8, {@code text}, {@code text(n)}, {@code text(n..m)}. */
    TEXT("text", "byte of UTF-8 text", Verdict.NOT_TEXT),
    /** ASCII letters, digits and underscores, {@code word}, {@code word(n)}, {@code word(n..m)}. */
    WORD("word", "letter, digit or underscore", Verdict.NOT_WORD),
    /**
     * Any bytes, {@code bytes(n)}, or {@code bytes} at the end; {@code bytes} and {@code
     * bytes(n..m)} with their length.
     */
    BYTES("bytes", "byte", Verdict.CONFORMS),
    /** An unsigned big-endian number, {@code uint8} to {@code uint64}. */
    UINT("uint", "byte", Verdict.CONFORMS),
    /** A signed big-endian number with its sign bit turned, {@code int8} to {@code int64}. */
    INT("int", "byte", Verdict.CONFORMS),
    /** Milliseconds since the epoch, 8 bytes big-endian with the top bit clear. */
    MILLIS("millis", "byte", Verdict.NOT_MILLIS);

    private final String text;
    private final String unit;
    private final Verdict violation;

    Kind(String text, String unit, Verdict violation) {
      this.text = text;
      this.unit = unit;
      this.violation = violation;
    }

    /** The verdict on a byte outside this kind's alphabet; CONFORMS where every byte is in it. */
    Verdict violation() {
      return violation;
    }

    /** Whether values are one string or byte array that {@code reversed} can turn around. */
    boolean canBeReversed() {
      return !isNumber();
    }

    /** Whether {@code descending} can turn the order around: not of hex digits and words. */
    boolean canDescend() {
      return isNumber() || this == DIGITS || this == TEXT || this == BYTES;
    }

    /** Whether values are whole numbers, written as big-endian bytes. */
    boolean isNumber() {
      return this == UINT || this == INT || this == MILLIS;
    }

    /** Whether the length of a value may stand in front of it. */
    boolean canHaveLength() {
      return this == TEXT || this == WORD || this == BYTES;
    }

    /** Whether a literal that follows may not stand inside. */
    boolean excludesLiteral() {
      return this == TEXT || this == WORD;
    }
  }

  private final Kind kind;
  private final int min;
  private final int max;

  private SegmentType(Kind kind, int min, int max) {
    this.kind = kind;
    this.min = min;
    this.max = max;
  }

  static SegmentType of(Kind kind, int min, int max) {
    return new SegmentType(kind, min, max);
  }

  /** The form without numbers: 1 byte up to the longest row. */
  static SegmentType unbounded(Kind kind) {
    return new SegmentType(kind, 1, RowkeyLayout.MAX_ROW_LENGTH);
  }

  /** The family this type belongs to. */
  public Kind kind() {
    return kind;
  }

  /** The fewest bytes of a value: 1 or more, or 0 where its length stands in front of it. */
  public int minLength() {
    return min;
  }

  /** The most bytes of a value, at most {@link RowkeyLayout#MAX_ROW_LENGTH}. */
  public int maxLength() {
    return max;
  }

  /** Whether every value takes the same number of bytes. */
  public boolean isFixedLength() {
    return min == max;
  }

  /**
   * The index of the first byte in {@code [from, to)} that this type does not accept, or -1. Length
   * is not judged. Allocates nothing.
   *
   * @param turned whether the bytes of a text stand there with all bits turned
   */
  int firstWrong(byte[] row, int from, int to, boolean turned) {
    switch (kind) {
      case BYTES:
      case UINT:
      case INT:
        return -1;
      case MILLIS:
        return row[from] < 0 ? from : -1;
      case TEXT:
        return Utf8.firstInvalid(row, from, to, turned ? Utf8.TURNED : Utf8.STRAIGHT);
      default:
        return Alphabet.firstOutside(row, from, to, Alphabet.of(kind));
    }
  }

  /** Whether any bytes at all are a value, if only their number is right. */
  boolean acceptsAllBytes() {
    return kind == Kind.BYTES || kind == Kind.UINT || kind == Kind.INT;
  }

  /** Whether a byte (0 to 255) may stand anywhere in a value, whatever stands around it. */
  boolean acceptsAlone(int b) {
    switch (kind) {
      case BYTES:
      case UINT:
      case INT:
        return true;
      case TEXT:
        return b < 0x80;
      case MILLIS:
        // The first byte is not like the others.
        return false;
      default:
        return Alphabet.contains(Alphabet.of(kind), b);
    }
  }

  /** For people: {@code "2 digits"}, {@code "1 or more letters, digits or underscores"}. */
  String expectation() {
    switch (kind) {
      case UINT:
        return min + "-byte unsigned number";
      case INT:
        return min + "-byte signed number with its sign bit turned";
      case MILLIS:
        return "8-byte time in milliseconds with the top bit clear";
      default:
        return count() + " " + plural();
    }
  }

  private String count() {
    if (min == max) {
      return Integer.toString(min);
    }
    return max == RowkeyLayout.MAX_ROW_LENGTH ? min + " or more" : min + " to " + max;
  }

  private String plural() {
    boolean one = min == 1 && max == 1;
    switch (kind) {
      case WORD:
        return one ? kind.unit : "letters, digits or underscores";
      case HEX_LOWER:
        return (one ? "hex digit" : "hex digits") + " 0-9a-f";
      case HEX_UPPER:
        return (one ? "hex digit" : "hex digits") + " 0-9A-F";
      case TEXT:
        return (one ? "byte" : "bytes") + " of UTF-8 text";
      default:
        return one ? kind.unit : kind.unit + "s";
    }
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof SegmentType)) {
      return false;
    }
    SegmentType that = (SegmentType) other;
    return kind == that.kind && min == that.min && max == that.max;
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, min, max);
  }

  /** This type as it stands in a layout's text. */
  @Override
  public String toString() {
    if (kind == Kind.UINT || kind == Kind.INT) {
      return kind.text + 8 * min;
    }
    boolean isUnbounded = min == 1 && max == RowkeyLayout.MAX_ROW_LENGTH && kind != Kind.DIGITS;
    if (kind == Kind.MILLIS || isUnbounded) {
      return kind.text;
    }
    return kind.text + "(" + (min == max ? "" + min : min + ".." + max) + ")";
  }
}
