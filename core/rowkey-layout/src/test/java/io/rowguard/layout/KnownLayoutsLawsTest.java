package io.rowguard.layout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The laws of several layouts with the same bare keys, as the slow implementation has them. */
@Tag("whole")
class KnownLayoutsLawsTest {
  private static final int CASES_PER_SEED = 400;
  private static final int ROWS_PER_CASE = 20;
  private static final String BARE = "{u:word}|{t:word}";
  private static final String EIGHT = "{s:digits(2)=md5(u)%8}-" + BARE;
  private static final String SIXTEEN = "{s:digits(2)=md5(u)%16}-" + BARE;

  /** Five seeds of 400 cases of two to four layouts. */
  static LongStream seeds() {
    return LawSeeds.of(711, 715);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void stripIfRow_anyRow_asTheSlowLayoutsHaveIt(long seed) {
    int known = 0;
    int stripped = 0;
    int foreign = 0;
    for (int i = 0; i < CASES_PER_SEED; i++) {
      Random random = LayoutCase.random(seed, i);
      List<LayoutCase> cases = cases(seed, i, random);
      List<RowkeyLayout> layouts = cases.stream().map(each -> each.core).toList();
      if (KnownLayouts.obstacle(layouts) != null) {
        continue;
      }
      known++;
      KnownLayouts all = KnownLayouts.of(layouts);
      for (int r = 0; r < ROWS_PER_CASE; r++) {
        LayoutCase maker = cases.get(r % cases.size());
        byte[] row = r % 5 == 0 ? maker.rows.bareKey() : maker.rows.next();
        byte[] expected = strip(cases, row);
        assertArrayEquals(expected, all.stripIfRow(row), () -> maker.at(row) + " all=" + all);
        stripped += expected == null ? 0 : 1;
        foreign += expected == null || cases.get(0).slow.conforms(row) ? 0 : 1;
      }
    }
    String counts = "seed=" + seed + " known=" + known + " " + stripped + " " + foreign;
    assertTrue(known > CASES_PER_SEED / 10, counts);
    assertTrue(stripped > known * 5, counts);
    assertTrue(foreign > known, counts);
  }

  private static List<LayoutCase> cases(long seed, int index, Random random) {
    RandomLayouts layouts = new RandomLayouts(random);
    SlowModel model = layouts.next();
    List<LayoutCase> cases = new ArrayList<>();
    cases.add(LayoutCase.of(seed, index, random, model, null));
    for (int i = random.nextInt(3); i >= 0; i--) {
      SlowModel other = new RandomChanges(random, layouts::derived).other(model);
      cases.add(LayoutCase.of(seed, index, random, other, null));
    }
    return cases;
  }

  /** The one key that all layouts read which read the row; rows here are shorter than the limit. */
  private static byte[] strip(List<LayoutCase> cases, byte[] row) {
    byte[] key = null;
    for (LayoutCase each : cases) {
      if (each.slow.conforms(row)) {
        byte[] read = each.slow.strip(row);
        assertTrue(key == null || Arrays.equals(key, read), () -> each.at(row));
        key = read;
      }
    }
    return key;
  }

  @Test
  void of_layoutsThatAddUnequally_areAsLongAsAllAllow() {
    KnownLayouts all = KnownLayouts.of(limited(20, EIGHT, "{s:hex(4)=md5(u)}-" + BARE, BARE));

    assertEquals(
        List.of(18, 20, 15), all.layouts().stream().map(RowkeyLayout::rowLengthLimit).toList());
    byte[] longest = row("alice|" + "x".repeat(9));
    for (RowkeyLayout layout : all.layouts()) {
      assertArrayEquals(longest, all.stripIfRow(layout.complete(longest)), layout.toString());
    }
    assertNull(all.stripIfRow(row("alice|" + "x".repeat(10))));
  }

  @Test
  void change_ofTwoOfThem_isAsLongAsAllAllow() {
    KnownLayouts all = KnownLayouts.of(limited(20, EIGHT, BARE, "{s:hex(4)=md5(u)}-" + BARE));
    LayoutChange change = all.change(1, 0);

    assertEquals(all.layouts().subList(0, 2), List.of(change.to(), change.from()));
    assertEquals(15, change.from().rowLengthLimit());
    assertEquals(18, change.reversed().from().rowLengthLimit());
    byte[] longer = row("alice|" + "x".repeat(10));
    assertEquals(LayoutChange.Place.NONE, change.place(longer));
    assertTrue(change.isTooLongToMove(longer, 0, longer.length));
  }

  @Test
  void of_aLayoutTwice_countsOnce() {
    KnownLayouts all = KnownLayouts.of(limited(20, EIGHT, EIGHT));

    assertEquals(1, all.layouts().size());
    assertEquals("[" + EIGHT + "]", all.toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{u:word}-{t:word}; the bare keys differ",
        "{u:text}|{t:word}; the bare keys differ",
        "{s:hex(2)=md5(u)}{u:word}|{t:word}; a row can be read by both layouts",
        "{s:digits(2)=any of 8}-{u:word}|{t:word}; writers choose among several rows"
      })
  void obstacle_ofAnyTwo_isThatOfTheTwo(String other, String beginning) {
    List<RowkeyLayout> layouts = limited(40, SIXTEEN, EIGHT, BARE, other);

    String obstacle = KnownLayouts.obstacle(layouts);
    assertTrue(obstacle.startsWith(beginning), obstacle);
    assertEquals(
        obstacle,
        assertThrows(IllegalArgumentException.class, () -> KnownLayouts.of(layouts)).getMessage());
    assertNull(KnownLayouts.obstacle(layouts.subList(0, 3)));
  }

  private static List<RowkeyLayout> limited(int limit, String... layouts) {
    return Arrays.stream(layouts)
        .map(text -> RowkeyLayout.parse(text).withMaxRowLength(limit))
        .toList();
  }

  private static byte[] row(String text) {
    return text.getBytes(ISO_8859_1);
  }
}
