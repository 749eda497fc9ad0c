package io.rowguard.tools.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutSyntaxException;
import io.rowguard.layout.Literal;
import io.rowguard.layout.Part;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import io.rowguard.layout.SegmentType;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The law of numbered rows: a row written from numbers is the row that {@link RowkeyLayout#encode}
 * makes of the values that the numbers stand for, on random layouts of the whole grammar.
 */
class NumberedRowsLawsTest {
  private static final int LAYOUTS_PER_SEED = 500;
  private static final String[] LITERALS = {
    "|", "-", "/", "||", "aba", "0", "7x", "x0", "\\x00", "\\xFF\\xC3", "\\{"
  };
  private static final String[] SALTS = {
    "digits(2)=HASH%16", "hex(3)=HASH%1000", "HEX(2)=HASH", "bytes(2) reversed=HASH%7", "uint8=HASH"
  };

  static LongStream seeds() {
    return LongStream.rangeClosed(301, 310);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void write_randomNumbers_isTheRowOfTheirValues(long seed) {
    int[] written = new int[2];
    forEachLayout(
        seed,
        (random, layout) -> {
          String at = "seed=" + seed + " layout=" + layout;
          if (textEndsWithDigit(layout)) {
            written[1]++;
            assertThrows(
                IllegalArgumentException.class, () -> NumberedRows.of(layout), at::toString);
            return;
          }
          NumberedRows rows = NumberedRows.of(layout);
          byte[] target = new byte[rows.maxLength()];
          for (int r = 0; r < 10; r++) {
            long[] numbers = rows.segments().stream().mapToLong(s -> number(random, s)).toArray();
            byte[] expected = layout.encode(values(rows.segments(), numbers));
            random.nextBytes(target);
            int length = rows.write(numbers, target);
            byte[] row = Arrays.copyOf(target, length);
            String message = at + " numbers=" + Arrays.toString(numbers);
            assertArrayEquals(expected, row, message);
            assertArrayEquals(expected, rows.row(numbers), message);
            written[0]++;
          }
        });
    assertTrue(written[0] > 8 * LAYOUTS_PER_SEED && written[1] > 5, Arrays.toString(written));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void largest_plusOne_doesNotFit(long seed) {
    int[] judged = new int[1];
    forEachLayout(
        seed,
        (random, layout) -> {
          for (Segment segment : layout.segments()) {
            long largest = NumberedRows.largest(segment);
            boolean isJudged = !segment.isDerived() && !segment.isDescendingFrom();
            if (isJudged && largest < Long.MAX_VALUE) {
              judged[0]++;
              assertEquals(segment.maxLength(), width(segment, largest), segment::toString);
              assertEquals(segment.maxLength() + 1, width(segment, largest + 1), segment::toString);
            }
          }
        });
    assertTrue(judged[0] > LAYOUTS_PER_SEED, "judged=" + judged[0]);
  }

  private static void forEachLayout(long seed, BiConsumer<Random, RowkeyLayout> law) {
    Random random = new Random(new SplittableRandom(seed).nextLong());
    for (int i = 0; i < LAYOUTS_PER_SEED; ) {
      RowkeyLayout layout = layout(random);
      if (layout != null) {
        law.accept(random, layout);
        i++;
      }
    }
  }

  /** A random layout; null where the grammar refuses it. */
  private static RowkeyLayout layout(Random random) {
    int count = 1 + random.nextInt(4);
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String type = type(random, i == count - 1);
      boolean optional = i == count - 1 && random.nextInt(3) == 0;
      parts.add("{s" + i + ":" + type + (optional ? " optional}" : "}"));
      boolean varies = type.startsWith("text") || type.startsWith("word") || type.contains("..");
      boolean mustEnd = varies && i < count - 1;
      if (mustEnd || random.nextInt(3) == 0) {
        parts.set(i, parts.get(i) + LITERALS[random.nextInt(LITERALS.length)]);
      }
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      parts.add(random.nextInt(parts.size() + 1), salt(random, i, count));
    }
    try {
      return RowkeyLayout.parse(String.join("", parts));
    } catch (LayoutSyntaxException e) {
      return null;
    }
  }

  private static String type(Random random, boolean isLast) {
    int n = 1 + random.nextInt(random.nextInt(4) == 0 ? 40 : 9);
    String sized = random.nextBoolean() ? "" : "(" + n + ".." + (n + random.nextInt(20)) + ")";
    String reversed = random.nextInt(3) == 0 ? " reversed" : "";
    String descending = random.nextInt(3) == 0 ? " descending" : "";
    String either = random.nextBoolean() ? reversed : descending;
    return switch (random.nextInt(9)) {
      case 0 -> "hex(" + n + ")" + reversed;
      case 1 -> "HEX(" + n + ")" + reversed;
      case 2 -> digits(random, n, reversed);
      case 3 -> "text" + sized + either;
      case 4 -> "word" + sized + reversed;
      case 5 -> (isLast && random.nextBoolean() ? "bytes" : "bytes(" + n + ")") + either;
      case 6 -> "millis" + descending;
      case 7 -> "int" + (8 << random.nextInt(4)) + descending;
      default -> "uint" + (8 << random.nextInt(4)) + descending;
    };
  }

  private static String digits(Random random, int n, String reversed) {
    if (n > 18 || random.nextBoolean()) {
      String most = random.nextInt(3) == 0 ? ".." + (n + 1 + random.nextInt(20)) : "";
      return "digits(" + n + most + ")" + reversed;
    }
    long nines = Long.parseLong("9".repeat(n));
    long from = random.nextBoolean() ? nines : 1 + random.nextLong(nines);
    return "digits(" + n + ") descending from " + from;
  }

  private static String salt(Random random, int number, int count) {
    String[] hashes = {"md5", "murmur3", "crc32", "java31", "string31", "sha1", "sha256"};
    String input = random.nextBoolean() ? "*" : "s" + random.nextInt(count);
    String hash = hashes[random.nextInt(hashes.length)] + "(" + input + ")";
    String salt = SALTS[random.nextInt(SALTS.length)].replace("HASH", hash);
    String literal = random.nextBoolean() ? "" : LITERALS[random.nextInt(LITERALS.length)];
    return "{d" + number + ":" + salt + "}" + literal;
  }

  @Test
  void row_ofTheReadme_isAsWritten() {
    RowkeyLayout layout =
        RowkeyLayout.parse(
            "{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}");
    byte[] row = NumberedRows.of(layout).row(42, 1763596800000L);
    assertEquals("06-42|\\x7F\\xFF\\xFEeapo\\xFF", RowText.toStringBinary(row));
  }

  @Test
  void row_writersChooseTheSalt_isTheSameForTheSameNumbersAndSpreadOverAll() {
    RowkeyLayout layout = RowkeyLayout.parse("{salt:digits(1)=any of 4}-{id:digits(4)}");
    NumberedRows rows = NumberedRows.of(layout);
    int[] perSalt = new int[4];
    for (int id = 0; id < 1000; id++) {
      byte[] row = rows.row(id);
      assertArrayEquals(row, rows.row(id));
      assertTrue(layout.check(row).conforms(), RowText.toStringBinary(row));
      perSalt[row[0] - '0']++;
    }
    for (int found : perSalt) {
      assertTrue(found > 180 && found < 320, Arrays.toString(perSalt));
    }
  }

  private static boolean textEndsWithDigit(RowkeyLayout layout) {
    List<Part> parts = layout.parts();
    for (int i = 1; i < parts.size(); i++) {
      if (parts.get(i) instanceof Literal literal
          && parts.get(i - 1) instanceof Segment segment
          && isText(segment)) {
        int first = literal.bytes()[0];
        int digit = segment.isDescending() ? ~first : first;
        if (digit >= '0' && digit <= '9') {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean isText(Segment segment) {
    boolean isVarying =
        segment.type().kind() == SegmentType.Kind.DIGITS && !segment.isFixedLength();
    return segment.type().kind() == SegmentType.Kind.TEXT
        || segment.type().kind() == SegmentType.Kind.WORD
        || isVarying;
  }

  /** Numbers of every magnitude, the ends among them. */
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
    if (segment.isDescendingFrom()) {
      return number;
    }
    return switch (segment.type().kind()) {
      case UINT, INT, MILLIS -> number;
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
      case INT -> (Long.SIZE - Long.numberOfLeadingZeros(number) + 8) / 8;
      default -> (Long.SIZE - Long.numberOfLeadingZeros(number) + 7) / 8;
    };
  }
}
