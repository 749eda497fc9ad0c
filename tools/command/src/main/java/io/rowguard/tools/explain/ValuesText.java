package io.rowguard.tools.explain;

import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import io.rowguard.tools.keys.NamedValues;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Values of segments as people write and read them. */
public final class ValuesText {
  /** The number that programs take seconds from, so that the newest come first. */
  private static final long MOST_SECONDS = Long.MAX_VALUE / 1000;

  private ValuesText() {}

  /**
   * Reads {@code name=value,name=value} as {@link RowkeyLayout#encode} takes it.
   *
   * @throws IllegalArgumentException when a name is no segment or a value is none of its type
   */
  static Map<String, Object> parse(RowkeyLayout layout, String text) {
    Map<String, Object> values = new LinkedHashMap<>();
    NamedValues.parse(text)
        .forEach((name, value) -> values.put(name, parse(layout.segment(name), value)));
    return values;
  }

  private static Object parse(Segment segment, String value) {
    switch (segment.type().kind()) {
      case UINT:
        return number(segment, value);
      case INT:
        return signed(segment, value);
      case MILLIS:
        return value.contains("T") ? instant(segment, value) : number(segment, value);
      case DIGITS:
        return segment.isDescendingFrom() ? descendingDigits(segment, value) : value;
      case BYTES:
        return RowText.toBytesBinary(value);
      default:
        return value;
    }
  }

  private static long number(Segment segment, String value) {
    try {
      return Long.parseUnsignedLong(value);
    } catch (NumberFormatException e) {
      throw refused(segment, value, "a whole number, zero or more", e);
    }
  }

  private static long signed(Segment segment, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw refused(segment, value, "a whole number", e);
    }
  }

  private static long descendingDigits(Segment segment, String value) {
    long unit = millisOf(segment);
    boolean isTime = unit > 0 && value.contains("T");
    return isTime ? instant(segment, value) / unit : signed(segment, value);
  }

  /** The milliseconds of one where the digits are most likely a time; else 0. */
  private static long millisOf(Segment segment) {
    return segment.minuend() == Long.MAX_VALUE ? 1 : segment.minuend() == MOST_SECONDS ? 1000 : 0;
  }

  private static String descendingDigits(Segment segment, long value) {
    long unit = millisOf(segment);
    boolean isTime = unit > 0 && Math.abs(value) < MOST_SECONDS / unit;
    return value + (isTime ? " (" + Instant.ofEpochMilli(value * unit) + ")" : "");
  }

  private static long instant(Segment segment, String value) {
    try {
      return Instant.parse(value).toEpochMilli();
    } catch (DateTimeException | ArithmeticException e) {
      throw refused(segment, value, "milliseconds, or a time such as 2025-11-20T00:00:00Z", e);
    }
  }

  private static IllegalArgumentException refused(
      Segment segment, String value, String expected, Exception cause) {
    return new IllegalArgumentException(
        "The value does not fit its segment. segment="
            + segment.name()
            + " value=\""
            + value
            + "\" expected=\""
            + expected
            + "\"",
        cause);
  }

  /** A value that {@link RowkeyLayout#decode} gave, for people; times with their date. */
  public static String show(Segment segment, Object value) {
    if (value == null) {
      return "not there";
    }
    if (value instanceof byte[] bytes) {
      return RowText.abbreviated(bytes);
    }
    if (value instanceof Long number) {
      switch (segment.type().kind()) {
        case MILLIS:
          return number + " (" + Instant.ofEpochMilli(number) + ")";
        case INT:
          return Long.toString(number);
        case DIGITS:
          return descendingDigits(segment, number);
        default:
          return Long.toUnsignedString(number);
      }
    }
    return (String) value;
  }
}
