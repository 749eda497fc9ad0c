package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The boundaries of a pre-split that a merge takes away: of salts, and of whole even divisions. */
class PresplitBoundariesTest {
  private static final LayoutBoundaries SALTED =
      boundaries("{salt:digits(2)=murmur3(user)%4}-{user:word}");
  private static final LayoutBoundaries HEX = boundaries("{id:hex(4)}");
  private static final LayoutBoundaries DIGIT = boundaries("{id:digits(1)}|{name:word}");
  private static final LayoutBoundaries TWO_DIGITS = boundaries("{id:digits(2)}");
  private static final LayoutBoundaries THREE_DIGITS = boundaries("{id:digits(3)}");

  /** The table's split keys; of the regions from the one that starts with a key, so many merge. */
  @ParameterizedTest
  @CsvSource({
    "01, '', 2, 01",
    "01 03, '', 3, 01 03",
    "01 01-m 02, 01, 2, ''",
    "01 01-m 02, 01, 3, 02",
    "01 02 03, 02, 1, ''",
    "01 02 03, 02, 0, ''",
    // No row lies below 00, above 03, or from 02~ to 03.
    "00 01, '', 2, ''",
    "00 01, '', 3, 01",
    "02 03 04 05, 03, 3, ''",
    "02 02~ 03, 02~, 2, ''",
    "02 02~ 03, 02, 3, 03"
  })
  void lost_salted_everyBoundaryBetweenTwoSaltsThatRowsHave(
      String splitKeys, String first, int regions, String lost) {
    assertEquals(lost, lost(SALTED, splitKeys, first, regions));
  }

  @ParameterizedTest
  @CsvSource({
    "8, '', 2, 8",
    "4 8 c, '', 4, 4 8 c",
    "4 8 c, 4, 2, 8",
    "4 5 8 c, '', 5, 4 8 c",
    "4 4001 5 8 b c, '', 7, 4 8 c",
    "4 8, '', 3, 8",
    "4 c, '', 3, ''",
    "7, '', 2, ''",
    "4 8 c g, c, 2, ''",
    // They come back as the table has them; of two that differ by zeros, the upper one.
    "4000 80 c, '', 4, 4000 80 c",
    "4 40 8 80 c, '', 6, 40 80 c",
    "4001 8 c, '', 4, 8"
  })
  void lost_hexIds_onlyOfWholeDivisions(String splitKeys, String first, int regions, String lost) {
    assertEquals(lost, lost(HEX, splitKeys, first, regions));
  }

  /** The first boundary of a division is in none into fewer regions. */
  @ParameterizedTest
  @CsvSource({"256, true, true", "257, false, true", "257, true, false"})
  void lost_divisionOfSoMany_withOtherRegionsUpTo256(int number, boolean others, boolean isLost) {
    List<byte[]> splitKeys = new ArrayList<>(THREE_DIGITS.evenly(number));
    if (others) {
      splitKeys.add("999".getBytes(US_ASCII));
    }
    assertEquals(isLost ? "003" : "", lost(THREE_DIGITS, texts(splitKeys), "", 2));
  }

  @Test
  void lost_moreRegionsThanValues_stillOfTheLargestDivision() {
    String splitKeys = "1 2 3 4 5 5|a 5|b 5|c 6 7 8 9";
    assertEquals("1 2 3 4 5 6 7 8 9", lost(DIGIT, splitKeys, "", 13));
  }

  @Test
  void lost_randomTables_asTheDefinitionSays() {
    Random random = new Random(1);
    int kept = 0;
    int others = 0;
    for (int i = 0; i < 500; i++) {
      Set<Integer> table = table(random);
      Set<Integer> even = even(table);
      List<String> splitKeys = table.stream().map(key -> key(key, random.nextBoolean())).toList();
      List<String> want = splitKeys.stream().filter(key -> even.contains(value(key))).toList();
      String all = String.join(" ", splitKeys);
      String lost = lost(TWO_DIGITS, all, "", table.size() + 1);
      assertEquals(String.join(" ", want), lost, "seed=1 index=" + i + " splitKeys=" + all);
      kept += want.size();
      others += table.size() - want.size();
    }
    assertTrue(kept > 1000 && others > 1000, "kept=" + kept + " others=" + others);
  }

  /** An even division, sometimes without one of its boundaries, and some other keys. */
  private static Set<Integer> table(Random random) {
    Set<Integer> table = new TreeSet<>(division(2 + random.nextInt(20)));
    if (random.nextInt(3) == 0) {
      table.remove(table.iterator().next());
    }
    for (int others = random.nextInt(6); others > 0; others--) {
      table.add(1 + random.nextInt(99));
    }
    return table;
  }

  private static Set<Integer> even(Set<Integer> table) {
    Set<Integer> even = new TreeSet<>();
    for (int number = 2; number <= 100; number++) {
      Set<Integer> division = division(number);
      if (table.containsAll(division)) {
        even.addAll(division);
      }
    }
    return even;
  }

  /** The hundred values of two digits in so many regions. */
  private static Set<Integer> division(int number) {
    Set<Integer> division = new TreeSet<>();
    for (int i = 1; i < number; i++) {
      division.add(100 * i / number);
    }
    return division;
  }

  private static String key(int value, boolean isShort) {
    return isShort && value % 10 == 0 ? "" + value / 10 : "" + value / 10 + value % 10;
  }

  private static int value(String key) {
    return Integer.parseInt((key + "0").substring(0, 2));
  }

  private static LayoutBoundaries boundaries(String layout) {
    return LayoutBoundaries.of(RowkeyLayout.parse(layout), null);
  }

  private static String lost(
      LayoutBoundaries boundaries, String splitKeys, String first, int regions) {
    List<String> keys = new ArrayList<>(List.of(splitKeys.split(" ")));
    PresplitBoundaries presplit = PresplitBoundaries.of(boundaries, bytes(keys));
    keys.add(0, "");
    keys.add("");
    int from = keys.indexOf(first);
    List<byte[]> starts = bytes(keys.subList(from, from + regions));
    return texts(presplit.lost(starts, bytes(keys.subList(from + 1, from + 1 + regions))));
  }

  private static List<byte[]> bytes(List<String> keys) {
    return keys.stream().map(key -> key.getBytes(US_ASCII)).toList();
  }

  private static String texts(Collection<byte[]> keys) {
    return String.join(" ", keys.stream().map(key -> new String(key, US_ASCII)).toList());
  }
}
