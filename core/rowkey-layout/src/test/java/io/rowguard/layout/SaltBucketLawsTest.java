package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.SlowModel.Seg;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laws of buckets, on random layouts with random keys: a position among bare keys and its place
 * among the salted rows of a bucket compare alike with every row; the rows of a range of bare keys
 * are those of the salted range; no bucket that has one is left out.
 */
@Tag("whole")
class SaltBucketLawsTest {
  private static final int LAYOUTS_PER_SEED = 300;
  private static final int KEYS_PER_LAYOUT = 12;

  /** Eight seeds: 2,400 layouts, some 2,000,000 comparisons. */
  static LongStream seeds() {
    return LawSeeds.of(901, 908);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void salted_anyKey_comparesWithSaltedRowsAsItDoesWithBareKeys(long seed) {
    int equal = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      SaltBuckets buckets = SaltBuckets.of(at.core);
      byte[][] keys = bareKeys(at);
      byte[][] rows = completed(at, keys);
      for (int p = 0; p < 3 * KEYS_PER_LAYOUT; p++) {
        byte[] position = position(at, keys);
        for (int k = 0; k < keys.length; k++) {
          byte[] key = keys[k];
          byte[] salted = buckets.bucketOf(key).salted(position);
          int expected = Integer.signum(Arrays.compareUnsigned(key, position));
          int found = Integer.signum(Arrays.compareUnsigned(rows[k], salted));
          assertEquals(expected, found, () -> at.at(key) + " position=" + show(position));
          assertEquals(
              startsWith(key, position),
              startsWith(rows[k], salted),
              () -> at.at(key) + " prefix=" + show(position));
          equal += expected == 0 ? 1 : 0;
        }
      }
    }
    assertTrue(equal > LAYOUTS_PER_SEED, "seed=" + seed);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void saltedRange_anyRange_holdsTheRowsOfItsBareKeysAndNoOthers(long seed) {
    int inside = 0;
    int outside = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      SaltBuckets buckets = SaltBuckets.of(at.core);
      byte[][] keys = bareKeys(at);
      byte[][] rows = completed(at, keys);
      for (int p = 0; p < KEYS_PER_LAYOUT; p++) {
        KeyRange range = range(at, keys);
        List<SaltBucket> listed = buckets.count(range) > 300 ? null : buckets.of(range);
        for (int k = 0; k < keys.length; k++) {
          byte[] key = keys[k];
          SaltBucket bucket = buckets.bucketOf(key);
          boolean expected = slowContains(range, key);
          assertEquals(expected, range.contains(key), () -> at.at(key) + " range=" + range);
          assertEquals(
              expected,
              bucket.salted(range).contains(rows[k]),
              () -> at.at(key) + " range=" + range);
          if (expected && listed != null) {
            assertTrue(listed.contains(bucket), () -> at.at(key) + " range=" + range);
          }
          inside += expected ? 1 : 0;
          outside += expected ? 0 : 1;
        }
      }
    }
    int enough = LAYOUTS_PER_SEED * KEYS_PER_LAYOUT;
    assertTrue(inside > enough && outside > enough, "inside=" + inside + " outside=" + outside);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void bucketOf_anyBareKey_holdsItsRowAndOfAnotherBucketNone(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      SaltBuckets buckets = SaltBuckets.of(at.core);
      byte[][] keys = bareKeys(at);
      byte[][] rows = completed(at, keys);
      for (int a = 0; a < keys.length; a++) {
        SaltBucket bucket = buckets.bucketOf(keys[a]);
        for (byte[] row : rows) {
          byte[] array = SlowBytes.concat(new byte[] {'0', '|'}, row, keys[a]);
          byte[] bareKey = buckets.bareKeyOf(array, 2, row.length);
          assertArrayEquals(at.slow.strip(row), bareKey, () -> at.at(row));
          assertEquals(
              bucket.equals(buckets.bucketOf(bareKey)),
              bucket.holds(row, 0, row.length),
              () -> at.at(row));
        }
        byte[] any = at.rows.next();
        assertEquals(
            at.slow.conforms(any), buckets.bareKeyOf(any, 0, any.length) != null, () -> at.at(any));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void freeSegments_anyLayout_areThoseThatNeedWhatStandsAfterThem(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      List<String> expected =
          at.model.segs().stream()
              .filter(seg -> seg.isDerived() && needsWhatStandsAfter(at.model, seg))
              .map(seg -> seg.name)
              .toList();
      List<Segment> free = SaltBuckets.of(at.core).freeSegments();
      assertEquals(expected, free.stream().map(Segment::name).toList(), at::toString);
    }
  }

  private static boolean needsWhatStandsAfter(SlowModel model, Seg derived) {
    return model.sourcesOf(derived).stream()
        .anyMatch(seg -> model.indexOf(seg.name) > model.indexOf(derived.name));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void intersect_anyRanges_holdsWhatBothHold(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      byte[][] keys = bareKeys(at);
      KeyRange a = range(at, keys);
      KeyRange b = range(at, keys);
      KeyRange both = a.intersect(b);
      for (byte[] key : keys) {
        assertEquals(a.contains(key) && b.contains(key), both.contains(key), a + " " + b);
        assertTrue(!both.isEmpty() || !both.contains(key), () -> both.toString());
      }
    }
  }

  @Test
  void of_rangeFixesTheSaltsInputs_isOneBucket() {
    SaltBuckets buckets = buckets("{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}");
    assertEquals(16, buckets.count(KeyRange.all()));
    assertEquals(16, buckets.of(KeyRange.all()).size());
    assertEquals(16, buckets.of(KeyRange.ofPrefix(bytes("alice"))).size());
    assertEquals(
        List.of(buckets.bucketOf(bytes("alice|0001"))),
        buckets.of(KeyRange.ofPrefix(bytes("alice|"))));
    assertEquals(1, buckets.count(range("alice|0001", "alice|0009")));
    assertEquals(1, buckets.count(range("alice|0001", "alice}")));
  }

  @Test
  void of_wholeKeyIsHashed_oneKeyIsOneBucket() {
    SaltBuckets buckets = buckets("{hash:hex(8)=md5(*)}-{id:word}");
    byte[] key = bytes("alice");
    assertEquals(1L << 32, buckets.count(KeyRange.ofPrefix(key)));
    assertEquals(1, buckets.of(KeyRange.of(key, true, key, true)).size());
    assertEquals(1, buckets.of(KeyRange.of(key, true, bytes("alice\0"), false)).size());
    KeyRange all = KeyRange.all();
    assertThrows(IllegalArgumentException.class, () -> buckets.of(all));
  }

  @Test
  void of_fewNumbersInTheRange_isTheirBuckets() {
    SaltBuckets buckets = buckets("{part:uint8=id%20}{id:uint32}");
    KeyRange range = KeyRange.of(number(100), true, number(105), false);
    assertEquals(20, buckets.count(range));
    assertEquals(
        List.of("\\x00", "\\x01", "\\x02", "\\x03", "\\x04"),
        buckets.of(range).stream().map(b -> RowText.toStringBinary(b.salted(bytes("")))).toList());
  }

  @Test
  void of_rangeFixesTheFirstTerm_isAsManyBucketsAsTheSecondHas() {
    SaltBuckets buckets =
        buckets("{salt:digits(2)=murmur3(tenant)%64+murmur3(item)%4}-{tenant:word}/{item:text}");
    KeyRange acme = KeyRange.ofPrefix(bytes("acme/"));
    assertEquals(64, buckets.count(KeyRange.all()));
    assertEquals(64, buckets.count(KeyRange.ofPrefix(bytes("acme"))));
    assertEquals(4, buckets.count(acme));
    Set<String> seen = new TreeSet<>();
    for (int i = 0; i < 100; i++) {
      SaltBucket bucket = buckets.bucketOf(bytes("acme/" + i));
      assertTrue(buckets.of(acme).contains(bucket), bucket::toString);
      seen.add(bucket.toString());
    }
    List<String> listed = buckets.of(acme).stream().map(SaltBucket::toString).toList();
    assertEquals(List.copyOf(seen), listed);
    KeyRange one = KeyRange.of(bytes("acme/7"), true, bytes("acme/7"), true);
    assertEquals(List.of(buckets.bucketOf(bytes("acme/7"))), buckets.of(one));
    SaltBuckets fixedSecond = buckets("{s:digits(2)=murmur3(b)%64+murmur3(a)%4}-{a:word}/{b:text}");
    assertEquals(64, fixedSecond.count(acme));
  }

  @Test
  void of_rangeThatEndsBeforeItBegins_isNone() {
    SaltBuckets buckets =
        buckets(
            "{salt:digits(2)=murmur3(user)%16,64 from day=20261201}|{user:word}/{day:digits(8)}");
    KeyRange backwards = range("alice/20261201", "alice/20261101");
    assertEquals(1, buckets.count(backwards));
    assertEquals(List.of(), buckets.of(backwards));
  }

  @Test
  void of_rangeOnOneSideOfAStep_isTheBucketsOfThatSide() {
    SaltBuckets buckets =
        buckets("{salt:digits(2)=murmur3(*)%16,64 from day=20261201}|{day:digits(8)}/{id:word}");
    assertEquals(64, buckets.count(KeyRange.all()));
    assertEquals(16, buckets.count(range("2026", "20261201")));
    assertEquals(16, buckets.of(range("20261130/", "20261201")).size());
    assertEquals(16, buckets.of(range("", "20261201")).size());
    assertEquals(64, buckets.of(range("20261201", "2027")).size());
    assertEquals(64, buckets.of(range("20261201", "")).size());
    assertEquals(64, buckets.of(range("20261130", "20261201/a")).size());
    assertEquals(16, buckets.of(KeyRange.ofPrefix(bytes("202611"))).size());
    assertEquals(64, buckets.of(KeyRange.ofPrefix(bytes("202612"))).size());
    assertEquals(16, buckets.of(KeyRange.ofPrefix(bytes("20261130/"))).size());
    assertEquals(64, buckets.of(KeyRange.ofPrefix(bytes("20261201/"))).size());
    byte[] key = bytes("20261201/a");
    assertEquals(1, buckets.of(KeyRange.of(key, true, key, true)).size());
  }

  @Test
  void of_stepOfADescendingSegment_isJudgedByTheValue() {
    SaltBuckets buckets =
        buckets(
            "{salt:uint8=crc32(id)%2,5 from n=1000,9 from n=2000}{n:uint32 descending}{id:word}");
    assertEquals(9, buckets.count(KeyRange.all()));
    assertEquals(9, buckets.count(KeyRange.of(new byte[0], true, number(~1999), false)));
    assertEquals(5, buckets.count(KeyRange.of(number(~1999), true, number(~999), false)));
    assertEquals(2, buckets.count(KeyRange.of(number(~999), true, new byte[0], false)));
    assertEquals(5, buckets.count(KeyRange.of(number(~1000), true, new byte[0], false)));
    assertEquals(2, buckets.count(KeyRange.ofPrefix(number(~999))));
  }

  @Test
  void of_rangeFixesTheHashAcrossAStep_isOneBucketOfEachSide() {
    SaltBuckets buckets =
        buckets(
            "{salt:digits(2)=murmur3(user)%16,64 from day=20261201}|{user:word}/{day:digits(8)}");
    SaltBucket before = buckets.bucketOf(bytes("bob/20261130"));
    SaltBucket after = buckets.bucketOf(bytes("bob/20261201"));
    assertFalse(before.equals(after));
    assertEquals(Set.of(before, after), Set.copyOf(buckets.of(KeyRange.ofPrefix(bytes("bob/")))));
    assertEquals(List.of(before), buckets.of(range("bob/2026", "bob/20261201")));
    assertEquals(List.of(after), buckets.of(range("bob/20261201", "bob0")));
    assertEquals(64, buckets.count(KeyRange.ofPrefix(bytes("bo"))));
  }

  @Test
  void of_rangeFixesBothTermsAcrossAStep_isOneBucketOfEachSide() {
    SaltBuckets buckets =
        buckets(
            "{s:digits(2)=murmur3(a)%16+murmur3(b)%4,64 from day=20261201}"
                + "|{a:word}/{b:word}/{day:digits(8)}");
    SaltBucket before = buckets.bucketOf(bytes("bob/x/20261130"));
    SaltBucket after = buckets.bucketOf(bytes("bob/x/20261201"));
    assertFalse(before.equals(after));
    assertEquals(Set.of(before, after), Set.copyOf(buckets.of(KeyRange.ofPrefix(bytes("bob/x/")))));
  }

  @Test
  void of_asManyBucketsAsCanBeWritten_isEachOnce() {
    List<SaltBucket> all = buckets("{salt:digits(1)=md5(id)%10}-{id:word}").of(KeyRange.all());
    assertEquals(10, all.size());
    assertEquals(10, Set.copyOf(all).size());
  }

  @Test
  void of_noBareKeyInTheRange_isNone() {
    SaltBuckets buckets = buckets("{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}");
    assertEquals(List.of(), buckets.of(range("b", "a")));
    assertEquals(List.of(), buckets.of(range("|", "}")));
    assertEquals(List.of(), buckets.of(range("a", "a")));
    SaltBuckets stepped = buckets("{salt:uint8=crc32(id)%2,5 from n=1000}{n:uint32}{id:word}");
    assertEquals(List.of(), stepped.of(range("", "\0\0")));
  }

  @Test
  void count_saltOfWhatStandsBefore_isOne() {
    SaltBuckets buckets = buckets("{user:word}|{salt:hex(8)=md5(user)}-{item:digits(4)}");
    assertEquals(1, buckets.count(KeyRange.all()));
    byte[] row = RowkeyLayout.parse(buckets.layout().toString()).complete(bytes("alice|0001"));
    SaltBucket only = buckets.of(KeyRange.all()).get(0);
    assertEquals("the only bucket", only.toString());
    assertArrayEquals(row, only.salted(bytes("alice|0001")));
    assertFalse(only.salted(range("alice|0002", "b")).contains(row));
  }

  @Test
  void salted_noBounds_isTheBucketsWholeRange() {
    SaltBuckets buckets = buckets("v1/{salt:digits(1)=murmur3(user)%3}-{user:word}");
    SaltBucket bucket = buckets.of(KeyRange.all()).get(1);
    assertEquals("[\"v1/1-\", \"v1/1.\")", bucket.salted(KeyRange.all()).toString());
    assertEquals("salt=\"1\"", bucket.toString());
    assertNull(buckets.bareKeyOf(bytes("v1/x"), 0, 4));
  }

  @Test
  void equals_bucketsOfTwoLayouts_whenLayoutAndValuesAre() {
    String text = "{a:digits(1)=murmur3(id)%3}{b:digits(1)=crc32(id)%3}-{id:word}";
    List<SaltBucket> buckets = buckets(text).of(KeyRange.all());
    List<SaltBucket> again = buckets(text).of(KeyRange.all());
    assertEquals(9, buckets.size());
    for (int i = 0; i < 9; i++) {
      for (int j = 0; j < 9; j++) {
        assertEquals(i == j, buckets.get(i).equals(again.get(j)), i + " and " + j);
      }
      assertTrue(buckets.get(i).hasWholeRows());
    }
    assertEquals(9, new HashSet<>(buckets.stream().map(SaltBucket::hashCode).toList()).size());
    assertEquals(Set.copyOf(buckets), Set.copyOf(again));
    List<SaltBucket> other = buckets(text.replace("crc32", "md5")).of(KeyRange.all());
    assertFalse(buckets.get(0).equals(other.get(0)));
    assertEquals("a=\"1\" b=\"2\"", buckets.get(5).toString());
  }

  private static byte[][] bareKeys(LayoutCase at) {
    byte[][] keys = new byte[KEYS_PER_LAYOUT][];
    for (int k = 0; k < keys.length; k++) {
      keys[k] = at.rows.bareKey();
      if (k > 0 && at.random.nextInt(2) == 0) {
        // A neighbour of the one before: much in common, so that the order is decided late.
        byte[] neighbour = at.rows.mutated(keys[k - 1]);
        keys[k] = at.slow.isBare(neighbour) ? neighbour : keys[k];
      }
    }
    return keys;
  }

  private static byte[][] completed(LayoutCase at, byte[][] keys) {
    byte[][] rows = new byte[keys.length][];
    for (int k = 0; k < keys.length; k++) {
      rows[k] = at.slow.complete(keys[k]);
    }
    return rows;
  }

  /** A bare key, the beginning of one, one with a byte changed, or anything. */
  private static byte[] position(LayoutCase at, byte[][] keys) {
    byte[] key = keys[at.random.nextInt(keys.length)];
    return switch (at.random.nextInt(5)) {
      case 0 -> key;
      case 1 -> SlowBytes.first(key, at.random.nextInt(key.length + 1));
      case 2 -> at.rows.mutated(key);
      case 3 -> at.rows.mutated(SlowBytes.first(key, at.random.nextInt(key.length + 1)));
      default -> at.rows.next();
    };
  }

  private static KeyRange range(LayoutCase at, byte[][] keys) {
    byte[] a = at.random.nextInt(6) == 0 ? new byte[0] : position(at, keys);
    byte[] b = at.random.nextInt(6) == 0 ? new byte[0] : position(at, keys);
    boolean swap = b.length > 0 && Arrays.compareUnsigned(a, b) > 0 && at.random.nextInt(8) > 0;
    if (at.random.nextInt(10) == 0) {
      return KeyRange.ofPrefix(a);
    }
    return KeyRange.of(
        swap ? b : a, at.random.nextBoolean(), swap ? a : b, at.random.nextBoolean());
  }

  private static boolean slowContains(KeyRange range, byte[] key) {
    int low = Arrays.compareUnsigned(key, range.lower());
    int high = Arrays.compareUnsigned(key, range.upper());
    boolean above = range.lower().length == 0 || (range.isLowerInclusive() ? low >= 0 : low > 0);
    boolean below = range.upper().length == 0 || (range.isUpperInclusive() ? high <= 0 : high < 0);
    return above && below;
  }

  private static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(SlowBytes.first(key, prefix.length), prefix);
  }

  private static SaltBuckets buckets(String layout) {
    return SaltBuckets.of(RowkeyLayout.parse(layout));
  }

  private static KeyRange range(String lower, String upper) {
    return KeyRange.of(bytes(lower), true, bytes(upper), false);
  }

  private static byte[] number(int n) {
    return new byte[] {(byte) (n >> 24), (byte) (n >> 16), (byte) (n >> 8), (byte) n};
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static String show(byte[] bytes) {
    return RandomRows.show(bytes);
  }
}
