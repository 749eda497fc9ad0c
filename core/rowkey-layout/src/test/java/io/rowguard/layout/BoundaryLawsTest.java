package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The laws of boundaries, on layouts so small that every row and every legal boundary can be
 * listed: legality, floor, ceiling, successor and reachability are what the list says, and no legal
 * boundary divides a group.
 */
@Tag("whole")
class BoundaryLawsTest {
  private static final int LAYOUTS_PER_SEED = 200;
  private static final int KEYS_PER_LAYOUT = 30;
  private static final byte[] UNBOUNDED = {};

  /** Ten seeds: 2,000 layouts and 120,000 keys. */
  static LongStream seeds() {
    return LawSeeds.of(401, 410);
  }

  /** A small layout with its list and the boundaries under test. */
  private static final class Small {
    final LayoutCase at;
    final ListedBoundaries listed;
    final LayoutBoundaries core;

    Small(long seed, int index) {
      Random random = LayoutCase.random(seed, index);
      SmallLayouts layouts = new SmallLayouts(random);
      SlowModel model = layouts.next();
      String group = layouts.group(model);
      at = LayoutCase.of(seed, index, random, model, group);
      listed = new ListedBoundaries(model, group);
      core = LayoutBoundaries.of(at.core, group);
    }

    byte[] key() {
      return listed.key(at.rows, at.random);
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void everyAnswer_smallLayouts_isTheListsAnswer(long seed) {
    int legal = 0;
    int illegal = 0;
    int salted = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      Small small = new Small(seed, i);
      assertNoGroupDivided(small);
      for (int k = 0; k < KEYS_PER_LAYOUT; k++) {
        byte[] key = small.key();
        boolean isLegal = small.listed.legal.containsKey(key);
        legal += isLegal ? 1 : 0;
        illegal += isLegal ? 0 : 1;
        assertJudged(small, key, isLegal);
        salted += assertSaltsDivided(small, key) ? 1 : 0;
        assertSame(small, "floor", key, small.listed.floor(key), small.core.floor(key));
        assertSame(small, "ceiling", key, small.listed.ceiling(key), small.core.ceiling(key));
        byte[] successor = small.listed.successor(small.at.group, key);
        assertSame(small, "successor", key, successor, small.core.successor(key));
        assertReachability(small, key, small.key());
      }
    }
    int keys = LAYOUTS_PER_SEED * KEYS_PER_LAYOUT;
    assertTrue(legal > keys / 4 && illegal > keys / 4, "seed=" + seed + " legal=" + legal);
    assertTrue(salted > 100, "seed=" + seed + " salted=" + salted);
  }

  /** Takes literals whose beginnings overlap: random ones of so many bytes hardly do. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{a:digits(1..2)}0001{b:digits(1)}",
        "{a:digits(1..2)}010102{b:digits(1)}",
        "{a:digits(1..2)}121{b:digits(1) optional}"
      })
  void isLegal_literalThatOverlapsItself_isTheListsAnswer(String text) {
    ListedBoundaries listed = new ListedBoundaries(SlowParser.parse(text), null);
    LayoutBoundaries core = LayoutBoundaries.of(RowkeyLayout.parse(text), null);
    for (byte[] row : listed.rows) {
      for (int cut = 1; cut <= row.length; cut++) {
        for (int last : new int[] {row[cut - 1], '0', '1'}) {
          byte[] key = SlowBytes.append(SlowBytes.first(row, cut - 1), last);
          assertEquals(listed.legal.containsKey(key), core.isLegal(key), () -> show(key));
        }
      }
    }
  }

  /** Rows of the group of 7|x lack the literal, or go on with it. */
  @ParameterizedTest
  @CsvSource({"7|x!, true", "7|x/, false"})
  void judge_besideALiteralThatRowsMayLack_cutsTheGroupBelowIt(String key, boolean cutsGroup) {
    RowkeyLayout layout = RowkeyLayout.parse("{k:digits(1)}|{a:word}-{b:text optional}");
    Legality judged = LayoutBoundaries.of(layout, "a").judge(key.getBytes(StandardCharsets.UTF_8));
    assertEquals(3, judged.offset());
    assertEquals(cutsGroup, judged.cutsGroup());
  }

  private static void assertJudged(Small small, byte[] key, boolean isLegal) {
    assertEquals(isLegal, small.core.isLegal(key), () -> small.at.at(key));
    Legality judged = small.core.judge(key);
    assertEquals(isLegal, judged.isLegal(), () -> small.at.at(key));
    int offset = judged.offset();
    boolean fits = isLegal ? offset == -1 : offset >= 0 && offset <= key.length;
    assertTrue(fits, () -> "offset=" + offset + " " + small.at.at(key));
    assertTrue(isLegal || !judged.reason().isEmpty(), () -> small.at.at(key));
    boolean cut = small.listed.groups.values().stream().anyMatch(g -> isBetween(key, g));
    assertTrue(judged.cutsGroup() || !cut, () -> small.at.at(key));
    assertTrue(!judged.cutsGroup() || !isLegal, () -> small.at.at(key));
    if (!isLegal && !judged.cutsGroup()) {
      assertDividesAsTheNextLegalOne(small, key);
    }
  }

  /** Whether rows of a group lie on both sides of a key. */
  private static boolean isBetween(byte[] key, byte[][] group) {
    return SlowBytes.compare(group[0], key) < 0 && SlowBytes.compare(key, group[1]) <= 0;
  }

  private static void assertDividesAsTheNextLegalOne(Small small, byte[] key) {
    byte[] ceiling = small.core.ceiling(key);
    byte[] first = small.listed.conforming.ceiling(key);
    boolean same = first == null || (ceiling != null && SlowBytes.compare(ceiling, first) <= 0);
    assertTrue(same, () -> "first row above=" + show(first) + " " + small.at.at(key));
  }

  /**
   * No salt has rows on both sides of a boundary that divides salts, and there are rows below it; a
   * key above no row of its own salt is one. Answers whether the key is.
   */
  private static boolean assertSaltsDivided(Small small, byte[] key) {
    int salt = leadingSalt(small.at.model);
    boolean divides = small.core.dividesSalts(key);
    byte[] below = small.listed.conforming.lower(key);
    byte[] above = small.listed.conforming.ceiling(key);
    byte[] anyBelow = small.listed.rows.lower(key);
    if (divides) {
      assertTrue(salt > 0 && anyBelow != null, () -> small.at.at(key));
      assertFalse(agree(below, above, salt), () -> small.at.at(key));
    } else {
      boolean isBelow = below == null || agree(anyBelow, key, salt);
      assertTrue(salt == 0 || isBelow, () -> small.at.at(key));
    }
    return divides;
  }

  /** How many bytes there are up to the end of the first segment, if that is derived; else 0. */
  private static int leadingSalt(SlowModel model) {
    SlowModel.Seg first = model.segs().get(0);
    int front = model.pieces.get(0) instanceof SlowModel.Lit lit ? lit.bytes.length : 0;
    return first.isDerived() ? front + first.min : 0;
  }

  private static boolean agree(byte[] a, byte[] b, int length) {
    boolean isLong = a != null && b != null && a.length >= length && b.length >= length;
    return isLong && Arrays.equals(a, 0, length, b, 0, length);
  }

  private static void assertSame(Small small, String what, byte[] key, byte[] want, byte[] got) {
    assertEquals(show(want), show(got), () -> what + " of " + small.at.at(key));
  }

  private static String show(byte[] boundary) {
    return boundary == null ? "none" : "\"" + SlowBytes.show(boundary) + "\"";
  }

  /**
   * A conforming row in the range makes it reachable; no row in it, whatever its salt, makes it
   * unreachable. Between the two lie rows whose salts only a search over all keys could rule out.
   */
  private static void assertReachability(Small small, byte[] start, byte[] end) {
    boolean must = ListedBoundaries.anyBetween(small.listed.conforming, start, end);
    boolean may = ListedBoundaries.anyBetween(small.listed.rows, start, end);
    boolean reachable = small.core.isReachable(start, end);
    String message = "end=" + show(end) + " start in " + small.at.at(start);
    assertTrue(!must || reachable, () -> "a row is there: " + message);
    assertTrue(may || !reachable, () -> "no row is there: " + message);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void between_anyTwoKeys_theFirstOfTheShortestLegalOnes(long seed) {
    int found = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i += 2) {
      Small small = new Small(seed, i);
      for (int k = 0; k < KEYS_PER_LAYOUT; k++) {
        found += assertBetween(small, small.key(), small.key()) ? 1 : 0;
      }
    }
    int keys = LAYOUTS_PER_SEED / 2 * KEYS_PER_LAYOUT;
    assertTrue(found > keys / 5 && found < keys * 4 / 5, "seed=" + seed + " found=" + found);
  }

  private static boolean assertBetween(Small small, byte[] lower, byte[] upper) {
    byte[] between = small.core.between(lower, upper);
    String message = "upper=" + show(upper) + " lower in " + small.at.at(lower);
    boolean inOrder = SlowBytes.compare(lower, upper) < 0;
    var all = inOrder ? small.listed.legal.subMap(lower, false, upper, true).keySet() : null;
    if (all == null || all.isEmpty()) {
      assertNull(between, message);
      return false;
    }
    int shortest = all.stream().mapToInt(boundary -> boundary.length).min().getAsInt();
    byte[] first = all.stream().filter(boundary -> boundary.length == shortest).findFirst().get();
    assertEquals(show(first), show(between), message);
    return true;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void isReachable_openEnds_whenARowIsThere(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i += 4) {
      Small small = new Small(seed, i);
      assertTrue(small.core.isReachable(UNBOUNDED, UNBOUNDED), small.at::toString);
      for (int k = 0; k < 5; k++) {
        byte[] key = small.key();
        assertReachability(small, UNBOUNDED, key);
        assertReachability(small, key, UNBOUNDED);
        assertFalse(key.length > 0 && small.core.isReachable(key, key), () -> small.at.at(key));
      }
      byte[] last = SlowBytes.append(small.listed.rows.last(), 0);
      assertFalse(small.core.isReachable(last, UNBOUNDED), () -> small.at.at(last));
      byte[] first = small.listed.rows.first();
      assertFalse(small.core.isReachable(UNBOUNDED, first), () -> small.at.at(first));
    }
  }

  @Test
  void unreachable_splitKeysBelowAndAboveAllSalts_areTheRegionsThere() {
    LayoutBoundaries boundaries =
        LayoutBoundaries.of(
            RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%16}-{user:word}"), null);
    List<byte[]> splitKeys =
        Stream.of("00", "05", "16", "99").map(key -> key.getBytes(StandardCharsets.UTF_8)).toList();
    assertEquals(
        "[[\"\", \"00\"), [\"16\", \"99\"), [\"99\", \"\")]",
        boundaries.unreachable(splitKeys).toString());
    assertEquals(List.of(), boundaries.unreachable(List.of()));
  }

  /** Each byte may cost a hash of all before it, and anyone may ask. */
  @Test
  void isReachable_farAlongOneKey_isTrueUnsearched() {
    LayoutBoundaries boundaries =
        LayoutBoundaries.of(RowkeyLayout.parse("{hash:hex(8)=md5(id)}-{id:word}"), null);
    byte[] start = "00000000-".getBytes(StandardCharsets.UTF_8);
    byte[] above = "00000000.".getBytes(StandardCharsets.UTF_8);
    for (int length : new int[] {100, 256, 257, 30_000}) {
      byte[] end = ("00000000-" + "0".repeat(length)).getBytes(StandardCharsets.UTF_8);
      assertEquals(length > 256, boundaries.isReachable(start, end), "length=" + length);
      // Backwards, the hash's last digit is the first byte that could be a larger one.
      String last = "0-" + "z".repeat(length - 3) + "~";
      byte[] back = ("0000000" + last).getBytes(StandardCharsets.UTF_8);
      assertEquals(length > 256, boundaries.isReachable(back, above), "back length=" + length);
      assertFalse(boundaries.isReachable(back, back), "length=" + length);
    }
  }

  /** On the list's boundaries for every group, on the core's for some twenty of them. */
  private static void assertNoGroupDivided(Small small) {
    int step = 1 + small.listed.groups.size() / 20;
    int n = 0;
    for (byte[][] rows : small.listed.groups.values()) {
      byte[] byList = small.listed.ceiling(rows[0]);
      assertTrue(isAbove(byList, rows[1]), () -> "the definition: " + small.at.at(rows[0]));
      if (n++ % step == 0) {
        assertTrue(isAbove(small.core.ceiling(rows[0]), rows[1]), () -> small.at.at(rows[0]));
        assertTrue(isAbove(small.core.successor(rows[0]), rows[1]), () -> small.at.at(rows[0]));
        byte[] floor = small.core.floor(rows[1]);
        boolean divides = isAbove(floor, rows[0]);
        assertTrue(floor == null || !divides, () -> "floor: " + small.at.at(rows[1]));
      }
    }
  }

  /** Above the row; no boundary at all is above every row. */
  private static boolean isAbove(byte[] boundary, byte[] row) {
    return boundary == null || SlowBytes.compare(boundary, row) > 0;
  }
}
