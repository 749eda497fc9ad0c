package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Boundaries by prefix: never inside a group, floor at or below, ceiling above. */
class PrefixBoundariesTest {
  private static final PrefixBoundaries BY_DELIMITER = PrefixBoundaries.ofDelimiter(bytes("|"));

  @Test
  void floor_completePrefix_endsWithIt() {
    assertArrayEquals(bytes("ab"), PrefixBoundaries.ofLength(2).floor(bytes("abcd")));
    assertArrayEquals(bytes("ab|"), BY_DELIMITER.floor(bytes("ab|cd|e")));
    assertArrayEquals(bytes("ab"), BY_DELIMITER.withoutDelimiter().floor(bytes("ab|cd|e")));
  }

  @Test
  void floor_noCompletePrefix_isTheKeyItself() {
    assertArrayEquals(bytes("a"), PrefixBoundaries.ofLength(2).floor(bytes("a")));
    assertArrayEquals(bytes("abc"), BY_DELIMITER.floor(bytes("abc")));
    assertNull(BY_DELIMITER.floor(new byte[0]));
    assertNull(BY_DELIMITER.withoutDelimiter().floor(bytes("|x")));
  }

  @Test
  void ceiling_completePrefix_isAboveTheWholeGroup() {
    assertArrayEquals(bytes("ac"), PrefixBoundaries.ofLength(2).ceiling(bytes("abcd")));
    assertArrayEquals(bytes("ab}"), BY_DELIMITER.ceiling(bytes("ab|cd")));
    PrefixBoundaries byZero = PrefixBoundaries.ofDelimiter(bytes("\0"));
    assertArrayEquals(bytes("ab\0"), byZero.ceiling(bytes("ab")));
    assertArrayEquals(bytes("ab\1"), byZero.withoutDelimiter().ceiling(bytes("ab")));
  }

  @Test
  void ceiling_lastBytesAreFf_carriesOver() {
    byte[] key = {1, (byte) 0xff, 7};
    assertArrayEquals(new byte[] {2}, PrefixBoundaries.ofLength(2).ceiling(key));
    byte[] highest = {(byte) 0xff, (byte) 0xff, 7};
    assertNull(PrefixBoundaries.ofLength(2).ceiling(highest));
  }

  @Test
  void of_emptyPrefix_isRefused() {
    assertThrows(IllegalArgumentException.class, () -> PrefixBoundaries.ofLength(0));
    assertThrows(IllegalArgumentException.class, () -> PrefixBoundaries.ofDelimiter(new byte[0]));
  }

  @Test
  void equals_sameGroups_whereverTheBoundariesEnd() {
    PrefixBoundaries without = BY_DELIMITER.withoutDelimiter();
    assertEquals(BY_DELIMITER, without);
    assertEquals(BY_DELIMITER.hashCode(), without.hashCode());
    PrefixBoundaries byLength = PrefixBoundaries.ofLength(1);
    PrefixBoundaries longer = PrefixBoundaries.ofLength(2);
    assertEquals(byLength, PrefixBoundaries.ofLength(1));
    assertNotEquals(byLength, longer);
    assertNotEquals(byLength.hashCode(), longer.hashCode());
    assertNotEquals(BY_DELIMITER, PrefixBoundaries.ofDelimiter(bytes("||")));
    assertNotEquals(byLength, (Object) byLength.toString());
  }

  @Test
  void boundaries_randomRows_neverDivideAGroup() {
    Random random = new Random(1);
    PrefixBoundaries[] kinds = {
      PrefixBoundaries.ofLength(1),
      PrefixBoundaries.ofLength(3),
      BY_DELIMITER,
      BY_DELIMITER.withoutDelimiter(),
      PrefixBoundaries.ofDelimiter(bytes("||"))
    };
    int sameGroup = 0;
    for (int i = 0; i < 200_000; i++) {
      byte[] a = row(random);
      byte[] b = row(random);
      byte[] key = row(random);
      for (PrefixBoundaries kind : kinds) {
        byte[] floor = kind.floor(key);
        byte[] ceiling = kind.ceiling(key);
        assertTrue(floor == null || ByteRanges.compare(floor, key) <= 0);
        assertTrue(ceiling == null || ByteRanges.compare(ceiling, key) > 0);
        if (group(kind, a).equals(group(kind, b))) {
          sameGroup++;
          assertEquals(isAbove(floor, a), isAbove(floor, b), () -> show(kind, key, a, b));
          assertEquals(isAbove(ceiling, a), isAbove(ceiling, b), () -> show(kind, key, a, b));
        }
      }
    }
    assertTrue(sameGroup > 10_000, "sameGroup=" + sameGroup);
  }

  private static boolean isAbove(byte[] boundary, byte[] row) {
    return boundary != null && ByteRanges.compare(boundary, row) > 0;
  }

  /** Prefix that the rows of a group have in common, from the definition. */
  private static String group(PrefixBoundaries kind, byte[] row) {
    String text = new String(row, StandardCharsets.ISO_8859_1);
    String description = kind.toString();
    if (description.endsWith("bytes")) {
      int length = Integer.parseInt(description.replaceAll("\\D", ""));
      return text.length() < length ? text + " alone" : text.substring(0, length);
    }
    int at = text.indexOf(description.contains("||") ? "||" : "|");
    return at < 0 ? text + " alone" : text.substring(0, at);
  }

  private static byte[] row(Random random) {
    byte[] row = new byte[1 + random.nextInt(6)];
    for (int i = 0; i < row.length; i++) {
      row[i] = (byte) "ab||\u00ff{".charAt(random.nextInt(6));
    }
    return row;
  }

  private static String show(PrefixBoundaries kind, byte[] key, byte[] a, byte[] b) {
    return kind + " key=" + Arrays.toString(key) + Arrays.toString(a) + Arrays.toString(b);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
