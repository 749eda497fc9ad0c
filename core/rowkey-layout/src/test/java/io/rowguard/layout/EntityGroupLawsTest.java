package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.SlowModel.Seg;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The laws of entity groups: a group ends where the slow reading says its segment ends, two rows
 * are of one group exactly when they agree up to there, and a group that would scatter its rows
 * over several salts cannot be declared.
 */
@Tag("whole")
class EntityGroupLawsTest {
  private static final int LAYOUTS_PER_SEED = 300;
  private static final int ROWS_PER_LAYOUT = 40;

  /** Ten seeds: 3,000 layouts and 120,000 rows. */
  static LongStream seeds() {
    return LawSeeds.of(201, 210);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void end_randomRows_equalsSlowEnd(long seed) {
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      EntityGroup group = EntityGroup.of(at.core, at.group);
      for (int r = 0; r < ROWS_PER_LAYOUT; r++) {
        byte[] row = at.rows.next();
        int expected = at.slow.groupEnd(at.group, row);
        assertEquals(expected, group.end(row, 0, row.length), () -> at.at(row));
        byte[] array = SlowBytes.concat(new byte[] {'0', '|'}, row, at.rows.conforming());
        assertEquals(expected, group.end(array, 2, row.length), () -> "in place " + at.at(row));
      }
    }
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void same_conformingRows_whenTheyAgreeUpToTheGroupsEnd(long seed) {
    int together = 0;
    int apart = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      EntityGroup group = EntityGroup.of(at.core, at.group);
      for (int r = 0; r < ROWS_PER_LAYOUT; r++) {
        byte[] a = at.rows.conforming();
        byte[] b = RandomRows.sameGroup(at, a);
        boolean expected = Arrays.equals(groupBytes(at, a), groupBytes(at, b));
        together += expected ? 1 : 0;
        apart += expected ? 0 : 1;
        String message = at.at(a) + " other=" + SlowBytes.show(b);
        assertEquals(expected, group.same(a, b), () -> message);
        assertEquals(expected, group.same(b, a), () -> message);
        assertTrue(group.same(a, a.clone()), () -> message);
      }
    }
    int pairs = LAYOUTS_PER_SEED * ROWS_PER_LAYOUT;
    assertTrue(together > pairs / 20 && apart > pairs / 4, "seed=" + seed);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void range_ofARowsGroup_holdsExactlyTheRowsOfThatGroup(long seed) {
    int together = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      EntityGroup group = EntityGroup.of(at.core, at.group);
      for (int r = 0; r < ROWS_PER_LAYOUT; r++) {
        byte[] a = at.rows.conforming();
        byte[] b = RandomRows.sameGroup(at, a);
        KeyRange range = group.range(groupBytes(at, a));
        boolean expected = Arrays.equals(groupBytes(at, a), groupBytes(at, b));
        together += expected ? 1 : 0;
        String message = at.at(a) + " other=" + SlowBytes.show(b) + " range=" + range;
        assertTrue(range.contains(a), () -> message);
        assertEquals(expected, range.contains(b), () -> message);
      }
    }
    assertTrue(together > LAYOUTS_PER_SEED * ROWS_PER_LAYOUT / 20, "seed=" + seed);
  }

  /** Bytes are a group when some row goes on after them; without a salt, any rest will do. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void isGroup_groupsAndWhatIsNearlyOne_whenRowsBeginWithThem(long seed) {
    int groups = 0;
    int others = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      EntityGroup group = EntityGroup.of(at.core, at.group);
      for (int r = 0; r < ROWS_PER_LAYOUT; r++) {
        byte[] row = at.rows.conforming();
        byte[] bytes = groupBytes(at, row);
        assertTrue(group.isGroup(bytes), () -> at.at(row));
        if (!at.core.hasDerivedSegments()) {
          byte[] rest = Arrays.copyOfRange(row, bytes.length, row.length);
          byte[] near = nearly(bytes, at.random);
          byte[] whole = SlowBytes.concat(near, rest);
          boolean expected = at.slow.groupEnd(at.group, whole) == near.length;
          groups += expected ? 1 : 0;
          others += expected ? 0 : 1;
          String message = at.at(row) + " near=\"" + RandomRows.show(near) + "\"";
          assertEquals(expected, group.isGroup(near), () -> message);
        }
      }
    }
    assertTrue(groups > 200 && others > 200, "seed=" + seed + " " + groups + " " + others);
  }

  /** A byte less, a byte more, or another byte. */
  private static byte[] nearly(byte[] bytes, Random random) {
    int place = random.nextInt(bytes.length + 1);
    byte[] near = bytes.clone();
    switch (random.nextInt(3)) {
      case 0:
        return Arrays.copyOf(bytes, Math.max(0, bytes.length - 1));
      case 1:
        return SlowBytes.concat(
            Arrays.copyOf(bytes, place),
            new byte[] {(byte) random.nextInt(256)},
            Arrays.copyOfRange(bytes, place, bytes.length));
      default:
        if (place < bytes.length) {
          near[place] = (byte) random.nextInt(128);
        }
        return near;
    }
  }

  private static byte[] groupBytes(LayoutCase at, byte[] row) {
    return SlowBytes.first(row, at.slow.groupEnd(at.group, row));
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void of_anySegment_isRefusedWhenOneGroupWouldGetManySalts(long seed) {
    int refused = 0;
    for (int i = 0; i < LAYOUTS_PER_SEED; i++) {
      LayoutCase at = LayoutCase.of(seed, i);
      List<String> allowed = at.model.groups();
      for (Seg seg : at.model.segs()) {
        if (allowed.contains(seg.name)) {
          assertNotNull(EntityGroup.of(at.core, seg.name), () -> seg.name + " " + at);
          assertNotNull(LayoutBoundaries.of(at.core, seg.name), () -> seg.name + " " + at);
        } else {
          refused++;
          assertRefused(at, seg.name);
        }
      }
      assertRefused(at, "no-such-segment");
    }
    assertTrue(refused > LAYOUTS_PER_SEED / 10, "seed=" + seed);
  }

  private static void assertRefused(LayoutCase at, String group) {
    assertThrows(
        IllegalArgumentException.class,
        () -> EntityGroup.of(at.core, group),
        () -> group + " of " + at);
    assertThrows(
        IllegalArgumentException.class,
        () -> LayoutBoundaries.of(at.core, group),
        () -> group + " of " + at);
  }

  @Test
  void of_rowsThatLackALiteralAmongTheOthers_refused() {
    for (String apart :
        List.of(
            "{a:word}|{b:text optional}",
            "{a:text}-{b:text optional}",
            "{a:text}\\x00\\x00{b:text optional}",
            "{a:word}1{b:text optional}",
            "{a:text descending}\\x0C{b:text optional}")) {
      RowkeyLayout layout = RowkeyLayout.parse(apart);
      IllegalArgumentException e =
          assertThrows(IllegalArgumentException.class, () -> EntityGroup.of(layout, "a"), apart);
      assertTrue(e.getMessage().startsWith("The rows of one entity group would not stand"), apart);
    }
    for (String together :
        List.of(
            "{a:word}-{b:text optional}",
            "{a:text}\\x00{b:text optional}",
            "{a:text descending}\\x0B{b:text optional}",
            "{a:word(3)}|{b:text optional}",
            "{a:uint8}{b:text optional}")) {
      assertEquals("a", EntityGroup.of(RowkeyLayout.parse(together), "a").segment(), together);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{a:word}-{b:text}; [\"x-\", \"x.\")",
        "{a:word}-{b:text optional}; [\"x\", \"x.\")"
      })
  void range_ofAGroupThatALiteralEnds_hasTheRowWithoutItIfThereMayBeOne(
      String layout, String range) {
    EntityGroup group = EntityGroup.of(RowkeyLayout.parse(layout), "a");
    assertEquals(range, group.range(bytes("x")).toString());
  }

  @Test
  void isGroup_wholeRowThatIsTooLong_isNot() {
    RowkeyLayout layout = RowkeyLayout.parse("{a:word}/{b:digits(2)}").withMaxRowLength(4);
    EntityGroup group = EntityGroup.of(layout, "b");
    assertTrue(group.isGroup(bytes("a/12")));
    assertFalse(group.isGroup(bytes("aa/12")));
  }

  @Test
  void toString_always_saysWhatEndsTheGroup() {
    RowkeyLayout layout = RowkeyLayout.parse("{a:word}/{b:text}");
    assertEquals("a", EntityGroup.of(layout, "a").toString());
    assertEquals("each row", EntityGroup.of(layout, null).toString());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
