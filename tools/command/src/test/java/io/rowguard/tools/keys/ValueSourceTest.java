package io.rowguard.tools.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The values of each source; none gives more of them than it says. */
class ValueSourceTest {
  private static final long SEED = 7;
  private static final Segment ID = segment("{id:uint64}");

  private static Segment segment(String layout) {
    return RowkeyLayout.parse(layout).segment("id");
  }

  private static long[] first(String text, int count) {
    ValueSource source = ValueSource.parse(text, ID, SEED);
    return LongStream.range(0, count).map(source::at).toArray();
  }

  @Test
  void at_countingSources_countAsTheirNamesSay() {
    assertArrayEquals(new long[] {0, 1, 2, 3}, first("seq", 4));
    assertArrayEquals(new long[] {5, 6, 7, 8}, first("seq(5)", 4));
    assertArrayEquals(new long[] {5, 15, 25, 35}, first("seq(5,10)", 4));
    assertArrayEquals(new long[] {0, 0, 0, 1}, first("each(3)", 4));
    assertArrayEquals(new long[] {0, 1, 2, 0}, first("cycle(3)", 4));
    assertArrayEquals(new long[] {42, 42, 42, 42}, first("42", 4));
  }

  @Test
  void at_clocks_passAtTheirRate() {
    long start = Instant.parse("2025-11-20T00:00:00Z").toEpochMilli();
    assertArrayEquals(new long[] {start, start + 500, start + 1000}, first("clock(2)", 3));
    assertArrayEquals(new long[] {start, start + 1, start + 2}, first("clock", 3));
    assertArrayEquals(new long[] {20251120, 20251120}, first("day(1)", 2));
    ValueSource day = ValueSource.parse("day(1)", ID, SEED);
    assertEquals(20251120, day.at(86_399));
    assertEquals(20251121, day.at(86_400));
    assertEquals(20251201, day.at(11 * 86_400));
    ValueSource hour = ValueSource.parse("hour(10)", ID, SEED);
    assertEquals(start / 1000, hour.at(35_999));
    assertEquals(start / 1000 + 3600, hour.at(36_000));
  }

  @Test
  void at_uniform_isEvenAndDependsOnTheSeed() {
    int[] counts = new int[10];
    for (long value : first("uniform(10)", 100_000)) {
      counts[(int) value]++;
    }
    for (int count : counts) {
      // Six standard deviations.
      assertEquals(10_000, count, 570);
    }
    ValueSource other = ValueSource.parse("uniform(1000000)", ID, SEED + 1);
    assertNotEquals(ValueSource.parse("uniform(1000000)", ID, SEED).at(0), other.at(0));
  }

  @Test
  void at_zipf_isAsLikelyAsItsRank() {
    int[] counts = new int[4];
    for (long value : first("zipf(4)", 250_000)) {
      counts[(int) value]++;
    }
    // 1 + 1/2 + 1/3 + 1/4 is 25/12: shares of 12, 6, 4 and 3 in 25.
    assertEquals(120_000, counts[0], 1500);
    assertEquals(60_000, counts[1], 1300);
    assertEquals(40_000, counts[2], 1100);
    assertEquals(30_000, counts[3], 1000);
  }

  @Test
  void at_random_coversTheWholeSegment() {
    for (String layout :
        List.of(
            "{id:hex(16)}",
            "{id:hex(2)}",
            "{id:uint64}",
            "{id:uint8}",
            "{id:digits(3)}",
            "{id:digits(19)}",
            "{id:bytes(8)}",
            "{id:millis}",
            "{id:word}")) {
      Segment segment = segment(layout);
      ValueSource source = ValueSource.parse("random", segment, SEED);
      // In sixteen parts of equal size: each is met.
      boolean isUnsigned = NumberedRows.isUnsigned(segment);
      double size = isUnsigned ? 0x1p64 : (double) NumberedRows.largest(segment) + 1;
      boolean[] met = new boolean[16];
      for (long index = 0; index < 1000; index++) {
        long value = source.at(index);
        double unsigned = (value >>> 1) * 2.0 + (value & 1);
        assertTrue(isUnsigned || (value >= 0 && value <= NumberedRows.largest(segment)), layout);
        met[(int) Math.min(15, unsigned / size * 16)] = true;
      }
      assertEquals(
          "true".repeat(16),
          IntStream.range(0, 16).mapToObj(i -> "" + met[i]).collect(Collectors.joining()),
          layout);
    }
    Segment tooLong = segment("{id:hex(32)}");
    assertThrows(IllegalArgumentException.class, () -> ValueSource.parse("random", tooLong, SEED));
  }

  static List<String> sources() {
    return List.of(
        "seq",
        "seq(5)",
        "seq(5,10)",
        "each(3)",
        "cycle(3)",
        "cycle(5000)",
        "uniform(9)",
        "zipf(9)",
        "clock(7)",
        "hour(1)",
        "day(1)",
        "42");
  }

  @ParameterizedTest
  @MethodSource("sources")
  void largest_anySource_isNeverExceeded(String text) {
    ValueSource source = ValueSource.parse(text, ID, SEED);
    for (int count : new int[] {1, 2, 3, 100, 1000}) {
      long reached = LongStream.of(first(text, count)).max().orElseThrow();
      assertTrue(reached <= source.largest(count), text + " " + count);
    }
  }

  static List<String> notSources() {
    return List.of(
        "seq(",
        "seq(1,2,3)",
        "each",
        "each(0)",
        "cycle(1,2)",
        "zipf(1000001)",
        "uniform(-1)",
        "9999999999999999999",
        "uniform(9999999999999999999)",
        "",
        "Seq",
        "clock(0)");
  }

  @ParameterizedTest
  @MethodSource("notSources")
  void parse_anythingElse_isRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> ValueSource.parse(text, ID, SEED));
  }

  @Test
  void parse_ofNothing_saysWhatIsWrongWithTheNumber() {
    String message =
        assertThrows(IllegalArgumentException.class, () -> ValueSource.parse("zipf(0)", ID, SEED))
            .getMessage();
    assertEquals("The number of a source of values is 1 or more. found=\"zipf(0)\"", message);
  }
}
