package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.SlowModel.Kind;
import io.rowguard.layout.SlowModel.Piece;
import io.rowguard.layout.SlowModel.Seg;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laws of even division, on small layouts whose leading space can be listed: as many boundaries
 * as asked for, ascending, legal, no region without rows, and regions that differ by one value of
 * the leading space at most.
 */
@Tag("whole")
class DivisionLawsTest {
  private static final int LAYOUTS_PER_SEED = 80;
  private static final byte[] UNBOUNDED = {};

  static LongStream seeds() {
    return LawSeeds.of(701, 710);
  }

  /** A small layout with all that rows can begin with up to its leading space's end. */
  private static final class Space {
    final LayoutCase at;
    final ListedBoundaries listed;
    final LayoutBoundaries core;
    final TreeSet<byte[]> values = new TreeSet<>(SlowBytes::compare);
    final boolean isPlain;
    final boolean isWeighted;

    Space(long seed, int index) {
      Random random = LayoutCase.random(seed, index);
      SmallLayouts layouts = new SmallLayouts(random);
      SlowModel model = layouts.next();
      String group = layouts.group(model);
      at = LayoutCase.of(seed, index, random, model, group);
      listed = new ListedBoundaries(model, group);
      core = LayoutBoundaries.of(at.core, group);
      int last = lastLeadingPiece(at);
      for (byte[] row : listed.rows) {
        SlowLayout.Reading reading = at.slow.readWithAnySalt(row);
        values.add(SlowBytes.first(row, last < 0 ? 0 : reading.ends.get(last)));
      }
      isWeighted =
          model.segs().stream().anyMatch(seg -> seg.isDerived() && seg.source.by() != null);
      List<Piece> leading = model.pieces.subList(0, last + 1);
      isPlain = leading.stream().allMatch(piece -> isCounted(piece.seg()));
    }

    /** Nothing derived, whose salts may be known to be wrong, and no characters, which overlap. */
    private static boolean isCounted(Seg seg) {
      return seg == null || (!seg.isDerived() && !seg.isCharacters());
    }

    /** A key of any sort, but none within the rows of one value of the leading space. */
    byte[] edge() {
      byte[] key = listed.key(at.rows, at.random);
      byte[] value = values.floor(key);
      return value != null && SlowBytes.startsWith(key, value) ? value : key;
    }

    private static int lastLeadingPiece(LayoutCase at) {
      int end = Math.min(at.slow.lastCutPiece(at.group), at.model.tail() - 1);
      for (int i = 0; i <= end; i++) {
        Seg seg = at.model.pieces.get(i).seg();
        if (at.model.isInner(i + 1) || (seg != null && !seg.isFixed())) {
          return i - 1;
        }
      }
      return end;
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void evenly_smallLayouts_equalReachableRegionsOrRefused(long seed) {
    int divided = 0;
    int plain = 0;
    int refused = 0;
    int salted = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      Space space = new Space(seed, i);
      salted += assertOneSaltEach(space) ? 1 : 0;
      for (int regions : regions(space)) {
        String message = "regions=" + regions + " values=" + space.values.size() + " " + space.at;
        if (regions > space.values.size()) {
          refused++;
          assertThrows(IllegalArgumentException.class, () -> space.core.evenly(regions), message);
        } else {
          List<byte[]> cuts = divide(space, regions, message);
          divided += cuts == null ? 0 : 1;
          plain += space.isPlain ? 1 : 0;
        }
      }
    }
    String counts = "divided=" + divided + " plain=" + plain + " refused=" + refused;
    boolean enough = divided > LAYOUTS_PER_SEED && plain > LAYOUTS_PER_SEED / 4 && salted >= 3;
    assertTrue(enough && refused > LAYOUTS_PER_SEED / 4, "seed=" + seed + " " + counts);
  }

  private static int[] regions(Space space) {
    int values = space.values.size();
    int some = 2 + space.at.random.nextInt(Math.max(1, Math.min(values, 300)));
    return new int[] {2, 3, some, Math.min(values, 1000) + 1, Math.max(2, Math.min(values, 1000))};
  }

  /** The division, or null where wrong salts leave fewer boundaries than values. */
  private static List<byte[]> divide(Space space, int regions, String message) {
    List<byte[]> cuts;
    try {
      cuts = space.core.evenly(regions);
    } catch (IllegalArgumentException e) {
      boolean mayBeRefused = space.isWeighted || regions > firstSegmentValues(space);
      assertTrue(!space.isPlain && mayBeRefused, () -> "refused: " + message);
      return null;
    }
    assertEquals(regions - 1, cuts.size(), message);
    assertDivided(space, cuts, message);
    if (space.isPlain) {
      int[] counts = counts(space, cuts);
      int most = IntStream.of(counts).max().getAsInt();
      int least = IntStream.of(counts).min().getAsInt();
      assertTrue(most - least <= 1, () -> "most=" + most + " least=" + least + " " + message);
    }
    return cuts;
  }

  /** Values of the first segment alone: no salt can be known to be wrong within it. */
  private static int firstSegmentValues(Space space) {
    Seg first = space.at.model.segs().get(0);
    return first.isFixed() ? SmallLayouts.contents(first).size() / 2 : 1;
  }

  private static void assertDivided(Space space, List<byte[]> cuts, String message) {
    byte[] start = UNBOUNDED;
    for (int c = 0; c <= cuts.size(); c++) {
      byte[] end = c == cuts.size() ? UNBOUNDED : cuts.get(c);
      String region = SlowBytes.show(start) + " .. " + SlowBytes.show(end) + " " + message;
      assertTrue(end.length == 0 || SlowBytes.compare(start, end) < 0, () -> "order: " + region);
      assertTrue(
          end.length == 0 || space.listed.legal.containsKey(end), () -> "illegal: " + region);
      assertTrue(
          ListedBoundaries.anyBetween(space.listed.rows, start, end), () -> "empty: " + region);
      assertTrue(space.core.isReachable(start, end), () -> "unreachable: " + region);
      start = end;
    }
  }

  private static int[] counts(Space space, List<byte[]> cuts) {
    int[] counts = new int[cuts.size() + 1];
    int region = 0;
    for (byte[] value : space.values) {
      while (region < cuts.size() && SlowBytes.compare(cuts.get(region), value) <= 0) {
        region++;
      }
      counts[region]++;
    }
    return counts;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void evenly_partOfTheSpace_equalRegionsWithinItOrRefused(long seed) {
    int divided = 0;
    int refused = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i += 2) {
      Space space = new Space(seed, i);
      for (int k = 0; k < 20 && space.isPlain; k++) {
        byte[] start = space.edge();
        byte[] end = space.edge();
        boolean inOrder = end.length == 0 || SlowBytes.compare(start, end) < 0;
        SortedSet<byte[]> above = space.values.tailSet(start, true);
        int size = !inOrder ? 0 : end.length == 0 ? above.size() : above.headSet(end).size();
        int regions = 2 + space.at.random.nextInt(Math.min(100, size + 1));
        String message =
            SlowBytes.show(start) + " .. " + SlowBytes.show(end) + " " + regions + " " + space.at;
        if (regions > size) {
          refused++;
          assertThrows(
              IllegalArgumentException.class,
              () -> space.core.evenly(start, end, regions),
              message);
        } else {
          divided++;
          List<byte[]> cuts = space.core.evenly(start, end, regions);
          assertEquals(regions - 1, cuts.size(), message);
          assertEqualParts(space, start, end, cuts, message);
        }
      }
    }
    boolean both = divided > LAYOUTS_PER_SEED / 4 && refused > LAYOUTS_PER_SEED / 4;
    assertTrue(both, "seed=" + seed + " divided=" + divided + " refused=" + refused);
  }

  private static void assertEqualParts(
      Space space, byte[] start, byte[] end, List<byte[]> cuts, String message) {
    int most = 0;
    int least = Integer.MAX_VALUE;
    byte[] from = start;
    for (int c = 0; c <= cuts.size(); c++) {
      byte[] to = c == cuts.size() ? end : cuts.get(c);
      boolean isCut = c < cuts.size();
      assertTrue(!isCut || space.listed.legal.containsKey(to), () -> "illegal: " + message);
      SortedSet<byte[]> above = space.values.tailSet(from, true);
      int count = to.length == 0 ? above.size() : above.headSet(to).size();
      most = Math.max(most, count);
      least = Math.min(least, count);
      from = to;
    }
    assertTrue(most - least <= 1, "most=" + most + " least=" + least + " " + message);
  }

  /** As many regions as a leading salt has values: each holds one of them. */
  private static boolean assertOneSaltEach(Space space) {
    Seg first = space.at.model.segs().get(0);
    if (!first.isDerived() || !first.source.isModulo() || !first.source.steps().isEmpty()) {
      return false;
    }
    List<byte[]> cuts = space.core.evenly(first.source.buckets());
    List<byte[]> salts = SlowSegment.salts(first);
    byte[] front =
        space.at.model.pieces.get(0) instanceof SlowModel.Lit lit ? lit.bytes : UNBOUNDED;
    assertEquals(salts.size() - 1, cuts.size(), space.at::toString);
    assertDivided(space, cuts, space.at.toString());
    for (int c = 0; c < cuts.size(); c++) {
      byte[] cut = cuts.get(c);
      byte[] below = SlowBytes.concat(front, salts.get(c));
      byte[] atOrAbove = SlowBytes.concat(front, salts.get(c + 1));
      boolean between = SlowBytes.compare(below, cut) < 0 && SlowBytes.compare(cut, atOrAbove) <= 0;
      assertTrue(between, () -> "cut=" + SlowBytes.show(cut) + " " + space.at);
    }
    return true;
  }

  @Test
  void evenly_hexIds_cutsAsShortAsTheyCanBe() {
    LayoutBoundaries hex = LayoutBoundaries.of(RowkeyLayout.parse("{id:hex(16)}"), null);
    assertEquals("[4, 8, c]", hex.evenly(4).stream().map(SlowBytes::show).toList().toString());
    assertEquals(15, hex.evenly(16).stream().filter(cut -> cut.length == 1).count());
    assertEquals(255, hex.evenly(256).stream().filter(cut -> cut.length <= 2).count());
  }

  /** As close as it says: within 1/65,536 of a region below the fraction, and no longer for it. */
  @Test
  void evenly_manyRegions_areAsEqualAsTheyAreSaidToBe() {
    int regions = 1000;
    double precise = 1.0 / regions / (1 << 16);
    LayoutBoundaries hex = LayoutBoundaries.of(RowkeyLayout.parse("{id:hex(12)}"), null);
    List<byte[]> cuts = hex.evenly(regions);
    for (int i = 1; i < regions; i++) {
      String cut = SlowBytes.show(cuts.get(i - 1));
      double place = Long.parseLong(cut, 16) / Math.pow(16, cut.length());
      double missing = (double) i / regions - place;
      assertTrue(missing >= 0 && missing < precise, () -> "cut=" + cut + " missing=" + missing);
      assertTrue(cut.length() <= 7, cut);
    }
  }

  /** Six of 16 salts begin with 1: after those two digits four of the id are precise enough. */
  @Test
  void evenly_saltsThatEndWithinADigit_cutsNoLongerThanPrecise() {
    LayoutBoundaries boundaries =
        LayoutBoundaries.of(
            RowkeyLayout.parse("{salt:digits(2)=murmur3(id)%16}{id:hex(16)}"), null);
    List<byte[]> cuts = boundaries.evenly(11);
    for (int i = 1; i < 11; i++) {
      int place = (i << 20) / 11;
      String expected = String.format(Locale.ROOT, "%02d%04x", place >> 16, place & 0xffff);
      assertEquals(expected, SlowBytes.show(cuts.get(i - 1)));
    }
  }

  /** Salts by their weight: steps that few values reach count for little. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "UINT8; 1; false; 3; 5; 50",
        "UINT16; 2; false; 300; 1000; 25",
        "UINT16; 2; true; 300; 1000; 25",
        "HEX; 2; false; 20; 200; 90",
        "UPPER_HEX; 3; true; 20; 200; 90",
        "DIGITS; 2; false; 15; 25; 50",
        "DIGITS; 1; true; 2; 4; 50",
        "DIGITS; 2; true; 15; 25; 50",
        "DIGITS; 3; true; 101; 110; 10",
        "BYTES; 2; true; 300; 513; 75",
      })
  void evenly_saltsWithAStep_countAsManyValuesAsTheyHave(
      Kind kind, int length, boolean modified, int buckets, int more, int from) {
    SlowSource source =
        SlowSource.any(buckets)
            .withSteps("n", List.of(new SlowSource.Step(more, BigInteger.valueOf(from))));
    Seg salt = new Seg("s", kind, length, length, modified, source);
    Seg plain = new Seg("n", Kind.DIGITS, 2, 2, false, null);
    RowkeyLayout layout = RowkeyLayout.parse(new SlowModel(List.of(salt, plain)).text());
    List<byte[]> salts = SlowSegment.salts(salt);
    double[] below = new double[more + 1];
    for (int i = 0; i < more; i++) {
      boolean isOfFirst = SlowSegment.number(salt, salts.get(i)).intValue() < buckets;
      double weight = (isOfFirst ? from / 100.0 / buckets : 0) + (100 - from) / 100.0 / more;
      below[i + 1] = below[i] + weight;
    }
    List<byte[]> cuts = LayoutBoundaries.of(layout, null).evenly(8);
    for (int i = 1; i < 8; i++) {
      byte[] cut = cuts.get(i - 1);
      byte[] first = SlowBytes.first(cut, Math.min(cut.length, length));
      int at = 0;
      while (SlowBytes.compare(salts.get(at), first) < 0) {
        at++;
      }
      double place = i / 8.0;
      double end = cut.length > length ? below[at + 1] : below[at];
      String message = layout + " cut=" + SlowBytes.show(cut) + " place=" + place;
      assertTrue(below[at] < place + 1e-5 && place < end + 1e-5, message);
    }
  }

  @Test
  void evenly_noRegionsOrBoundsThatDoNotAscend_refused() {
    LayoutBoundaries hex = LayoutBoundaries.of(RowkeyLayout.parse("{id:hex(4)}"), null);
    assertEquals(List.of(), hex.evenly(1));
    IllegalArgumentException none =
        assertThrows(IllegalArgumentException.class, () -> hex.evenly(0));
    assertEquals("The number of regions must be 1 or more. given=0", none.getMessage());
    byte[] start = {'7'};
    IllegalArgumentException same =
        assertThrows(IllegalArgumentException.class, () -> hex.evenly(start, start, 1));
    assertEquals("The start must be below the end. start=\"7\" end=\"7\"", same.getMessage());
    assertEquals(List.of(), hex.evenly(start, new byte[] {'8'}, 1));
  }

  @Test
  void evenly_nothingFixedInFront_refused() {
    LayoutBoundaries text =
        LayoutBoundaries.of(RowkeyLayout.parse("{scope:text}/{name:text}"), "scope");
    assertThrows(IllegalArgumentException.class, () -> text.evenly(2));
    LayoutBoundaries literal = LayoutBoundaries.of(RowkeyLayout.parse("a/{name:text}"), null);
    assertThrows(IllegalArgumentException.class, () -> literal.evenly(2));
  }
}
