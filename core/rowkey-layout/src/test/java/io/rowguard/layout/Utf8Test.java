package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * UTF-8 held to what the JDK's encoder makes of all characters, and to all sequences of four bytes
 * from both sides of each border between bytes that mean different things.
 */
class Utf8Test {
  private static final int[] BORDERS = {
    0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed,
    0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff
  };

  /** The bytes of each character, in the order of characters. */
  private static Stream<byte[]> characters() {
    return IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .mapToObj(c -> Character.toString(c).getBytes(UTF_8));
  }

  @Test
  void next_bytesOfEachCharacter_countsThoseMissing() {
    boolean[] seen = new boolean[0x100];
    characters()
        .forEach(
            bytes -> {
              int state = Utf8.START;
              for (int i = 0; i < bytes.length; i++) {
                seen[bytes[i] & 0xff] = true;
                assertEquals(i > 0, Utf8.isContinuation(bytes[i]));
                state = Utf8.next(state, bytes[i]);
                assertEquals(bytes.length - 1 - i, Utf8.missing(state));
              }
              assertEquals(Utf8.START, state);
            });
    for (int b = 0; b <= 0xff; b++) {
      assertEquals(seen[b], Utf8.canHold(b), "byte=" + b);
    }
  }

  @Test
  void firstInvalid_bytesAtBorders_isWhereNoCharacterGoesOn() {
    Set<String> whole = new HashSet<>();
    Set<String> begun = new HashSet<>();
    characters().filter(Utf8Test::isOfBorders).forEach(bytes -> whole.add(text(bytes)));
    for (String character : whole) {
      IntStream.range(1, character.length()).forEach(i -> begun.add(character.substring(0, i)));
    }
    int valid = 0;
    int sequences = BORDERS.length * BORDERS.length * BORDERS.length * BORDERS.length;
    for (int i = 0; i < sequences; i++) {
      byte[] bytes = new byte[4];
      int rest = i;
      for (int k = 0; k < bytes.length; k++) {
        bytes[k] = (byte) BORDERS[rest % BORDERS.length];
        rest /= BORDERS.length;
      }
      int expected = firstWrong(text(bytes), whole, begun);
      // Between bytes that would change the answer.
      byte[] row = SlowBytes.concat(new byte[] {(byte) 0xc2}, bytes, new byte[] {(byte) 0x80});
      int found = Utf8.firstInvalid(row, 1, 5, Utf8.STRAIGHT);
      byte[] turned = SlowBytes.bitsTurned(row);
      if (found != (expected < 0 ? -1 : 1 + expected)
          || found != Utf8.firstInvalid(turned, 1, 5, Utf8.TURNED)) {
        throw new AssertionError(SlowBytes.show(bytes) + " " + expected + " found=" + found);
      }
      if (expected < 0) {
        valid++;
        assertEquals(new String(bytes, UTF_8).hashCode(), Utf8.stringHash(row, 1, 5));
      }
    }
    assertTrue(valid > 100, "valid=" + valid);
  }

  private static boolean isOfBorders(byte[] bytes) {
    return IntStream.range(0, bytes.length)
        .allMatch(i -> IntStream.of(BORDERS).anyMatch(border -> border == (bytes[i] & 0xff)));
  }

  private static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }

  /** The first byte that ends no beginning of a text; of a cut character the first; or -1. */
  private static int firstWrong(String bytes, Set<String> whole, Set<String> begun) {
    int start = 0;
    for (int end = 1; end <= bytes.length(); end++) {
      String read = bytes.substring(start, end);
      if (whole.contains(read)) {
        start = end;
      } else if (!begun.contains(read)) {
        return end - 1;
      }
    }
    return start == bytes.length() ? -1 : start;
  }
}
