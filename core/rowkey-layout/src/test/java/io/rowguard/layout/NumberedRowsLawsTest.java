package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The law of numbered rows: a row written from numbers is the row that the slow implementation
 * encodes from the values that the numbers stand for, wherever those fit.
 */
class NumberedRowsLawsTest {
  private static final int LAYOUTS_PER_SEED = 500;

  static LongStream seeds() {
    return LongStream.rangeClosed(301, 310);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void write_randomNumbers_isTheRowOfTheirValues(long seed) {
    int written = 0;
    int refused = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      if (textEndsWithDigit(at.core)) {
        refused++;
        assertThrows(
            IllegalArgumentException.class, () -> NumberedRows.of(at.core), () -> at.toString());
        continue;
      }
      NumberedRows rows = NumberedRows.of(at.core);
      byte[] target = new byte[rows.maxLength()];
      for (int r = 0; r < 10; r++) {
        long[] numbers = rows.segments().stream().mapToLong(s -> number(at.random, s)).toArray();
        byte[] expected = at.slow.encode(values(rows.segments(), numbers));
        int length = rows.write(numbers, target);
        byte[] row = Arrays.copyOf(target, length);
        String message = at.at(row) + " numbers=" + Arrays.toString(numbers);
        assertArrayEquals(expected, row, message);
        assertArrayEquals(expected, rows.row(numbers), message);
        written++;
      }
    }
    assertTrue(written > 8 * LAYOUTS_PER_SEED && refused > 5, "refused=" + refused);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void largest_plusOne_doesNotFit(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      for (Segment segment : at.core.segments()) {
        long largest = NumberedRows.largest(segment);
        if (!segment.isDerived() && largest < Long.MAX_VALUE) {
          assertEquals(segment.maxLength(), width(segment, largest), at::toString);
          assertEquals(segment.maxLength() + 1, width(segment, largest + 1), at::toString);
        }
      }
    }
  }

  @Test
  void row_ofTheReadme_isAsWritten() {
    RowkeyLayout layout =
        RowkeyLayout.parse(
            "{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}");
    byte[] row = NumberedRows.of(layout).row(42, 1763596800000L);
    assertEquals("06-42|\\x7F\\xFF\\xFEeapo\\xFF", RowText.toStringBinary(row));
  }

  private static boolean textEndsWithDigit(RowkeyLayout layout) {
    List<Part> parts = layout.parts();
    for (int i = 1; i < parts.size(); i++) {
      boolean isDigit =
          parts.get(i) instanceof Literal literal
              && literal.bytes()[0] >= '0'
              && literal.bytes()[0] <= '9';
      if (isDigit && parts.get(i - 1) instanceof Segment segment && isText(segment)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isText(Segment segment) {
    return segment.type().kind() == SegmentType.Kind.TEXT
        || segment.type().kind() == SegmentType.Kind.WORD;
  }

  /** Of every magnitude, the ends among them. */
  private static long number(Random random, Segment segment) {
    long largest = NumberedRows.largest(segment);
    return switch (random.nextInt(6)) {
      case 0 -> 0;
      case 1 -> largest;
      case 2 -> NumberedRows.isUnsigned(segment) ? random.nextLong() : largest / 2;
      default -> Math.min(largest, random.nextLong() >>> (1 + random.nextInt(62)));
    };
  }

  private static Map<String, Object> values(List<Segment> segments, long[] numbers) {
    Map<String, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < numbers.length; i++) {
      values.put(segments.get(i).name(), value(segments.get(i), numbers[i]));
    }
    return values;
  }

  private static Object value(Segment segment, long number) {
    int length = segment.minLength();
    return switch (segment.type().kind()) {
      case UINT, MILLIS -> number;
      case HEX_LOWER -> padded(Long.toHexString(number), length);
      case HEX_UPPER -> padded(Long.toHexString(number).toUpperCase(Locale.ROOT), length);
      case DIGITS, TEXT, WORD -> padded(Long.toString(number), length);
      case BYTES -> bytes(number, segment.isFixedLength() ? length : 8);
    };
  }

  private static String padded(String digits, int length) {
    return "0".repeat(Math.max(0, length - digits.length())) + digits;
  }

  private static byte[] bytes(long number, int length) {
    byte[] bytes = new byte[length];
    byte[] big = new BigInteger(Long.toUnsignedString(number)).toByteArray();
    int copied = Math.min(big.length, length);
    System.arraycopy(big, big.length - copied, bytes, length - copied, copied);
    return bytes;
  }

  /** How many bytes a number needs in a segment's form. */
  private static int width(Segment segment, long number) {
    return switch (segment.type().kind()) {
      case HEX_LOWER, HEX_UPPER -> Long.toHexString(number).length();
      case DIGITS, TEXT, WORD -> Long.toString(number).length();
      default -> (Long.SIZE - Long.numberOfLeadingZeros(number) + 7) / 8;
    };
  }
}
