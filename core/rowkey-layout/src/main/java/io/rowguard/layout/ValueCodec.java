package io.rowguard.layout;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Turns the value of one segment into its bytes and back: {@link String} for hex, digits, text and
 * word, {@link Long} for numbers, times and digits that are descending from a number, {@code
 * byte[]} for bytes.
 */
final class ValueCodec {
  private ValueCodec() {}

  /** The bytes that stand in the row for a value. */
  static byte[] encode(Segment segment, Object value) {
    if (segment.isNumber()) {
      return segment.written(number(segment, value));
    }
    switch (segment.type().kind()) {
      case BYTES:
        if (!(value instanceof byte[])) {
          throw refused(segment, value, "a byte[]");
        }
        return checked(segment, modified(segment, ((byte[]) value).clone()), value);
      case DIGITS:
        return encodeString(segment, value instanceof Number ? padded(segment, value) : value);
      default:
        return encodeString(segment, value);
    }
  }

  /** The value that the bytes {@code [from, to)} of a conforming row stand for. */
  static Object decode(Segment segment, byte[] row, int from, int to) {
    SegmentType.Kind kind = segment.type().kind();
    if (segment.isNumber()) {
      return number(segment, row, from);
    }
    int start = from + segment.lengthBytes();
    byte[] bytes = new byte[to - start];
    System.arraycopy(row, start, bytes, 0, bytes.length);
    if (kind == SegmentType.Kind.BYTES) {
      return modified(segment, bytes);
    }
    String text = new String(segment.isTurned() ? turned(bytes) : bytes, StandardCharsets.UTF_8);
    return segment.isReversed() ? reversedText(text) : text;
  }

  /**
   * The value of a number segment that starts at {@code from}; unsigned when it is a {@code
   * uint64}.
   */
  static long number(Segment segment, byte[] row, int from) {
    long written = 0;
    if (segment.isDescendingFrom()) {
      for (int i = from; i < from + segment.minLength(); i++) {
        written = 10 * written + (row[i] - '0');
      }
    } else {
      for (int i = from; i < from + segment.minLength(); i++) {
        written = written << 8 | (row[i] & 0xff);
      }
    }
    return NumberForm.valueOf(segment, written);
  }

  private static long number(Segment segment, Object value) {
    boolean whole =
        value instanceof Long
            || value instanceof Integer
            || value instanceof Short
            || value instanceof Byte;
    if (!whole) {
      throw refused(segment, value, "a whole number");
    }
    long number = ((Number) value).longValue();
    int length = segment.minLength();
    boolean fits;
    switch (segment.type().kind()) {
      case MILLIS:
        fits = number >= 0;
        break;
      case INT:
        fits = number == number << (64 - 8 * length) >> (64 - 8 * length);
        break;
      case DIGITS:
        long written = segment.minuend() - number;
        long end = NumberForm.powerOfTen(length);
        fits = number <= segment.minuend() && Long.compareUnsigned(written, end) < 0;
        break;
      default:
        fits = length == 8 || number >>> (8 * length) == 0;
        break;
    }
    if (!fits) {
      throw refused(
          segment,
          value,
          segment.isDescendingFrom()
              ? "a number from "
                  + BucketSteps.smallest(segment)
                  + " to "
                  + BucketSteps.largest(segment)
              : segment.type().expectation());
    }
    return number;
  }

  private static String padded(Segment segment, Object value) {
    long number = ((Number) value).longValue();
    String digits = Long.toString(number);
    if (!(value instanceof Long || value instanceof Integer) || number < 0) {
      throw refused(segment, value, "a String of digits, or a long that is not negative");
    }
    StringBuilder text = new StringBuilder();
    for (int i = digits.length(); i < segment.minLength(); i++) {
      text.append('0');
    }
    return text.append(digits).toString();
  }

  private static byte[] encodeString(Segment segment, Object value) {
    if (!(value instanceof String)) {
      throw refused(segment, value, "a String");
    }
    String text = (String) value;
    try {
      ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      if (segment.isReversed()) { // not before that: reversed, two lone surrogates make a pair
        utf8 = StandardCharsets.UTF_8.encode(reversedText(text));
      }
      byte[] bytes = new byte[utf8.remaining()];
      utf8.get(bytes);
      return checked(segment, segment.isTurned() ? turned(bytes) : bytes, value);
    } catch (CharacterCodingException e) {
      throw refused(segment, value, "text that UTF-8 can write (a surrogate stands alone)");
    }
  }

  private static byte[] checked(Segment segment, byte[] bytes, Object value) {
    SegmentType type = segment.type();
    boolean fits =
        bytes.length >= type.minLength()
            && bytes.length <= segment.longestValue()
            && segment.firstWrong(bytes, 0, bytes.length) < 0;
    if (!fits) {
      throw refused(segment, value, type.expectation());
    }
    return segment.hasLength() ? segment.prefix().write(bytes) : bytes;
  }

  private static IllegalArgumentException refused(Segment segment, Object value, String expected) {
    String shown;
    if (value instanceof byte[]) {
      shown = RowText.abbreviated((byte[]) value);
    } else {
      byte[] text = String.valueOf(value).getBytes(StandardCharsets.UTF_8);
      shown = RowText.abbreviated(text);
    }
    return new IllegalArgumentException(
        "The value does not fit its segment. segment="
            + segment.name()
            + " type="
            + segment.type()
            + " value=\""
            + shown
            + "\" expected=\""
            + expected
            + "\"");
  }

  /** Applies the modifier of a segment of bytes, or undoes it, in place. */
  private static byte[] modified(Segment segment, byte[] bytes) {
    if (segment.isReversed()) {
      return reversed(bytes);
    }
    return segment.isTurned() ? turned(bytes) : bytes;
  }

  private static byte[] turned(byte[] bytes) {
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) ~bytes[i];
    }
    return bytes;
  }

  private static byte[] reversed(byte[] bytes) {
    for (int i = 0, j = bytes.length - 1; i < j; i++, j--) {
      byte b = bytes[i];
      bytes[i] = bytes[j];
      bytes[j] = b;
    }
    return bytes;
  }

  /** By code point: {@link StringBuilder#reverse} keeps surrogate pairs together. */
  private static String reversedText(String text) {
    return new StringBuilder(text).reverse().toString();
  }
}
