package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The law that the check is the slow check: for random layouts and random rows, of which about half
 * conform and every way of not conforming occurs, the verdict is the same, wherever the row lies in
 * an array; and what the explanation says agrees with the verdict.
 */
@Tag("whole")
class LayoutLawsTest {
  private static final int LAYOUTS_PER_SEED = 500;
  private static final int ROWS_PER_LAYOUT = 100;

  /** Ten seeds: 5,000 layouts and 500,000 rows. */
  static LongStream seeds() {
    return LawSeeds.of(1, 10);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void check_randomRows_equalsSlowCheck(long seed) {
    Map<Verdict, Integer> seen = new EnumMap<>(Verdict.class);
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      for (int r = 0; r < ROWS_PER_LAYOUT; r++) {
        byte[] row = at.rows.next();
        Verdict expected = at.slow.check(row);
        seen.merge(expected, 1, Integer::sum);
        assertEquals(expected, at.core.check(row), () -> at.at(row));
        assertCheckedInPlace(at, row, expected);
        assertExplained(at, row, expected);
      }
    }
    assertEveryVerdictIn(seen, seed);
  }

  private static void assertEveryVerdictIn(Map<Verdict, Integer> seen, long seed) {
    int rows = LAYOUTS_PER_SEED * ROWS_PER_LAYOUT;
    double conforming = (double) seen.get(Verdict.CONFORMS) / rows;
    assertTrue(conforming > 0.4 && conforming < 0.7, () -> "seed=" + seed + " seen=" + seen);
    for (Verdict verdict : Verdict.values()) {
      assertTrue(seen.getOrDefault(verdict, 0) >= 5, () -> "seed=" + seed + " seen=" + seen);
    }
  }

  /** The same row inside an array whose other bytes would make a difference if they were read. */
  private static void assertCheckedInPlace(LayoutCase at, byte[] row, Verdict expected) {
    byte[] before = SlowBytes.first(row, Math.min(row.length, at.random.nextInt(8)));
    byte[] after = at.random.nextBoolean() ? at.rows.conforming() : new byte[] {'0', '0', '|'};
    byte[] array = SlowBytes.concat(before, row, after);
    byte[] untouched = Arrays.copyOf(array, array.length);
    assertEquals(
        expected, at.core.check(array, before.length, row.length), () -> "in place: " + at.at(row));
    assertTrue(Arrays.equals(untouched, array), () -> "array changed: " + at.at(row));
  }

  private static void assertExplained(LayoutCase at, byte[] row, Verdict expected) {
    Explanation explanation = at.core.explain(row);
    assertEquals(expected, explanation.verdict(), () -> at.at(row));
    boolean conforms = expected == Verdict.CONFORMS;
    int offset = explanation.offset();
    boolean offsetFits = conforms ? offset == -1 : offset >= 0 && offset <= row.length;
    assertTrue(offsetFits, () -> "offset=" + offset + " " + at.at(row));
    byte[] suggestion = explanation.suggestion();
    assertTrue(
        suggestion == null || at.slow.conforms(suggestion),
        () -> "suggestion=" + SlowBytes.show(suggestion) + " " + at.at(row));
    if (expected == Verdict.WRONG_SALT) {
      assertSuggestsTheSaltedRow(at, row, suggestion);
    }
    if (!conforms) {
      assertFalse(explanation.problem().isEmpty(), () -> at.at(row));
      assertFalse(explanation.message("table=t").isEmpty(), () -> at.at(row));
    }
  }

  /** The row with its salts put right; a bare key with no possible salt may be taken for that. */
  private static void assertSuggestsTheSaltedRow(LayoutCase at, byte[] row, byte[] suggestion) {
    byte[] resalted = at.slow.complete(at.slow.strip(row));
    if (!at.slow.isBare(row) || at.slow.readWithAnySalt(row).conforms()) {
      assertArrayEquals(resalted, suggestion, () -> at.at(row));
    } else if (suggestion != null) {
      boolean isEither =
          Arrays.equals(resalted, suggestion) || Arrays.equals(at.slow.complete(row), suggestion);
      assertTrue(isEither, () -> at.at(row));
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void explain_rowInsideArray_equalsExplainOfCopy(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED / 5; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      for (int r = 0; r < 10; r++) {
        byte[] row = at.rows.next();
        byte[] array = SlowBytes.concat(new byte[] {'7', '|', '-'}, row, at.rows.conforming());
        Explanation copy = at.core.explain(row);
        Explanation inPlace = at.core.explain(array, 3, row.length);
        assertEquals(copy.verdict(), inPlace.verdict(), () -> at.at(row));
        assertEquals(copy.offset(), inPlace.offset(), () -> at.at(row));
        assertEquals(copy.message("t=1"), inPlace.message("t=1"), () -> at.at(row));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void parse_randomLayouts_roundTripsAndKeepsWhatWasDeclared(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      assertSameLayout(at, at.core, RowkeyLayout.parse(at.core.toString()));
      String spaced = at.model.text(new Random(seed + i));
      assertSameLayout(at, at.core, parse(at, spaced));
      assertEquals(at.model.hasDerived(), at.core.hasDerivedSegments(), at::toString);
      assertEquals(at.model.isFixed(), at.core.isFixedLength(), at::toString);
      assertEquals(at.model.minLength(), at.core.minRowLength(), at::toString);
      assertEquals(at.model.pieces.size(), at.core.parts().size(), at::toString);
      assertSegments(at);
    }
  }

  private static RowkeyLayout parse(LayoutCase at, String text) {
    try {
      return RowkeyLayout.parse(text);
    } catch (LayoutSyntaxException e) {
      throw new AssertionError("with blanks: " + text + " " + at, e);
    }
  }

  private static void assertSameLayout(LayoutCase at, RowkeyLayout a, RowkeyLayout b) {
    assertEquals(a, b, at::toString);
    assertEquals(a.hashCode(), b.hashCode(), at::toString);
    assertEquals(a.toString(), b.toString(), at::toString);
  }

  private static void assertSegments(LayoutCase at) {
    List<SlowModel.Seg> segs = at.model.segs();
    assertEquals(segs.size(), at.core.segments().size(), at::toString);
    for (int s = 0; s < segs.size(); s++) {
      SlowModel.Seg seg = segs.get(s);
      Segment segment = at.core.segments().get(s);
      assertEquals(seg.name, segment.name(), at::toString);
      assertEquals(segment, at.core.segment(seg.name), at::toString);
      assertEquals(seg.isDerived(), segment.isDerived(), at::toString);
      assertEquals(seg.optional, segment.isOptional(), at::toString);
      assertEquals(seg.isDerived(), segment.derivation() != null, at::toString);
      assertEquals(seg.isFixed(), segment.isFixedLength(), at::toString);
      assertEquals(seg.lengthBytes + seg.min, segment.minLength(), at::toString);
      assertEquals(seg.lengthBytes + seg.longest(), segment.maxLength(), at::toString);
      assertEquals(seg.lengthBytes, segment.lengthBytes(), at::toString);
      assertEquals(seg.min, segment.shortestValue(), at::toString);
      assertEquals(seg.longest(), segment.longestValue(), at::toString);
      assertLength(at, seg, segment);
      int piece = at.model.indexOf(seg.name);
      assertEquals(
          startsAtFixedOffset(at.model, piece),
          at.core.matcher().startsAtFixedOffset(piece),
          () -> seg.name + " of " + at);
      assertEquals(seg.isDescending(), segment.isDescending(), at::toString);
      assertEquals(seg.modified && !seg.kind.isNumber(), segment.isReversed(), at::toString);
    }
  }

  /** The length in front of a value, in the layout's text and in a row. */
  private static void assertLength(LayoutCase at, SlowModel.Seg seg, Segment segment) {
    String plus = seg.plus > 0 ? " plus " + seg.plus : "";
    String form = seg.hasLength() ? "with length uint" + 8 * seg.lengthBytes + plus : "";
    assertEquals(form, segment.lengthForm(), at::toString);
    if (seg.hasLength()) {
      byte[] value = new byte[seg.min + at.random.nextInt(seg.longest() - seg.min + 1)];
      byte[] expected = SlowBytes.concat(new byte[] {7}, SlowSegment.withLength(seg, value));
      byte[] target = SlowBytes.concat(new byte[] {7}, new byte[seg.lengthBytes], value);
      segment.writeLength(value.length, target, 1);
      assertArrayEquals(expected, target, () -> seg.name + " of " + at);
    }
  }

  /** Whether what stands before a piece has one length, and is in every row. */
  private static boolean startsAtFixedOffset(SlowModel model, int piece) {
    for (int i = 0; i < piece; i++) {
      SlowModel.Seg seg = model.pieces.get(i).seg();
      if ((seg != null && !seg.isFixed()) || model.isInner(i + 1)) {
        return false;
      }
    }
    return true;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void equals_differentLayouts_onlyWhenTheirTextIsTheSame(long seed) {
    LayoutCase previous = LayoutCase.of(seed, 0);
    for (int i = 1; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      if (at.model.text().equals(previous.model.text())) {
        assertEquals(previous.core, at.core, at::toString);
      } else {
        assertNotEquals(previous.core, at.core, at + " and " + previous);
      }
      previous = at;
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void withMaxRowLength_anyLimit_onlyLongerRowsAreTooLong(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED / 5; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      int limit = 1 + at.random.nextInt(40);
      RowkeyLayout limited = at.core.withMaxRowLength(limit);
      for (int r = 0; r < 10; r++) {
        byte[] row = at.rows.next();
        Verdict expected = row.length > limit ? Verdict.TOO_LONG : at.slow.check(row);
        assertEquals(expected, limited.check(row), () -> "limit=" + limit + " " + at.at(row));
      }
    }
  }

  /** One layout is shared by all of a server's threads. */
  @Test
  void check_manyThreadsAtOnce_sameVerdicts() {
    for (int i = 0; i < 40; i++) {
      LayoutCase at = LayoutCase.of(21, i);
      List<byte[]> rows = Stream.generate(at.rows::next).limit(500).toList();
      List<Verdict> expected = rows.stream().map(at.slow::check).toList();
      List<Verdict> parallel = rows.parallelStream().map(at.core::check).toList();
      assertEquals(expected, parallel, at::toString);
    }
  }

  @ParameterizedTest
  @CsvSource({"-1,2", "2,-1", "4,2", "0,6", "2147483647,1"})
  void check_rangeOutsideTheArray_isRefused(int offset, int length) {
    RowkeyLayout layout = RowkeyLayout.parse("{id:digits(2)}");
    byte[] array = {'0', '1', '2', '3', '4'};
    IndexOutOfBoundsException e =
        assertThrows(IndexOutOfBoundsException.class, () -> layout.check(array, offset, length));
    assertEquals("offset=" + offset + " length=" + length + " array=5", e.getMessage());
  }

  @Test
  void check_longestRow_conformsAndOneByteMoreIsTooLong() {
    RowkeyLayout layout = RowkeyLayout.parse("{id:word}/{rest:bytes}");
    byte[] row = new byte[SlowModel.MAX_ROW + 1];
    Arrays.fill(row, (byte) 'a');
    row[20000] = '/';
    assertEquals(Verdict.CONFORMS, layout.check(row, 0, SlowModel.MAX_ROW));
    assertEquals(Verdict.CONFORMS, layout.check(row, 1, SlowModel.MAX_ROW));
    assertEquals(Verdict.TOO_LONG, layout.check(row));
  }
}
