package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.SlowModel.Kind;
import io.rowguard.layout.SlowModel.Seg;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every form that a number can have in a row, at the values where arithmetic of 64 bits goes wrong:
 * the smallest, the largest, those at a step, and their neighbours. Random rows seldom hold them.
 */
class NumberEdgesTest {
  private static final BigInteger ONE = BigInteger.ONE;

  /** A segment of numbers or of digits, with its smallest and its largest value. */
  record Form(Seg seg, BigInteger smallest, BigInteger largest) {
    static Form of(Seg seg) {
      BigInteger allDigits = BigInteger.TEN.pow(seg.min).subtract(ONE);
      if (seg.from != null) {
        return new Form(seg, seg.from.subtract(allDigits), seg.from);
      }
      if (seg.kind == Kind.DIGITS) {
        return new Form(seg, BigInteger.ZERO, allDigits);
      }
      boolean isHalf = seg.kind.isSigned() || seg.kind == Kind.MILLIS;
      BigInteger end = ONE.shiftLeft(8 * seg.min - (isHalf ? 1 : 0));
      return new Form(seg, seg.kind.isSigned() ? end.negate() : BigInteger.ZERO, end.subtract(ONE));
    }

    BigInteger middle() {
      return smallest.add(largest).add(ONE).shiftRight(1);
    }

    /** Whether rows are in the order of the values, or in the opposite one. */
    boolean isInOrder() {
      boolean wrapsAround = seg.kind == Kind.UINT64 && seg.modified;
      return !wrapsAround && !(seg.kind == Kind.DIGITS && seg.modified);
    }

    /** The edges and their neighbours, ascending. */
    TreeSet<BigInteger> values(BigInteger... more) {
      List<BigInteger> edges = new ArrayList<>(List.of(more));
      edges.addAll(List.of(smallest, largest, middle(), BigInteger.ZERO));
      edges.add(BigInteger.valueOf(Long.MAX_VALUE));
      TreeSet<BigInteger> values = new TreeSet<>();
      for (BigInteger edge : edges) {
        values.addAll(List.of(edge.subtract(ONE), edge, edge.add(ONE)));
      }
      return new TreeSet<>(values.subSet(smallest, true, largest, true));
    }

    /** A value as programs give it. */
    Object given(BigInteger value) {
      String digits = value.toString();
      boolean isText = seg.kind == Kind.DIGITS && seg.from == null;
      return isText ? "0".repeat(seg.min - digits.length()) + digits : value.longValue();
    }

    byte[] written(BigInteger value) {
      return SlowSegment.encode(seg, given(value));
    }

    /** The layout's text with this segment for a {@code %s}. */
    RowkeyLayout layout(String text, BigInteger... steps) {
      return RowkeyLayout.parse(
          String.format(text, Stream.concat(Stream.of(this), Stream.of(steps)).toArray()));
    }

    @Override
    public String toString() {
      return new SlowModel(List.of(seg)).text();
    }
  }

  static List<Form> forms() {
    List<Form> forms = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      if (kind.isNumber()) {
        forms.add(Form.of(new Seg("n", kind, kind.width(), kind.width(), false, null)));
        forms.add(Form.of(new Seg("n", kind, kind.width(), kind.width(), true, null)));
      }
    }
    for (int n : new int[] {1, 2, 8, 9, 18, 19, 25}) {
      Seg digits = new Seg("n", Kind.DIGITS, n, n, false, null);
      forms.add(Form.of(digits));
      forms.add(Form.of(new Seg("n", Kind.DIGITS, n, n, true, null)));
      BigInteger all = BigInteger.TEN.pow(n).subtract(ONE);
      BigInteger long64 = BigInteger.valueOf(Long.MAX_VALUE);
      if (n < 20) {
        BigInteger least = all.subtract(long64).subtract(ONE).max(ONE);
        forms.add(Form.of(digits.descendingFrom(least)));
        forms.add(Form.of(digits.descendingFrom(all.min(long64))));
      }
    }
    return forms;
  }

  @ParameterizedTest
  @MethodSource("forms")
  void encodeAndDecode_valuesAtTheEdges_areTheSlowOnesAnswers(Form form) {
    RowkeyLayout layout = form.layout("%s");
    for (BigInteger value : form.values()) {
      Object given = form.given(value);
      byte[] row = layout.encode(Map.of("n", given));
      assertArrayEquals(form.written(value), row, value::toString);
      assertEquals(Map.of("n", given), layout.decode(row), value::toString);
      assertEquals(value, SlowSegment.number(form.seg, row), "the definition");
    }
  }

  /** A {@code uint64} refuses no long: a negative one is 2^64 more. */
  @ParameterizedTest
  @MethodSource("forms")
  void encode_valuesBeyondTheEdges_areRefused(Form form) {
    RowkeyLayout layout = form.layout("%s");
    List<BigInteger> beyond = new ArrayList<>();
    if (form.seg.kind != Kind.UINT64) {
      beyond.add(form.smallest.subtract(ONE));
      beyond.add(form.largest.add(ONE));
      beyond.add(BigInteger.valueOf(Long.MIN_VALUE));
      beyond.add(BigInteger.valueOf(Long.MAX_VALUE));
    }
    beyond.removeIf(value -> value.bitLength() > 63 || value.equals(clamped(form, value)));
    for (BigInteger value : beyond) {
      Map<String, Object> values = Map.of("n", value.longValue());
      IllegalArgumentException e =
          assertThrows(
              IllegalArgumentException.class, () -> layout.encode(values), value::toString);
      String range = "\"a number from " + form.smallest + " to " + form.largest + "\"";
      assertTrue(form.seg.from == null || e.getMessage().contains(range), e::getMessage);
    }
  }

  private static BigInteger clamped(Form form, BigInteger value) {
    return value.max(form.smallest).min(form.largest);
  }

  /** Two thresholds: next to the ends, and in the middle. */
  private static List<BigInteger[]> thresholds(Form form) {
    BigInteger middle = form.middle();
    return List.of(
        new BigInteger[] {form.smallest.add(ONE), form.largest},
        new BigInteger[] {middle, middle.add(ONE)});
  }

  private static int step(BigInteger[] thresholds, BigInteger value) {
    int step = 0;
    for (BigInteger from : thresholds) {
      step += value.compareTo(from) >= 0 ? 1 : 0;
    }
    return step;
  }

  @ParameterizedTest
  @MethodSource("forms")
  void rowCount_valuesAtAStep_isThatOfTheStep(Form form) {
    int[] buckets = {2, 5, 9};
    for (BigInteger[] from : thresholds(form)) {
      RowkeyLayout layout = form.layout("{s:uint8=any of 2,5 from n=%2$d,9 from n=%3$d}%1$s", from);
      for (BigInteger value : form.values(from)) {
        long count = SaltBuckets.of(layout).rowCount(form.written(value));
        assertEquals(buckets[step(from, value)], count, () -> layout + " n=" + value);
      }
    }
  }

  /** As 8 has another remainder for each step, each makes a bucket. */
  @ParameterizedTest
  @MethodSource("forms")
  void count_rangeBetweenTwoValues_isThatOfTheStepsBetween(Form form) {
    for (BigInteger[] from : thresholds(form)) {
      RowkeyLayout layout =
          form.layout("{s:uint8=id%%2,5 from n=%2$d,9 from n=%3$d}{id:uint8}%1$s", from);
      SaltBuckets buckets = SaltBuckets.of(layout);
      for (BigInteger one : form.values(from)) {
        for (BigInteger other : form.values(from)) {
          byte[] lower = SlowBytes.concat(new byte[] {8}, form.written(one));
          byte[] upper = SlowBytes.concat(new byte[] {8}, form.written(other));
          if (SlowBytes.compare(lower, upper) <= 0) {
            int expected = form.isInOrder() || one.equals(other) ? steps(from, one, other) : 3;
            String message = layout + " n=" + one + " .. " + other;
            KeyRange closed = KeyRange.of(lower, true, upper, true);
            assertEquals(expected, buckets.count(closed), message);
            // Where digits descend, the bytes below 50 that are no digits count as below 49.
            if (form.isInOrder() && form.seg.from == null && !one.equals(other)) {
              BigInteger last = other.subtract(BigInteger.valueOf(other.compareTo(one)));
              KeyRange open = KeyRange.of(lower, true, upper, false);
              assertEquals(steps(from, one, last), buckets.count(open), "below: " + message);
            }
          }
        }
      }
    }
  }

  private static int steps(BigInteger[] thresholds, BigInteger one, BigInteger other) {
    return 1 + Math.abs(step(thresholds, one) - step(thresholds, other));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void rowsOfAnAddedStep_valuesAtIt_areInItsRangesFromTheStepOn(Form form) {
    for (BigInteger[] from : thresholds(form)) {
      RowkeyLayout before = form.layout("v{s:uint8=any of 2,5 from n=%2$d}-%1$s", from);
      RowkeyLayout after =
          form.layout("v{s:uint8=any of 2,5 from n=%2$d,9 from n=%3$d}-%1$s", from);
      AddedSteps added = AddedSteps.of(before, after);
      assertEquals(form.isInOrder(), added.isInRanges(), after::toString);
      for (BigInteger value : form.values(from)) {
        byte[] bareKey = SlowBytes.concat(new byte[] {'v'}, form.written(value));
        for (byte[] row : SaltBuckets.of(after).rows(bareKey)) {
          boolean isIn = added.rows().stream().anyMatch(range -> range.contains(row));
          boolean isExpected = !form.isInOrder() || value.compareTo(from[1]) >= 0;
          assertEquals(isExpected, isIn, () -> after + " n=" + value);
          assertEquals(
              before.check(row) == Verdict.CONFORMS
                  ? LayoutChange.Place.SAME
                  : LayoutChange.Place.NEW,
              added.change().place(row),
              () -> after + " row=" + RowText.abbreviated(row));
        }
      }
    }
  }

  /** The upper half of the values has four buckets, of an eighth each, the lower has two. */
  @ParameterizedTest
  @MethodSource("forms")
  void evenly_aStepInTheMiddle_countsHalfOfTheValuesToIt(Form form) {
    BigInteger middle = form.middle();
    RowkeyLayout layout = form.layout("{s:uint8=any of 2,4 from n=%2$d}%1$s", middle);
    List<byte[]> cuts = LayoutBoundaries.of(layout, null).evenly(8);
    assertArrayEquals(new byte[] {1}, cuts.get(2), layout::toString);
    assertArrayEquals(new byte[] {2}, cuts.get(5), layout::toString);
    assertArrayEquals(new byte[] {3}, cuts.get(6), layout::toString);
  }
}
