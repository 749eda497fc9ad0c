package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * All ranges with bounds of up to two bytes, held against the keys of up to four that they have.
 */
class KeyRangeTest {
  private static final int[] BYTES_OF_BOUNDS = {0x00, 0x01, 0x02, 0xfe, 0xff};

  /** With one between those of bounds that are no neighbours. */
  private static final int[] BYTES_OF_KEYS = {0x00, 0x01, 0x02, 0x50, 0xfe, 0xff};

  private static final List<byte[]> KEYS = all(BYTES_OF_KEYS, 4);
  private static final List<KeyRange> RANGES = ranges();

  private static List<byte[]> all(int[] values, int longest) {
    List<byte[]> all = new ArrayList<>();
    all.add(new byte[0]);
    int from = 0;
    for (int length = 1; length <= longest; length++) {
      int to = all.size();
      for (byte[] shorter : all.subList(from, to).toArray(new byte[0][])) {
        for (int value : values) {
          byte[] longer = Arrays.copyOf(shorter, length);
          longer[length - 1] = (byte) value;
          all.add(longer);
        }
      }
      from = to;
    }
    return all;
  }

  private static List<KeyRange> ranges() {
    List<KeyRange> ranges = new ArrayList<>();
    List<byte[]> bounds = all(BYTES_OF_BOUNDS, 2);
    for (byte[] lower : bounds) {
      for (byte[] upper : bounds) {
        for (int inclusive = 0; inclusive < 4; inclusive++) {
          ranges.add(KeyRange.of(lower, (inclusive & 1) == 1, upper, (inclusive & 2) == 2));
        }
      }
    }
    return ranges;
  }

  /** As the bounds say, by the JDK's order of bytes. */
  private static boolean has(KeyRange range, byte[] key) {
    int fromLower = Arrays.compareUnsigned(key, range.lower());
    int fromUpper = Arrays.compareUnsigned(key, range.upper());
    boolean isAbove = range.isLowerInclusive() ? fromLower >= 0 : fromLower > 0;
    boolean isBelow = range.isUpperInclusive() ? fromUpper <= 0 : fromUpper < 0;
    return (range.lower().length == 0 || isAbove) && (range.upper().length == 0 || isBelow);
  }

  private static List<byte[]> keysOf(KeyRange range) {
    return KEYS.stream().filter(key -> has(range, key)).toList();
  }

  @Test
  void bounds_areThoseGiven() {
    byte[] lower = {1};
    byte[] upper = {2};
    KeyRange range = KeyRange.of(lower, true, upper, false);
    assertArrayEquals(lower, range.lower());
    assertArrayEquals(upper, range.upper());
    assertTrue(range.isLowerInclusive() && !range.isUpperInclusive());
    KeyRange other = KeyRange.of(lower, false, upper, true);
    assertTrue(!other.isLowerInclusive() && other.isUpperInclusive());
    assertEquals(KEYS, keysOf(KeyRange.all()));
  }

  @Test
  void contains_eachKey_asTheBoundsSay() {
    for (KeyRange range : RANGES) {
      byte[] from = range.from();
      byte[] to = range.to();
      for (byte[] key : KEYS) {
        boolean isIn = has(range, key);
        assertEquals(isIn, range.contains(key), range::toString);
        boolean isBetween =
            Arrays.compareUnsigned(key, from) >= 0
                && (to.length == 0 || Arrays.compareUnsigned(key, to) < 0);
        assertEquals(isIn, isBetween, range::toString);
      }
    }
  }

  @Test
  void oneKeyOrNone_andTheBeginningOfAll_areThoseOfTheKeys() {
    for (KeyRange range : RANGES) {
      List<byte[]> keys = keysOf(range);
      assertEquals(keys.isEmpty(), range.isEmpty(), range::toString);
      if (keys.size() == 1) {
        assertArrayEquals(keys.get(0), range.onlyKey(), range::toString);
      } else {
        assertNull(range.onlyKey(), range::toString);
      }
      if (!keys.isEmpty()) {
        assertArrayEquals(commonPrefix(keys), range.commonPrefix(), range::toString);
      }
    }
  }

  private static byte[] commonPrefix(List<byte[]> keys) {
    byte[] common = keys.get(0);
    for (byte[] key : keys) {
      int mismatch = Arrays.mismatch(common, key);
      common = mismatch < 0 ? common : Arrays.copyOf(common, mismatch);
    }
    return common;
  }

  @Test
  void withBoundsUpTo_keysAsShort_areTheSame() {
    for (KeyRange range : RANGES) {
      KeyRange cut = range.withBoundsUpTo(1);
      assertTrue(cut.lower().length <= 1 && cut.upper().length <= 1, range::toString);
      assertEquals(range, range.withBoundsUpTo(2));
      for (byte[] key : KEYS.subList(0, BYTES_OF_KEYS.length + 1)) {
        assertEquals(has(range, key), has(cut, key), range::toString);
      }
    }
  }

  @Test
  void intersect_twoRanges_hasTheKeysOfBoth() {
    Random random = new Random(1);
    for (int i = 0; i < 5_000; i++) {
      KeyRange one = RANGES.get(random.nextInt(RANGES.size()));
      KeyRange other = RANGES.get(random.nextInt(RANGES.size()));
      KeyRange both = one.intersect(other);
      for (byte[] key : KEYS) {
        boolean isInBoth = has(one, key) && has(other, key);
        assertEquals(isInBoth, has(both, key), () -> one + " and " + other);
      }
    }
  }

  @Test
  void ofPrefix_anyPrefix_hasTheKeysThatBeginSo() {
    for (byte[] prefix : all(BYTES_OF_BOUNDS, 2)) {
      KeyRange range = KeyRange.ofPrefix(prefix);
      for (byte[] key : KEYS) {
        boolean begins =
            key.length >= prefix.length && Arrays.equals(prefix, Arrays.copyOf(key, prefix.length));
        assertEquals(begins, has(range, key), range::toString);
      }
    }
  }

  @Test
  void equals_otherBounds_isNot() {
    KeyRange range = KeyRange.of(bytes("a"), true, bytes("b"), false);
    KeyRange same = KeyRange.of(bytes("a"), true, bytes("b"), false);
    assertEquals(range, same);
    assertEquals(range.hashCode(), same.hashCode());
    assertNotEquals(range, KeyRange.of(bytes("x"), true, bytes("b"), false));
    assertNotEquals(range, KeyRange.of(bytes("a"), false, bytes("b"), false));
    assertNotEquals(range, KeyRange.of(bytes("a"), true, bytes("x"), false));
    assertNotEquals(range, KeyRange.of(bytes("a"), true, bytes("b"), true));
    assertNotEquals(range, (Object) "a");
    long hashes = RANGES.stream().map(KeyRange::hashCode).distinct().count();
    assertTrue(hashes > 300, "hashes=" + hashes);
  }

  @Test
  void toString_anyRange_showsItsBounds() {
    assertEquals("[\"a\", \"b\")", KeyRange.of(bytes("a"), true, bytes("b"), false).toString());
    assertEquals("(\"a\", \"b\"]", KeyRange.of(bytes("a"), false, bytes("b"), true).toString());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
