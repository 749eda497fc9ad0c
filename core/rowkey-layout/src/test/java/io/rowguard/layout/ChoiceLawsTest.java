package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laws of layouts in which writers choose a value, {@code any of 16}, alone or added to a term:
 * the check is the slow check, every row of a bare key leads to that bare key, and boundaries and
 * buckets leave none of them out.
 */
@Tag("whole")
class ChoiceLawsTest {
  private static final int LAYOUTS_PER_SEED = 250;
  private static final int ROWS_PER_LAYOUT = 20;
  private static final int LONGEST_KEY = 24;
  private static final String MANY = "{a:hex(15)=md5(id)}{b:hex(8)=crc32(id)}{id:word}";

  /** Four seeds: 1,000 layouts. */
  static LongStream seeds() {
    return LawSeeds.of(1001, 1004);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void check_randomRows_equalsSlowCheck(long seed) {
    Map<Verdict, Integer> seen = new EnumMap<>(Verdict.class);
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.ofChoice(seed, i);
      assertTrue(at.core.hasChoice(), at::toString);
      assertEquals(at.core, RowkeyLayout.parse(at.core.toString()), at::toString);
      String spaced = at.model.text(new Random(seed + i));
      assertEquals(at.core, RowkeyLayout.parse(spaced), spaced);
      for (int r = 0; r < ROWS_PER_LAYOUT; r++) {
        byte[] row = r % 4 == 0 ? at.rows.wrongSalt() : at.rows.next();
        Verdict expected = at.slow.check(row);
        seen.merge(expected, 1, Integer::sum);
        byte[] array = SlowBytes.concat(new byte[] {'0', '|'}, row, at.rows.conforming());
        assertEquals(expected, at.core.check(row), () -> at.at(row));
        assertEquals(expected, at.core.check(array, 2, row.length), () -> at.at(row));
        Explanation explanation = at.core.explain(row);
        assertEquals(expected, explanation.verdict(), () -> at.at(row));
        assertNull(explanation.suggestion(), () -> at.at(row));
        assertFalse(explanation.message("").isEmpty(), () -> at.at(row));
      }
    }
    int rows = LAYOUTS_PER_SEED * ROWS_PER_LAYOUT;
    assertTrue(seen.get(Verdict.CONFORMS) > rows / 3, "seed=" + seed + " seen=" + seen);
    assertTrue(seen.get(Verdict.WRONG_SALT) > rows / 20, "seed=" + seed + " seen=" + seen);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void completeIfBare_anyChoice_conformsAndLeadsBack(long seed) {
    int several = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.ofChoice(seed, i);
      for (int r = 0; r < ROWS_PER_LAYOUT / 4; r++) {
        byte[] bareKey = at.rows.bareKey();
        assertArrayEquals(at.slow.complete(bareKey), at.core.complete(bareKey), at::toString);
        Set<String> rows = new HashSet<>();
        int start = at.random.nextInt();
        for (int c = 0; c < 5; c++) {
          byte[] row = at.core.completeIfBare(bareKey, start + c);
          rows.add(SlowBytes.show(row));
          assertArrayEquals(at.slow.complete(bareKey, start + c), row, () -> at.at(row));
          assertTrue(at.slow.conforms(row), () -> at.at(row));
          assertArrayEquals(bareKey, at.core.strip(row), () -> at.at(row));
          assertArrayEquals(row, at.core.encode(given(at, row)), () -> at.at(row));
        }
        several += rows.size() > 1 ? 1 : 0;
      }
    }
    assertTrue(several > LAYOUTS_PER_SEED, "seed=" + seed + " several=" + several);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void rows_ofABareKey_areAllThatWritersCanChoose(long seed) {
    int several = 0;
    int combined = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.ofChoice(seed, i);
      byte[] bareKey = at.rows.bareKey();
      SaltBuckets buckets = SaltBuckets.of(at.core);
      long count = at.slow.rowCount(bareKey).min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
      assertEquals(count, buckets.rowCount(bareKey), at::toString);
      if (count <= 500) {
        List<String> rows = shown(buckets.rows(bareKey));
        assertEquals(shown(at.slow.rows(bareKey)), rows, at::toString);
        assertEquals(count, new HashSet<>(rows).size(), at::toString);
        several += count > 1 ? 1 : 0;
        long chosen =
            at.core.segments().stream()
                .filter(segment -> segment.isDerived() && segment.derivation().hasChoice())
                .count();
        combined += chosen > 1 ? 1 : 0;
      }
    }
    String counts = "seed=" + seed + " several=" + several + " combined=" + combined;
    assertTrue(several > LAYOUTS_PER_SEED / 3 && combined > 5, counts);
  }

  /** Held to all rows of small layouts. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void keepsAllRows_ofTwoLayouts_isSoForEachRow(long seed) {
    int kept = 0;
    int lost = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      Random random = LayoutCase.random(seed, i);
      SlowModel model = new SmallLayouts(random).next();
      SlowModel from = otherwiseDerived(model, random);
      SlowModel to = otherwiseDerived(model, random);
      if (!from.text().equals(to.text())) {
        String at = "seed=" + seed + " index=" + i + " from=" + from.text() + " to=" + to.text();
        boolean keeps =
            LayoutChange.keepsAllRows(
                RowkeyLayout.parse(from.text()), RowkeyLayout.parse(to.text()));
        SlowLayout before = new SlowLayout(from);
        SlowLayout after = new SlowLayout(to);
        for (byte[] row : SmallLayouts.rows(from)) {
          boolean isLost = before.conforms(row) && !after.conforms(row);
          assertFalse(isLost && keeps, () -> at + " row=" + RandomRows.show(row));
          lost += isLost ? 1 : 0;
        }
        kept += keeps ? 1 : 0;
      }
    }
    assertTrue(kept > 5 && lost > 1_000, "seed=" + seed + " kept=" + kept + " lost=" + lost);
  }

  /** With each derived value as it is, or chosen in one of several ways. */
  private static SlowModel otherwiseDerived(SlowModel model, Random random) {
    List<SlowModel.Piece> pieces = new ArrayList<>(model.pieces);
    for (int i = 0; i < pieces.size(); i++) {
      SlowModel.Seg seg = pieces.get(i).seg();
      if (seg != null && seg.isDerived() && seg.source.isModulo() && seg.source.most() <= 1000) {
        SlowSource source = seg.source;
        int fewer = 2 + random.nextInt(source.buckets() - 1);
        int steps = random.nextInt(source.steps().size() + 1);
        SlowSource other =
            switch (random.nextInt(4)) {
              case 0 -> source.divisor() == 0 ? source.plus(SlowSource.any(fewer)) : source;
              case 1 -> SlowSource.any(fewer);
              case 2 ->
                  SlowSource.any(source.buckets())
                      .withSteps(steps == 0 ? null : source.by(), source.steps().subList(0, steps));
              default -> source;
            };
        pieces.set(i, seg.from(other));
      }
    }
    return new SlowModel(pieces);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "true; any of 8; any of 10",
        "true; any of 8; any of 8,10 from day=20",
        "true; any of 8,9 from day=20; any of 8,9 from day=10,10 from day=50",
        "true; any of 8,9 from day=20; any of 9",
        "true; crc32(*)%8,9 from day=20; any of 8,9 from day=20",
        "true; crc32(*)%8; crc32(*)%8+any of 2",
        "true; crc32(*)%8+any of 2; crc32(*)%8+any of 3",
        "true; crc32(*)%8+any of 2; any of 8",
        "true; crc32(*)/1000000000; any of 5",
        "false; any of 10; any of 8",
        "false; any of 8,9 from day=20; any of 8,9 from day=21",
        "false; crc32(*)%8,9 from day=20; any of 8",
        "false; crc32(*)%8; crc32(*)%9+any of 2",
        "false; crc32(*)%8; md5(*)%8+any of 2",
        "false; crc32(*)%8+crc32(day)%2; crc32(*)%8+any of 2",
        "false; crc32(*)%8; crc32(*)%9",
      })
  void keepsAllRows_whereWritersChoose_ifTheyHaveAllOfBefore(
      boolean keeps, String from, String to) {
    String text = "{salt:digits(2)=%s}-{day:digits(2)}/{id:word}";
    RowkeyLayout before = RowkeyLayout.parse(text.replace("%s", from));
    RowkeyLayout after = RowkeyLayout.parse(text.replace("%s", to));
    assertEquals(keeps, LayoutChange.keepsAllRows(before, after));
    assertTrue(LayoutChange.keepsAllRows(before, before));
    assertFalse(LayoutChange.keepsAllRows(before.bare(), after));
    assertFalse(LayoutChange.keepsAllRows(before, after.withMaxRowLength(100)));
    for (String other : List.of(text.replace('/', '|'), text.replace("id:word", "id:text"))) {
      assertFalse(LayoutChange.keepsAllRows(RowkeyLayout.parse(other.replace("%s", from)), after));
    }
  }

  private static List<String> shown(List<byte[]> rows) {
    return rows.stream().map(SlowBytes::show).collect(Collectors.toList());
  }

  @Test
  void rows_ofWhatIsNoBareKeyOrTooMany_areRefused() {
    SaltBuckets chosen =
        SaltBuckets.of(
            RowkeyLayout.parse(
                "{a:uint16=any of 65536}{b:uint16=any of 65536}{c:digits(2)=any of 50}"
                    + "{id:digits(2)}"));
    byte[] key = {'0', '7'};
    assertEquals(50L << 32, chosen.rowCount(key));
    assertThrows(IllegalArgumentException.class, () -> chosen.rows(key));
    assertThrows(IllegalArgumentException.class, () -> chosen.rowCount(new byte[] {'x'}));
    RowkeyLayout derived = RowkeyLayout.parse("{salt:digits(1)=crc32(*)%9}{id:digits(2)}");
    assertEquals(1, SaltBuckets.of(derived).rowCount(key));
    assertArrayEquals(derived.complete(key), SaltBuckets.of(derived).rows(key).get(0));
  }

  @Test
  void rowsAndBuckets_asManyAsCanBeListed_areListed() {
    SaltBuckets most = SaltBuckets.of(RowkeyLayout.parse("{s:uint16=any of 65536}{id:digits(1)}"));
    assertEquals(65_536, most.rows(new byte[] {'7'}).size());
    assertEquals(65_536, most.of(KeyRange.all()).size());
    assertEquals(Long.MAX_VALUE, SaltBuckets.of(RowkeyLayout.parse(MANY)).count(KeyRange.all()));
    SaltBuckets fewer =
        SaltBuckets.of(RowkeyLayout.parse(MANY.replace("{b:hex(8)=crc32(id)}", "")));
    assertEquals(1L << 60, fewer.count(KeyRange.all()));
  }

  /** The first four make 2^60-1, the largest number of which 8 times as many can be counted. */
  @Test
  void rowCountAndCount_closeToTheMostThatIsCounted_areExact() {
    SaltBuckets buckets =
        SaltBuckets.of(
            RowkeyLayout.parse(
                "{a:uint16=any of 32767}{b:uint16=any of 32769}{c:uint16=any of 32513}"
                    + "{d:uint16=any of 33025}{e:digits(1)=any of 8}{id:digits(2)}"));
    assertEquals(Long.MAX_VALUE - 7, buckets.rowCount(new byte[] {'0', '7'}));
    assertEquals(Long.MAX_VALUE - 7, buckets.count(KeyRange.all()));
  }

  /** The values of a row, without those that are computed. */
  private static Map<String, Object> given(LayoutCase at, byte[] row) {
    Map<String, Object> values = at.core.decode(row);
    for (Segment segment : at.core.segments()) {
      if (segment.isDerived() && !segment.derivation().hasChoice()) {
        values.remove(segment.name());
      }
    }
    return values;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void boundaries_randomKeys_areTheSearchs(long seed) {
    int legal = 0;
    int keys = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED / 10; i++) {
      LayoutCase at = LayoutCase.ofChoice(seed, i);
      if (at.model.minLength() <= LONGEST_KEY) {
        LayoutBoundaries core = LayoutBoundaries.of(at.core, at.group);
        SlowBoundaries slow = new SlowBoundaries(at.model, at.group);
        for (int k = 0; k < 6; k++) {
          byte[] key = key(at);
          boolean isLegal = slow.isLegal(key);
          keys++;
          legal += isLegal ? 1 : 0;
          assertEquals(isLegal, core.isLegal(key), () -> at.at(key));
          assertArrayEquals(slow.floor(key), core.floor(key), () -> "floor: " + at.at(key));
          assertArrayEquals(slow.ceiling(key), core.ceiling(key), () -> "ceiling: " + at.at(key));
          byte[] row = at.rows.conforming();
          assertTrue(core.isReachable(row, SlowBytes.append(row, 0)), () -> at.at(row));
        }
      }
    }
    assertTrue(legal > keys / 6 && legal < keys * 5 / 6, "seed=" + seed + " legal=" + legal);
  }

  private static byte[] key(LayoutCase at) {
    byte[] row = at.random.nextInt(3) == 0 ? at.rows.wrongSalt() : at.rows.conforming();
    byte[] cut = SlowBytes.first(row, at.random.nextInt(Math.min(row.length, LONGEST_KEY) + 1));
    return at.random.nextInt(3) == 0 ? at.rows.mutated(cut) : cut;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void groups_anySegment_areRefusedAsTheSlowModelSays(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.ofChoice(seed, i);
      List<String> allowed = at.model.groups();
      for (SlowModel.Seg seg : at.model.segs()) {
        if (allowed.contains(seg.name)) {
          assertEquals(seg.name, EntityGroup.of(at.core, seg.name).segment(), at::toString);
        } else {
          assertThrows(
              IllegalArgumentException.class,
              () -> EntityGroup.of(at.core, seg.name),
              at::toString);
        }
      }
    }
  }

  /** Every row of a key of the range is in one of its buckets, and in the range of that bucket. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void buckets_ofAnyRange_holdEveryRowOfItsKeys(long seed) {
    int fewer = 0;
    int listed = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.ofChoice(seed, i);
      SaltBuckets buckets = SaltBuckets.of(at.core);
      byte[] key = at.rows.bareKey();
      byte[] from = SlowBytes.first(key, at.random.nextInt(key.length + 1));
      KeyRange range = at.random.nextBoolean() ? KeyRange.ofPrefix(from) : only(key);
      assertThrows(IllegalArgumentException.class, () -> buckets.bucketOf(key), at::toString);
      if (buckets.count(range) <= 1000) {
        listed++;
        fewer += buckets.count(range) < buckets.count(KeyRange.all()) ? 1 : 0;
        List<SaltBucket> of = buckets.of(range);
        for (int c = 0; c < 5; c++) {
          byte[] row = at.core.completeIfBare(key, at.random.nextInt());
          SaltBucket its = buckets.bucketOfRow(row);
          assertTrue(its.holds(row, 0, row.length), () -> at.at(row));
          assertFalse(its.hasWholeRows(), () -> at.at(row));
          assertTrue(of.contains(its), () -> range + " " + at.at(row));
          assertTrue(its.salted(range).contains(row), () -> range + " " + at.at(row));
          long holding = of.stream().filter(bucket -> bucket.holds(row, 0, row.length)).count();
          assertEquals(1, holding, () -> at.at(row));
        }
      }
    }
    String counts = "seed=" + seed + " listed=" + listed + " fewer=" + fewer;
    assertTrue(listed > LAYOUTS_PER_SEED / 3 && fewer > listed / 20, counts);
  }

  private static KeyRange only(byte[] key) {
    return KeyRange.of(key, true, key, true);
  }

  @Test
  void message_ofWhatCannotBeChosen_saysWhatCan() {
    RowkeyLayout all = RowkeyLayout.parse("{salt:digits(3)=any of 100}-{id:word}");
    assertEquals(
        "Rowkey does not fit the layout: segment salt is nothing that its derivation allows."
            + " row=\"100-a\" segment=salt offset=0 expected=\"one of the 100 from 000 to 099\""
            + " found=\"100\". Layout: {salt:digits(3)=any of 100}-{id:word}",
        all.explain("100-a".getBytes(ISO_8859_1)).message(""));
    RowkeyLayout some = RowkeyLayout.parse("{salt:digits(2)=murmur3(id)%64+any of 4}-{id:word}");
    assertEquals(
        "one of the 4 from 16 to 19", some.explain("20-acme".getBytes(ISO_8859_1)).expected());
  }

  @Test
  void change_ofChosenRows_isRefused() {
    RowkeyLayout chosen = RowkeyLayout.parse("{salt:digits(2)=any of 16}-{id:word}");
    RowkeyLayout derived = RowkeyLayout.parse("{salt:digits(2)=murmur3(id)%16}-{id:word}");
    String reason =
        "writers choose among several rows of a bare key under "
            + chosen
            + ", so no row leads to"
            + " one other";
    assertEquals(reason, LayoutChange.obstacle(chosen, derived));
    assertEquals(reason, LayoutChange.obstacle(derived, chosen));
    RowkeyLayout more = RowkeyLayout.parse("{salt:digits(2)=any of 32}-{id:word}");
    assertNotNull(LayoutChange.obstacle(chosen, more));
  }

  @Test
  void any_asTheNameOfASegment_isThatSegment() {
    RowkeyLayout layout = RowkeyLayout.parse("{part:digits(2)=any%20}{any:uint64}");
    assertFalse(layout.hasChoice());
    assertEquals(List.of("any"), layout.segment("part").derivation().inputs());
    byte[] row = layout.complete(new byte[] {0, 0, 0, 0, 0, 0, 0, 47});
    assertTrue(Arrays.equals(new byte[] {'0', '7'}, SlowBytes.first(row, 2)));
  }
}
