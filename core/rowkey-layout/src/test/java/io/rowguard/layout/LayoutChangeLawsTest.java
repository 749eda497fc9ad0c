package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.rowguard.layout.LayoutChange.Place;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laws of two layouts with the same bare keys: where nothing is in the way, no row is read by
 * both as different bare keys, each bare key has one row under each, and a row says where it
 * stands; all as the slow implementation has it.
 */
@Tag("whole")
class LayoutChangeLawsTest {
  private static final int LAYOUTS_PER_SEED = 400;
  private static final int SMALL_PER_SEED = 400;
  private static final int ROWS_PER_LAYOUT = 30;

  /** Five seeds: 2,000 changes, and 2,000 of which all rows are listed. */
  static LongStream seeds() {
    return LawSeeds.of(701, 705);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        // other buckets, another hash, another width
        "{s:digits(2)=murmur3(u)%16}-{u:word}|{t:millis};"
            + " {s:digits(2)=murmur3(u)%64}-{u:word}|{t:millis}",
        "{s:digits(2)=murmur3(u)%16}-{u:word}; {s:digits(3)=md5(u)%512}-{u:word}",
        "{s:hex(2)=md5(*)}{u:text}; {s:hex(2)=murmur3(*)}{u:text}",
        "{s:uint8=java31(*)%20}{m:bytes(3)}{t:bytes}; {s:bytes(1)=md5(m)%256}{m:bytes(3)}{t:bytes}",
        "{s:hex(2)=md5(*)}{u:word}; {a:hex(1)=md5(u)}{b:HEX(1)=crc32(u)}{u:word}",
        "{s:digits(2)=md5(*)%16}-{u:word}; {s:hex(3)=md5(*)}{u:word}",
        // a salt where there was none
        "{u:word}|{t:millis}; {s:digits(2)=murmur3(u)%16}-{u:word}|{t:millis}",
        "{c:text(2)}|{a:text}|{i:digits(8)};"
            + " {s:hex(2)=murmur3(c)}{c:text(2)}|{a:text}|{i:digits(8)}",
        "{i:uint64}; {s:hex(8)=md5(i)}{i:uint64}",
        // at another place
        "{s:digits(2)=md5(u)%16}-{u:word}|{t:word}; {u:word}|{s:digits(2)=md5(u)%16}-{t:word}",
        "{i:uint64}{s:uint8=md5(i)}; {s:uint16=md5(i)}{i:uint64}",
        "{u:word}/{s:digits(2)=md5(u)%16}; {s:digits(2)=md5(u)%16}{u:word}/"
      })
  void obstacle_ofWhatRowsTellApart_none(String from, String to) {
    assertNull(LayoutChange.obstacle(layout(from), layout(to)));
    assertNull(LayoutChange.obstacle(layout(to), layout(from)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{u:text}; {s:digits(2)=md5(*)%16}-{u:text}; true",
        "{u:word}; {s:hex(1)=md5(u)}{u:word}; true",
        "{s:hex(2)=md5(*)}{u:word}; {s:hex(4)=md5(*)}{u:word}; false",
        "{s:hex(2)=md5(i)}{i:hex(4)}; {i:hex(4)}{s:hex(2)=md5(i)}; false"
      })
  void obstacle_ofARowThatBothRead_showsItWhereOneIsFound(String from, String to, boolean found) {
    String obstacle = LayoutChange.obstacle(layout(from), layout(to));

    assertNotNull(obstacle);
    assertTrue(
        obstacle.matches(
            "a row can be read by both layouts, as two different bare keys"
                + (found ? ", for example \".*\" as \".*\" and as \".*\"" : "")
                + "; end what is derived with a literal that cannot stand there in the other"
                + " layout, such as \"-\""),
        obstacle);
    assertNotNull(LayoutChange.obstacle(layout(to), layout(from)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{u:word}; {v:word}; {u:word} and {v:word}",
        "{u:word}/{t:word}; {s:hex(1)=md5(u)}{u:word}|{t:word}; {u:word}/{t:word} and"
            + " {u:word}|{t:word}",
        "{u:word}|{t:word}; {u:word}|; {u:word}|{t:word} and {u:word}|",
        "{i:hex(4)}; {s:hex(1)=md5(i)}{i:hex(4) reversed}; {i:hex(4)} and {i:hex(4) reversed}"
      })
  void obstacle_ofOtherBareKeys_showsBoth(String from, String to, String both) {
    assertEquals(
        "the bare keys differ, " + both + "; only what is derived can change in place",
        LayoutChange.obstacle(layout(from), layout(to)));
  }

  @Test
  void of_withAnObstacle_isRefusedInItsWords() {
    RowkeyLayout layout = layout("{s:hex(2)=md5(u)}{u:word}");

    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> LayoutChange.of(layout, layout));
    assertEquals("both layouts are the same, {s:hex(2)=md5(u)}{u:word}", e.getMessage());
  }

  /** All rows of small layouts, whatever their salts: nothing is left to chance. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void obstacle_whenNone_noRowIsReadAsTwoBareKeys(long seed) {
    int free = 0;
    int bothRead = 0;
    int cautious = 0;
    for (int i = 0; i < SMALL_PER_SEED; i++) {
      Random random = LayoutCase.random(seed, i);
      SmallLayouts layouts = new SmallLayouts(random);
      SlowModel model = layouts.next();
      SlowModel other = new RandomChanges(random, layouts::derived).other(model);
      LayoutCase from = LayoutCase.of(seed, i, random, model, null);
      LayoutCase to = LayoutCase.of(seed, i, random, other, null);
      String obstacle = LayoutChange.obstacle(from.core, to.core);
      assertEquals(obstacle == null, LayoutChange.obstacle(to.core, from.core) == null);
      byte[] row = readAsTwo(from, to);
      if (obstacle == null) {
        free++;
        assertNull(row, () -> from.at(row) + " other=" + other);
      } else if (obstacle.startsWith("a row")) {
        bothRead++;
        cautious += row == null ? 1 : 0;
      } else {
        assertTrue(obstacle.startsWith("both layouts are the same"), obstacle + " " + from);
      }
    }
    String counts = "free=" + free + " bothRead=" + bothRead + " cautious=" + cautious;
    assertTrue(free >= SMALL_PER_SEED / 3, "seed=" + seed + " " + counts);
    assertTrue(bothRead >= SMALL_PER_SEED / 40, "seed=" + seed + " " + counts);
    assertTrue(cautious <= bothRead / 10, "seed=" + seed + " " + counts);
  }

  /** A row that conforms to both, some salts being right, and stands for two bare keys. */
  private static byte[] readAsTwo(LayoutCase from, LayoutCase to) {
    for (byte[] row : SmallLayouts.rows(from.model)) {
      SlowLayout.Reading there = to.slow.readWithAnySalt(row);
      if (there.conforms()) {
        byte[] key = from.slow.stripPieces(from.slow.readWithAnySalt(row), row);
        if (!Arrays.equals(key, to.slow.stripPieces(there, row))) {
          return row;
        }
      }
    }
    return null;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void place_anyRow_asTheSlowLayoutsHaveIt(long seed) {
    int changes = 0;
    Map<Place, Integer> places = new EnumMap<>(Place.class);
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      Random random = LayoutCase.random(seed, i);
      RandomLayouts layouts = new RandomLayouts(random);
      SlowModel model = layouts.next();
      SlowModel other = new RandomChanges(random, layouts::derived).other(model);
      LayoutCase from = LayoutCase.of(seed, i, random, model, null);
      LayoutCase to = LayoutCase.of(seed, i, random, other, null);
      if (LayoutChange.obstacle(from.core, to.core) == null) {
        changes++;
        LayoutChange change = LayoutChange.of(from.core, to.core);
        for (int r = 0; r < ROWS_PER_LAYOUT; r++) {
          byte[] row = r % 3 == 0 ? from.rows.bareKey() : (r % 2 == 0 ? from : to).rows.next();
          places.merge(place(from, to, change, row), 1, Integer::sum);
          assertLeadToEachOther(from, to, change);
        }
      }
    }
    String counts = "seed=" + seed + " changes=" + changes + " " + places;
    assertTrue(changes > LAYOUTS_PER_SEED / 4, counts);
    for (Place place : Place.values()) {
      assertTrue(places.getOrDefault(place, 0) >= 10, counts);
    }
  }

  private static Place place(LayoutCase from, LayoutCase to, LayoutChange change, byte[] row) {
    boolean isOld = from.slow.conforms(row) && row.length <= change.from().rowLengthLimit();
    boolean isNew = to.slow.conforms(row) && row.length <= change.to().rowLengthLimit();
    Place expected = isOld ? (isNew ? Place.SAME : Place.OLD) : isNew ? Place.NEW : Place.NONE;
    byte[] padded = SlowBytes.concat(new byte[] {1, 2, 3}, row, new byte[] {4});
    assertEquals(expected, change.place(row), () -> from.at(row) + " to=" + to);
    assertEquals(expected, change.place(padded, 3, row.length), () -> from.at(row) + " to=" + to);
    Place back = isOld ? (isNew ? Place.SAME : Place.NEW) : isNew ? Place.OLD : Place.NONE;
    assertEquals(back, change.reversed().place(row), () -> from.at(row) + " to=" + to);
    if (!isOld) {
      assertThrows(IllegalArgumentException.class, () -> change.toNew(row), () -> from.at(row));
    }
    if (!isNew) {
      assertThrows(IllegalArgumentException.class, () -> change.toOld(row), () -> to.at(row));
    }
    if (expected == Place.SAME) {
      assertArrayEquals(row, change.toNew(row), () -> from.at(row));
    }
    return expected;
  }

  private static void assertLeadToEachOther(LayoutCase from, LayoutCase to, LayoutChange change) {
    byte[] key = from.rows.bareKey();
    byte[] oldRow = from.slow.complete(key);
    byte[] newRow = to.slow.complete(key);
    String at = from.at(oldRow) + " to=" + to;
    assertArrayEquals(newRow, change.toNew(oldRow), at);
    assertArrayEquals(oldRow, change.toOld(newRow), at);
    assertArrayEquals(oldRow, change.reversed().toNew(newRow), at);
    boolean same = Arrays.equals(oldRow, newRow);
    assertEquals(same ? Place.SAME : Place.OLD, change.place(oldRow), at);
    assertEquals(same ? Place.SAME : Place.NEW, change.place(newRow), at);
    assertFalse(change.isTooLongToMove(oldRow, 0, oldRow.length), at);
  }

  @ParameterizedTest
  @CsvSource({"30, 27, 30", "32767, 32764, 32767"})
  void of_rowsThatGetLonger_areAsLongAsBothAllow(int limit, int old, int next) {
    LayoutChange change =
        LayoutChange.of(
            layout("{u:word}").withMaxRowLength(limit),
            layout("{s:digits(2)=md5(u)%16}-{u:word}").withMaxRowLength(limit));

    assertEquals(old, change.from().rowLengthLimit());
    assertEquals(next, change.to().rowLengthLimit());
    assertEquals(next, change.reversed().from().rowLengthLimit());
    byte[] longest = row("a".repeat(old));
    assertEquals(Place.OLD, change.place(longest));
    assertArrayEquals(longest, change.toOld(change.toNew(longest)));
    assertFalse(change.isTooLongToMove(longest, 0, old));
    byte[] longer = row("a".repeat(old + 1));
    assertEquals(Place.NONE, change.place(longer));
    assertTrue(change.isTooLongToMove(longer, 0, old + 1));
    assertFalse(change.isTooLongToMove(row("-".repeat(old + 1)), 0, old + 1));
    assertThrows(IllegalArgumentException.class, () -> change.toNew(longer));
  }

  @Test
  void isTooLongToMove_whereRowsGetShorter_never() {
    LayoutChange change =
        LayoutChange.of(
            layout("{s:digits(2)=md5(u)%16}-{u:word}").withMaxRowLength(8),
            layout("{u:word}").withMaxRowLength(8));
    byte[] longest = change.toOld(row("alice"));

    assertEquals(8, longest.length);
    assertEquals(Place.OLD, change.place(longest));
    assertEquals(Place.NONE, change.place(row("alicia")));
    assertFalse(change.isTooLongToMove(row("alicia"), 0, 6));
    assertTrue(change.reversed().isTooLongToMove(row("alicia"), 0, 6));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{i:hex(8)}; {s:hex(2)=md5(i)}{i:hex(8)}; 9; 10",
        "{i:word}; {s:hex(2)=md5(i)}-{i:word}; 3; 4",
        "{i:hex(8)}; {s:hex(2)=md5(i)}{i:hex(8)}; 3; 10"
      })
  void obstacle_ofALayoutWithoutARowThatIsShortEnough_namesTheLength(
      String from, String to, int limit, int least) {
    assertEquals(
        "rows of "
            + to
            + " have at least "
            + least
            + " bytes, more than the "
            + limit
            + " that are allowed",
        LayoutChange.obstacle(
            layout(from).withMaxRowLength(limit), layout(to).withMaxRowLength(limit)));
    assertNull(
        LayoutChange.obstacle(
            layout(from).withMaxRowLength(least), layout(to).withMaxRowLength(least)));
  }

  @Test
  void obstacle_ofTwoLayoutsWhoseRowsAreAllTooLong_namesTheOneThatRowsLeave() {
    RowkeyLayout from = layout("{s:hex(2)=md5(i)}{i:hex(8)}").withMaxRowLength(9);
    RowkeyLayout to = layout("{s:hex(2)=crc32(i)}{i:hex(8)}").withMaxRowLength(9);

    String obstacle = LayoutChange.obstacle(from, to);
    assertTrue(obstacle.startsWith("rows of " + from + " have at least 10 bytes"), obstacle);
  }

  @Test
  void obstacle_ofTheLongestKeysOfALayout_namesTheLength() {
    RowkeyLayout from = layout("{u:word(1..20)}").withMaxRowLength(22);
    RowkeyLayout to = layout("{s:digits(2)=md5(u)%16}-{u:word(1..20)}").withMaxRowLength(22);
    String expected =
        "rows of "
            + to
            + " have up to 23 bytes, more than the 22 that are allowed, while all of "
            + from
            + " fit";

    assertEquals(expected, LayoutChange.obstacle(from, to));
    assertEquals(expected, LayoutChange.obstacle(to, from));
    assertEquals(
        expected.replace("the 22", "the 20"),
        LayoutChange.obstacle(from.withMaxRowLength(20), to.withMaxRowLength(20)));
    assertNull(LayoutChange.obstacle(from.withMaxRowLength(23), to.withMaxRowLength(23)));
    assertNull(LayoutChange.obstacle(from.withMaxRowLength(19), to.withMaxRowLength(19)));
  }

  /** Region servers ask for each write while rows move. */
  @Test
  void place_anyRow_allocatesNothing() {
    LayoutChange change =
        LayoutChange.of(
            layout("{s:digits(2)=murmur3(u)%16}-{u:word}|{t:word}"),
            layout("{s:hex(4)=md5(*)}-{u:word}|{t:word}"));
    byte[] oldRow = change.from().complete(row("alice|x"));
    List<byte[]> rows = List.of(oldRow, change.toNew(oldRow), row("alice|x"), new byte[40]);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    countPlaced(change, rows, 2_000);
    long before = threads.getThreadAllocatedBytes(thread);
    int placed = countPlaced(change, rows, 20_000);
    long allocated = threads.getThreadAllocatedBytes(thread) - before;

    assertEquals(40_000, placed);
    // Not per row: what the measurement itself and the compiler's switches leave behind.
    assertTrue(allocated < 20_000, "allocated=" + allocated);
  }

  private static int countPlaced(LayoutChange change, List<byte[]> rows, int rounds) {
    int placed = 0;
    for (int i = 0; i < rounds; i++) {
      for (int r = 0; r < rows.size(); r++) {
        byte[] row = rows.get(r);
        placed += change.place(row, 0, row.length) == Place.NONE ? 0 : 1;
      }
    }
    return placed;
  }

  @Test
  void toString_always_showsBothLayouts() {
    assertEquals(
        "{u:word} -> {s:hex(1)=md5(u)}-{u:word}",
        LayoutChange.of(layout("{u:word}"), layout("{s:hex(1)=md5(u)}-{u:word}")).toString());
  }

  private static RowkeyLayout layout(String text) {
    return RowkeyLayout.parse(text);
  }

  private static byte[] row(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
