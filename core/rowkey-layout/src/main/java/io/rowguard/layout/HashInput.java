package io.rowguard.layout;

import java.util.Locale;
import java.util.Objects;

/**
 * One segment that goes into a hash: its bytes as they stand in the row, or its value in a form
 * that programs hash, and all of that or its first bytes. Immutable.
 */
public final class HashInput {
  /** The bytes of a segment that are hashed. */
  public enum Form {
    /** As they stand in the row, modifiers and all. */
    STORED,
    /** A text's, digits' or bytes' own: as in the row, modifiers undone, without its length. */
    TEXT,
    /**
     * {@code Long.toString}, unsigned for {@code uint64}: a number in decimal, no zeros in front.
     */
    DECIMAL,
    /** {@code Bytes.toBytes(long)}: a number as 8 bytes, big-endian. */
    LONG;

    /** The word in a layout's text. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Stands for all bytes. */
  static final int ALL = 0;

  private static final int LONG_BYTES = 8;

  /** The most digits of which every number fits a long. */
  private static final int MOST_DIGITS = 18;

  private final String name;
  private final Form form;
  private final int first;

  private HashInput(String name, Form form, int first) {
    this.name = name;
    this.form = form;
    this.first = first;
  }

  /**
   * Some bytes of a segment.
   *
   * @param first how many at most, or {@link #ALL}
   */
  static HashInput of(String name, Form form, int first) {
    return new HashInput(name, form, first);
  }

  /** All bytes of a segment as they stand in the row. */
  static HashInput of(String name) {
    return new HashInput(name, Form.STORED, ALL);
  }

  /** The name of the segment. */
  public String name() {
    return name;
  }

  /** The form in which it is hashed. */
  public Form form() {
    return form;
  }

  /** How many bytes of it are hashed at most; 0 for all. */
  public int first() {
    return first;
  }

  /** Whether it is all bytes of the segment, as they stand in the row. */
  boolean isAsStored() {
    return form == Form.STORED && first == ALL;
  }

  /** Whether values of a segment have this form. */
  boolean fits(Segment segment) {
    switch (form) {
      case TEXT:
        return !segment.isNumber();
      case DECIMAL:
        return segment.isNumber() || segment.type().kind() == SegmentType.Kind.DIGITS;
      case LONG:
        boolean isShort =
            segment.type().kind() == SegmentType.Kind.DIGITS && segment.maxLength() <= MOST_DIGITS;
        return segment.isNumber() || isShort;
      default:
        return true;
    }
  }

  /** Whether what is hashed of a segment is UTF-8 whatever its value is. */
  boolean isText(Segment segment) {
    SegmentType.Kind kind = segment.type().kind();
    boolean isBytes = kind == SegmentType.Kind.BYTES || kind.isNumber();
    switch (form) {
      case DECIMAL:
        return true;
      case LONG:
        return false;
      default:
        boolean isCut = first != ALL && kind == SegmentType.Kind.TEXT;
        boolean isAsWritten = !segment.isTurned() && !segment.hasLength();
        return !isBytes && !isCut && (form == Form.TEXT || isAsWritten);
    }
  }

  /**
   * Puts what is hashed of a segment after what a hasher has gathered; nothing of one that the row
   * lacks.
   *
   * @param from the start of the segment in the row, inclusive
   * @param to its end, exclusive
   */
  void gather(Hasher hasher, Segment segment, byte[] row, int from, int to) {
    if (from == to) {
      return;
    }
    int before = hasher.gathered();
    switch (form) {
      case TEXT:
        gatherText(hasher, segment, row, from + segment.lengthBytes(), to);
        break;
      case DECIMAL:
        gatherDecimal(hasher, segment, row, from, to);
        break;
      case LONG:
        long number =
            segment.isNumber()
                ? ValueCodec.number(segment, row, from)
                : ofDigits(segment, row, from, to);
        for (int i = LONG_BYTES - 1; i >= 0; i--) {
          hasher.gather((byte) (number >>> (8 * i)));
        }
        break;
      default:
        hasher.gather(row, from, to);
        break;
    }
    if (first != ALL) {
      hasher.truncate(before + first);
    }
  }

  private static void gatherText(Hasher hasher, Segment segment, byte[] row, int from, int to) {
    if (!segment.isReversed()) {
      byte turn = (byte) (segment.isTurned() ? 0xff : 0);
      for (int i = from; i < to; i++) {
        hasher.gather((byte) (row[i] ^ turn));
      }
      return;
    }
    boolean byCharacter = segment.type().kind() == SegmentType.Kind.TEXT;
    int end = to;
    while (end > from) {
      int start = end - 1;
      while (byCharacter && start > from && Utf8.isContinuation(row[start])) {
        start--;
      }
      hasher.gather(row, start, end);
      end = start;
    }
  }

  private static void gatherDecimal(Hasher hasher, Segment segment, byte[] row, int from, int to) {
    if (segment.isNumber()) {
      boolean unsigned = segment.type().kind() == SegmentType.Kind.UINT;
      hasher.gatherDecimal(ValueCodec.number(segment, row, from), unsigned);
      return;
    }
    boolean leads = true;
    for (int i = from; i < to; i++) {
      byte digit = row[segment.isReversed() ? to - 1 - (i - from) : i];
      leads &= digit == '0' && i < to - 1;
      if (!leads) {
        hasher.gather(digit);
      }
    }
  }

  private static long ofDigits(Segment segment, byte[] row, int from, int to) {
    long number = 0;
    for (int i = from; i < to; i++) {
      number = 10 * number + (row[segment.isReversed() ? to - 1 - (i - from) : i] - '0');
    }
    return number;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof HashInput
        && name.equals(((HashInput) other).name)
        && form == ((HashInput) other).form
        && first == ((HashInput) other).first;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, form, first);
  }

  /** Such as {@code id}, {@code id as decimal} or {@code first 4 of id}. */
  @Override
  public String toString() {
    return (first == ALL ? "" : "first " + first + " of ")
        + name
        + (form == Form.STORED ? "" : " as " + form.text());
  }
}
