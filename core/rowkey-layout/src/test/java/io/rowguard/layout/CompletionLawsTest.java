package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.SlowModel.Kind;
import io.rowguard.layout.SlowModel.Seg;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laws of bare keys and values: completing a stripped row gives the row again, completing a
 * bare key gives a row that conforms, encoding what was decoded gives the row again, each equals
 * the slow implementation's answer, and whatever has no answer is refused.
 */
@Tag("whole")
class CompletionLawsTest {
  private static final int LAYOUTS_PER_SEED = 250;
  private static final int ROWS_PER_LAYOUT = 40;
  private static final String LONE_SURROGATE = Character.toString((char) 0xD800);

  /** Ten seeds: 2,500 layouts and 100,000 rows. */
  static LongStream seeds() {
    return LawSeeds.of(101, 110);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void completeOfStrip_conformingRow_isTheRow(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      for (int r = 0; r < ROWS_PER_LAYOUT; r++) {
        byte[] row = at.rows.conforming();
        byte[] bareKey = at.core.strip(row);
        assertArrayEquals(at.slow.strip(row), bareKey, () -> at.at(row));
        assertTrue(at.core.bare().check(bareKey).conforms(), () -> at.at(row));
        assertArrayEquals(row, at.core.complete(bareKey), () -> at.at(row));
        boolean lengthFits =
            row.length >= at.core.minRowLength() && row.length <= at.core.maxRowLength();
        assertTrue(lengthFits, () -> at.at(row));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void writeDerived_wrongSaltsAnywhere_putsThemRightAndNothingElse(long seed) {
    int wrong = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      byte[] row = at.rows.wrongSalt();
      byte[] right = at.slow.complete(at.slow.strip(row));
      byte[] before = {1, 2, 3};
      byte[] after = {4, 5};
      byte[] target = SlowBytes.concat(before, row, after);
      at.core.writeDerived(target, before.length, row.length);
      assertArrayEquals(SlowBytes.concat(before, right, after), target, () -> at.at(row));
      wrong += Arrays.equals(row, right) ? 0 : 1;
    }
    assertTrue(wrong > LAYOUTS_PER_SEED / 4, "seed=" + seed + " wrong=" + wrong);
  }

  @Test
  void complete_rowTooLong_saysThatItIsTheSaltedRow() {
    RowkeyLayout layout =
        RowkeyLayout.parse("{salt:digits(2)=murmur3(id)%16}-{id:word}").withMaxRowLength(6);
    byte[] bareKey = "alice".getBytes(ISO_8859_1);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> layout.complete(bareKey));
    assertEquals(
        "Not a salted row of the layout. Rowkey does not fit the layout: the row has 8 bytes, more"
            + " than the 6 allowed. row=\"13-alice\" offset=6 expected=\"at most 6 bytes\""
            + " found=\"ce\". Layout: {salt:digits(2)=murmur3(id)%16}-{id:word}",
        e.getMessage());
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void strip_anyRow_isRefusedUnlessItConforms(long seed) {
    int refused = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      for (int r = 0; r < ROWS_PER_LAYOUT; r++) {
        byte[] row = at.rows.next();
        if (!at.slow.conforms(row)) {
          refused++;
          assertThrows(IllegalArgumentException.class, () -> at.core.strip(row), () -> at.at(row));
          assertThrows(IllegalArgumentException.class, () -> at.core.decode(row), () -> at.at(row));
          String name = at.core.segments().get(0).name();
          assertThrows(
              IllegalArgumentException.class,
              () -> at.core.segmentRange(name, row),
              () -> at.at(row));
        }
      }
    }
    assertTrue(refused > LAYOUTS_PER_SEED * ROWS_PER_LAYOUT / 4, "seed=" + seed);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void complete_anyKey_conformsOrIsRefused(long seed) {
    int completed = 0;
    int refused = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      for (int r = 0; r < ROWS_PER_LAYOUT; r++) {
        byte[] key = r % 2 == 0 ? at.rows.bareKey() : at.rows.next();
        if (at.slow.isBare(key)) {
          completed++;
          byte[] row = at.core.complete(key);
          assertArrayEquals(at.slow.complete(key), row, () -> at.at(key));
          assertEquals(Verdict.CONFORMS, at.core.check(row), () -> at.at(key));
        } else {
          refused++;
          assertThrows(
              IllegalArgumentException.class, () -> at.core.complete(key), () -> at.at(key));
        }
      }
    }
    int keys = LAYOUTS_PER_SEED * ROWS_PER_LAYOUT;
    assertTrue(completed > keys / 2 && refused > keys / 8, "seed=" + seed);
  }

  @Test
  void complete_rowWouldBeTooLong_refused() {
    RowkeyLayout layout = RowkeyLayout.parse("{salt:hex(4)=md5(*)}-{id:word}");
    byte[] longest = new byte[SlowModel.MAX_ROW - 5];
    Arrays.fill(longest, (byte) 'a');
    assertEquals(Verdict.CONFORMS, layout.check(layout.complete(longest)));
    byte[] longer = Arrays.copyOf(longest, longest.length + 1);
    longer[longest.length] = 'a';
    assertThrows(IllegalArgumentException.class, () -> layout.complete(longer));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void bare_anyLayout_isTheLayoutWithoutWhatIsDerived(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      assertEquals(RowkeyLayout.parse(at.model.bare().text()), at.core.bare(), at::toString);
      if (!at.model.hasDerived()) {
        assertSame(at.core, at.core.bare(), at::toString);
      }
      for (int r = 0; r < 10; r++) {
        byte[] key = r % 2 == 0 ? at.rows.bareKey() : at.rows.next();
        assertEquals(at.slow.bare().check(key), at.core.bare().check(key), () -> at.at(key));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void encodeOfDecode_conformingRow_isTheRow(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      for (int r = 0; r < ROWS_PER_LAYOUT; r++) {
        byte[] row = at.rows.conforming();
        Map<String, Object> values = at.core.decode(row);
        assertEquals(show(at.slow.decode(row)), show(values), () -> at.at(row));
        assertArrayEquals(row, at.core.encode(plain(at, values)), () -> at.at(row));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void segmentRange_conformingRow_isWhereTheSegmentStands(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      for (int r = 0; r < ROWS_PER_LAYOUT; r++) {
        byte[] row = at.rows.conforming();
        SlowLayout.Reading reading = at.slow.read(row);
        for (Seg seg : at.model.segs()) {
          int piece = at.model.indexOf(seg.name);
          int[] range = {reading.start(piece), reading.ends.get(piece)};
          assertArrayEquals(range, at.core.segmentRange(seg.name, row), () -> at.at(row));
        }
      }
    }
  }

  @Test
  void segmentRange_rowThatLacksASegmentBeforeAZero_isEmptyThere() {
    RowkeyLayout layout = RowkeyLayout.parse("{a:word}:{b:hex(2) optional}\\x00{c:word}");
    byte[] row = "x\0yz".getBytes(ISO_8859_1);
    assertArrayEquals(new int[] {1, 1}, layout.segmentRange("b", row));
    assertArrayEquals(new int[] {2, 4}, layout.segmentRange("c", row));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void encode_anyValues_equalsSlowEncodeOrIsRefused(long seed) {
    int encoded = 0;
    int refused = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      for (int r = 0; r < ROWS_PER_LAYOUT; r++) {
        Map<String, Object> values = values(at);
        byte[] expected = at.slow.encode(values);
        String message = at + " values=" + show(values);
        if (expected == null) {
          refused++;
          assertThrows(IllegalArgumentException.class, () -> at.core.encode(values), () -> message);
        } else {
          encoded++;
          assertArrayEquals(expected, at.core.encode(values), () -> message);
          assertEquals(show(values), show(plain(at, at.core.decode(expected))), () -> message);
        }
      }
    }
    int all = LAYOUTS_PER_SEED * ROWS_PER_LAYOUT;
    assertTrue(encoded > all / 4 && refused > all / 10, "seed=" + seed);
  }

  @Test
  void encode_digitsAsLong_padsWithZeros() {
    RowkeyLayout layout = RowkeyLayout.parse("{order:digits(12) reversed}{n:digits(3)}");
    byte[] row = layout.encode(Map.of("order", 1234L, "n", 7L));
    assertEquals("432100000000007", SlowBytes.show(row));
    Map<String, Long> tooBig = Map.of("order", 1L, "n", 1000L);
    assertThrows(IllegalArgumentException.class, () -> layout.encode(tooBig));
    Map<String, Long> negative = Map.of("order", -1L, "n", 0L);
    assertThrows(IllegalArgumentException.class, () -> layout.encode(negative));
  }

  @Test
  void encode_valuesOfOtherJavaTypes_areWholeNumbersOrRefused() {
    for (Object seven : List.of(7L, 7, (short) 7, (byte) 7)) {
      assertEquals("\\x87", SlowBytes.show(encode("{v:int8}", seven)));
    }
    for (Object seven : List.of(7L, 7, "07")) {
      assertEquals("07", SlowBytes.show(encode("{v:digits(2)}", seven)));
    }
    assertEquals("00", SlowBytes.show(encode("{v:digits(2)}", 0)));
    assertEquals("ab", SlowBytes.show(encode("{v:bytes(2)}", new byte[] {'a', 'b'})));
    assertRefused("{v:int8}", 7.0, "type=int8 value=\"7.0\" expected=\"a whole number\"");
    assertRefused("{v:int8}", BigInteger.ONE, "value=\"1\" expected=\"a whole number\"");
    String digits = "expected=\"a String of digits, or a long that is not negative\"";
    assertRefused("{v:digits(2)}", 7.0, "type=digits(2) value=\"7.0\" " + digits);
    assertRefused("{v:digits(2)}", (short) 7, digits);
    assertRefused("{v:digits(2)}", -1, digits);
    assertRefused("{v:digits(2)}", 100, "value=\"100\" expected=\"2 digits\"");
    assertRefused("{v:bytes(2)}", "ab", "value=\"ab\" expected=\"a byte[]\"");
    assertRefused("{v:bytes(2)}", new byte[] {-1}, "value=\"\\xFF\" expected=\"2 bytes\"");
    assertRefused("{v:word}", 7, "type=word value=\"7\" expected=\"a String\"");
  }

  /** The message is about the value, not about the row that it would have made. */
  @Test
  void encode_valueWrongFromItsFirstByteOn_isRefusedAsAValue() {
    assertRefused(
        "{v:word}", "-a", "value=\"-a\" expected=\"1 or more letters, digits or underscores\"");
  }

  private static byte[] encode(String layout, Object value) {
    return RowkeyLayout.parse(layout).encode(Map.of("v", value));
  }

  private static void assertRefused(String layout, Object value, String end) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> encode(layout, value), layout);
    String message = e.getMessage();
    assertTrue(message.startsWith("The value does not fit its segment. segment=v "), message);
    assertTrue(message.endsWith(end), message);
  }

  @Test
  void encode_chosenValueThatIsNoChoice_refused() {
    RowkeyLayout layout = RowkeyLayout.parse("{s:digits(2)=any of 16}-{id:word}");
    assertEquals("15-a", SlowBytes.show(layout.encode(Map.of("s", "15", "id", "a"))));
    Map<String, String> none = Map.of("s", "16", "id", "a");
    assertThrows(IllegalArgumentException.class, () -> layout.encode(none));
  }

  @Test
  void encode_derivedOrUnknownSegment_refused() {
    RowkeyLayout layout = RowkeyLayout.parse("{s:hex(2)=md5(id)}{id:word}");
    Map<String, String> derived = Map.of("s", "00", "id", "a");
    assertThrows(IllegalArgumentException.class, () -> layout.encode(derived));
    Map<String, String> unknown = Map.of("id", "a", "nosuch", "b");
    assertThrows(IllegalArgumentException.class, () -> layout.encode(unknown));
    assertThrows(IllegalArgumentException.class, () -> layout.encode(Map.of()));
    assertThrows(IllegalArgumentException.class, () -> layout.segment("nosuch"));
  }

  /** Values of the plain segments, each from another row, and sometimes one that does not fit. */
  private static Map<String, Object> values(LayoutCase at) {
    Map<String, Object> values = new LinkedHashMap<>();
    List<Seg> plain = at.model.segs().stream().filter(seg -> !seg.isDerived()).toList();
    for (Seg seg : plain) {
      values.put(seg.name, at.slow.decode(at.rows.conforming()).get(seg.name));
    }
    if (at.random.nextInt(2) == 0) {
      Seg seg = plain.get(at.random.nextInt(plain.size()));
      values.put(seg.name, strange(at, seg, values.get(seg.name)));
      values.values().removeIf(value -> value == null);
    }
    return values;
  }

  private static Object strange(LayoutCase at, Seg seg, Object usual) {
    int sort = at.random.nextInt(6);
    if (sort == 0 || usual == null) {
      return null;
    }
    if (seg.from != null && at.random.nextBoolean()) {
      return seg.from.longValue() + sort - 3;
    }
    if (seg.isNumber()) {
      long[] edges = {
        -1,
        0,
        255,
        256,
        65535,
        65536,
        1L << 32,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        127,
        128,
        -128,
        -129,
        32767,
        32768,
        -32768,
        -32769,
        1L << 31,
        -1L << 31,
        (-1L << 31) - 1
      };
      return edges[at.random.nextInt(edges.length)];
    }
    if (seg.kind == Kind.BYTES) {
      return Arrays.copyOf((byte[]) usual, Math.max(0, ((byte[]) usual).length + sort - 3));
    }
    String text = (String) usual;
    int cut = at.random.nextInt(text.length() + 1);
    String literal = new String(new RandomLayouts(at.random).literal(), ISO_8859_1);
    return switch (sort) {
      case 1 -> text + "a0";
      case 2 -> text.substring(cut);
      case 3 -> text.substring(0, cut) + literal + text.substring(cut);
      case 4 -> text.substring(0, cut) + LONE_SURROGATE + text.substring(cut);
      default ->
          text.substring(0, cut) + "\u00E9" + text.substring(Math.min(text.length(), cut + 2));
    };
  }

  private static Map<String, Object> plain(LayoutCase at, Map<String, Object> values) {
    Map<String, Object> plain = new LinkedHashMap<>(values);
    at.model.segs().stream().filter(Seg::isDerived).forEach(seg -> plain.remove(seg.name));
    return plain;
  }

  /** Values with their types, in order, so that two maps can be compared as text. */
  private static String show(Map<String, Object> values) {
    List<String> shown = new ArrayList<>();
    values.forEach(
        (name, value) -> {
          String text = value instanceof byte[] bytes ? SlowBytes.show(bytes) : "" + value;
          // A value that the row lacks need not be given.
          if (value != null) {
            shown.add(name + "=" + value.getClass().getSimpleName() + ":" + text);
          }
        });
    return shown.toString();
  }

  /** Back to front the two would make one character. */
  @Test
  void encode_ofLoneSurrogatesBackToFront_isRefused() {
    RowkeyLayout layout = RowkeyLayout.parse("{k:text reversed}");
    assertThrows(IllegalArgumentException.class, () -> layout.encode(Map.of("k", "\uDC00\uD800")));
  }
}
