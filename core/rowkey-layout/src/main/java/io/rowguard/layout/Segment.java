package io.rowguard.layout;

import java.util.Objects;

/**
 * A named part of a layout that holds a value, such as {@code {time:millis descending}}. Immutable.
 *
 * <p>A segment is <em>plain</em> when the writer gives its value, <em>derived</em> when it is
 * computed from other segments (a salt).
 */
public final class Segment extends Part {
  /** How the value is turned before it is written. */
  enum Modifier {
    NONE,
    /** Back to front: by character for text, by byte for everything else. */
    REVERSED,
    /**
     * So that the largest value comes first: the type's largest number, or a given one, minus the
     * value, or all bits of a text or of bytes turned.
     */
    DESCENDING
  }

  private static final long NO_NUMBER = -1;

  private final String name;
  private final SegmentType type;
  private final Modifier modifier;
  // The number that the value is taken from; NO_NUMBER where the type's own is, or none.
  private final long minuend;
  // How the value's length stands in front of it; null where it does not.
  private final LengthPrefix prefix;
  private final boolean optional;
  private final Derivation derivation;

  Segment(String name, SegmentType type, Modifier modifier, Derivation derivation) {
    this(name, type, modifier, NO_NUMBER, null, false, derivation);
  }

  private Segment(
      String name,
      SegmentType type,
      Modifier modifier,
      long minuend,
      LengthPrefix prefix,
      boolean optional,
      Derivation derivation) {
    this.name = name;
    this.type = type;
    this.modifier = modifier;
    this.minuend = minuend;
    this.prefix = prefix;
    this.optional = optional;
    this.derivation = derivation;
  }

  /** The same segment, which rows may lack. */
  Segment asOptional() {
    return new Segment(name, type, modifier, minuend, prefix, true, derivation);
  }

  /** The same segment with a modifier. */
  Segment modifiedBy(Modifier other) {
    return new Segment(name, type, other, minuend, prefix, optional, derivation);
  }

  /**
   * The same segment of digits, in which stands how much a number exceeds the value.
   *
   * @param number from {@link NumberForm#smallestMinuend} to {@link NumberForm#largestMinuend}
   */
  Segment descendingFrom(long number) {
    return new Segment(name, type, Modifier.DESCENDING, number, prefix, optional, derivation);
  }

  /** The same segment with the length of its value in front of it. */
  Segment withLength(LengthPrefix length) {
    return new Segment(name, type, modifier, minuend, length, optional, derivation);
  }

  /** The name, unique within its layout. */
  public String name() {
    return name;
  }

  /** The same segment, computed in another way. */
  Segment derivedBy(Derivation other) {
    return new Segment(name, type, modifier, minuend, prefix, optional, other);
  }

  /** The type: the values that it may hold. */
  public SegmentType type() {
    return type;
  }

  /** Whether the value is written back to front. */
  public boolean isReversed() {
    return modifier == Modifier.REVERSED;
  }

  /**
   * Whether the largest value comes first: a number is written as the largest one minus itself, a
   * text or bytes with all bits turned. For digits see {@link #isDescendingFrom}.
   */
  public boolean isDescending() {
    return modifier == Modifier.DESCENDING;
  }

  /**
   * Whether digits in the row say how much a number exceeds the value: {@code digits(16) descending
   * from 9223372036854775}.
   */
  public boolean isDescendingFrom() {
    return minuend != NO_NUMBER;
  }

  /** The number that the value is taken from where {@link #isDescendingFrom}; else -1. */
  public long minuend() {
    return minuend;
  }

  /** Whether the value is a whole number, and not a text or bytes. */
  public boolean isNumber() {
    return type.kind().isNumber() || isDescendingFrom();
  }

  /** Whether all bits of the value are turned in the row. */
  boolean isTurned() {
    return isDescending() && !isNumber();
  }

  /** As {@link SegmentType#firstWrong}, of the value's bytes as they stand in the row. */
  int firstWrong(byte[] row, int from, int to) {
    return type.firstWrong(row, from, to, isTurned());
  }

  /** Whether a byte (0 to 255), as it stands in the row, can be in some value. */
  boolean accepts(int b) {
    switch (type.kind()) {
      case TEXT:
        return Utf8.canHold(isTurned() ? ~b & 0xff : b);
      case MILLIS:
        return true;
      default:
        return acceptsAlone(b);
    }
  }

  /** As {@link SegmentType#acceptsAlone}, of a byte as it stands in the row. */
  boolean acceptsAlone(int b) {
    return type.acceptsAlone(isTurned() ? ~b & 0xff : b);
  }

  /** How the value's length stands in front of it; null where it does not. */
  LengthPrefix prefix() {
    return prefix;
  }

  /** Whether the value's length stands in front of it: {@code with length uint16}. */
  public boolean hasLength() {
    return prefix != null;
  }

  /** How many bytes the length in front of the value takes; 0 where there is none. */
  public int lengthBytes() {
    return prefix == null ? 0 : prefix.bytes();
  }

  /**
   * How the length stands in front of the value, as in a layout's text; empty where it does not.
   */
  public String lengthForm() {
    return prefix == null ? "" : prefix.toString();
  }

  /**
   * Writes the length of a value that stands right behind it. Allocates nothing.
   *
   * @param length of a value that the segment can hold; the segment {@link #hasLength}
   * @param target where the {@link #lengthBytes()} bytes go, beginning at {@code at}
   */
  public void writeLength(int length, byte[] target, int at) {
    prefix.write(length, target, at);
  }

  /** The fewest bytes of the value alone. */
  public int shortestValue() {
    return type.minLength();
  }

  /** The most bytes of the value alone. */
  public int longestValue() {
    return prefix == null ? type.maxLength() : Math.min(type.maxLength(), prefix.longest());
  }

  @Override
  boolean endsByItself() {
    return prefix != null || isFixedLength();
  }

  /** Whether rows may lack the segment, and with it the literal right before it. */
  public boolean isOptional() {
    return optional;
  }

  /** Whether the value is computed from other segments. */
  public boolean isDerived() {
    return derivation != null;
  }

  /** How the value is computed, or null for a plain segment. */
  public Derivation derivation() {
    return derivation;
  }

  @Override
  public int minLength() {
    return lengthBytes() + type.minLength();
  }

  @Override
  public int maxLength() {
    return lengthBytes() + longestValue();
  }

  /** For people: what has to stand here, such as {@code "2 digits, 00-15"}. */
  String expectation() {
    String expectation =
        (prefix == null ? "" : lengthText())
            + type.expectation()
            + (isTurned() ? " with all bits turned" : "");
    if (!isDerived() || !derivation.hasBuckets()) {
      return expectation;
    }
    return expectation
        + ", "
        + RowText.abbreviated(written(0))
        + "-"
        + RowText.abbreviated(written(derivation.buckets() - 1));
  }

  private String lengthText() {
    return "a length of "
        + type.minLength()
        + " to "
        + longestValue()
        + " in "
        + (prefix.bytes() == 1 ? "1 byte" : prefix.bytes() + " bytes")
        + ", then ";
  }

  /**
   * Writes a number as this segment holds it: zero-padded, its modifier applied. Allocates nothing.
   *
   * <p>Only for segments of fixed length that are neither text nor word.
   *
   * @param number of at most as many digits or bytes as the segment has, of which the rest is cut
   *     off; unsigned but for {@code digits} and {@code intN}
   * @param target where the {@link #minLength()} bytes go, beginning at {@code at}
   */
  public void write(long number, byte[] target, int at) {
    NumberForm.write(this, number, target, at);
  }

  /** The bytes of a number, as {@link #write} has them. */
  byte[] written(long number) {
    byte[] bytes = new byte[minLength()];
    write(number, bytes, 0);
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Segment)) {
      return false;
    }
    Segment that = (Segment) other;
    return name.equals(that.name)
        && type.equals(that.type)
        && modifier == that.modifier
        && minuend == that.minuend
        && Objects.equals(prefix, that.prefix)
        && optional == that.optional
        && Objects.equals(derivation, that.derivation);
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, type, modifier, minuend, prefix, optional, derivation);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    text.append('{').append(name).append(':').append(type);
    if (isReversed()) {
      text.append(" reversed");
    } else if (isDescending()) {
      text.append(" descending");
    }
    if (isDescendingFrom()) {
      text.append(" from ").append(minuend);
    }
    if (prefix != null) {
      text.append(' ').append(prefix);
    }
    if (optional) {
      text.append(" optional");
    }
    if (isDerived()) {
      text.append('=').append(derivation);
    }
    return text.append('}').toString();
  }
}
