package io.rowguard.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Boundaries and regions of one group, against a search through all keys. */
class RegionCheckTest {
  private static final LayoutBoundaries PAIRS =
      LayoutBoundaries.of(RowkeyLayout.parse("{a:digits(1)}{b:digits(1)}"), "a");

  private final RegionCheck check = new RegionCheck("t", PAIRS);

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Test
  void boundaries_threeKindsOfMistakes_areNamed() {
    List<Finding> findings =
        check.boundaries(List.of(bytes("25"), bytes("3"), bytes(":"), bytes("x")));
    assertEquals(
        List.of(
            "boundary_cuts_group 25",
            "boundary_illegal :",
            "boundary_illegal x",
            "region_unreachable : .. x",
            "region_unreachable x .. (end)"),
        findings.stream().map(each -> each.code() + " " + each.where()).toList());
  }

  /** Rows of {@code {b:HEX(1)}} leave regions between letters for some between digits. */
  @Test
  void boundaries_ofRowsOnTheirWay_areThoseOfOneLayoutOrTheOther() {
    LayoutBoundaries previous =
        LayoutBoundaries.of(RowkeyLayout.parse("{a:HEX(1)}{b:digits(1)}"), "a");
    RegionCheck both = new RegionCheck("t", PAIRS, previous);

    List<Finding> findings =
        both.boundaries(List.of(bytes("25"), bytes("3"), bytes("B"), bytes("F"), bytes("x")));

    assertEquals(
        List.of("boundary_cuts_group 25", "boundary_illegal x", "region_unreachable x .. (end)"),
        findings.stream().map(each -> each.code() + " " + each.where()).toList());
  }

  /** It cannot be split now, but that passes. */
  @Test
  void isOneGroup_ofOneLayoutOnly_isNot() {
    LayoutBoundaries previous =
        LayoutBoundaries.of(RowkeyLayout.parse("{a:HEX(1)}{b:digits(1)}"), "a");
    RegionCheck both = new RegionCheck("t", PAIRS, previous);

    assertTrue(check.isOneGroup(bytes("A"), bytes("")));
    assertFalse(both.isOneGroup(bytes("A"), bytes("")));
    assertTrue(both.isOneGroup(bytes("F"), bytes("")));
    assertTrue(check.isOneGroupOfRows(bytes("A1"), bytes("B1")));
    assertFalse(both.isOneGroupOfRows(bytes("A1"), bytes("B1")));
    assertTrue(both.isOneGroupOfRows(bytes("A1"), bytes("A2")));
  }

  @Test
  void isOneGroup_randomRegions_isAsASearchFinds() {
    Random random = new Random(704);
    List<String> keys = IntStream.range(0, 100).mapToObj(i -> String.format("%02d", i)).toList();
    for (int i = 0; i < 2000; i++) {
      String start =
          random.nextInt(8) == 0 ? "" : keys.get(random.nextInt(100)).substring(random.nextInt(2));
      String end =
          random.nextInt(8) == 0 ? "" : keys.get(random.nextInt(100)).substring(random.nextInt(2));
      boolean divides =
          IntStream.range(0, 10)
              .mapToObj(Integer::toString)
              .anyMatch(
                  key -> key.compareTo(start) > 0 && (end.isEmpty() || key.compareTo(end) < 0));
      assertEquals(!divides, check.isOneGroup(bytes(start), bytes(end)), start + ".." + end);
    }
  }

  @Test
  void isOneGroupOfRows_allPairs_isAsTheirGroupsSay() {
    for (int a = 0; a < 100; a++) {
      for (int b = a; b < 100; b++) {
        assertEquals(
            a / 10 == b / 10,
            check.isOneGroupOfRows(
                bytes(String.format("%02d", a)), bytes(String.format("%02d", b))),
            a + " " + b);
      }
    }
  }

  @Test
  void spread_someOfMany_isEvenAndBeginsWithTheFirst() {
    List<Integer> all = IntStream.range(0, 1000).boxed().toList();
    assertEquals(all, RowSample.spread(all, 2000));
    List<Integer> some = RowSample.spread(all, 7);
    assertEquals(Arrays.asList(0, 142, 285, 428, 571, 714, 857), some);
    assertEquals(List.of(), RowSample.spread(List.of(), 7));
  }
}
