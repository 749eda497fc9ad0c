package io.rowguard.checker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Each fault that may be stored is found, and named; what is right is not. */
class StoredTableTest {
  // Salts of 16 buckets: u0001 has 07, u0005 has 12.
  private static final NaiveLayout LAYOUT = NaiveLayout.salted(16);
  private static final String A = LAYOUT.row("u0001|000001");
  private static final String B = LAYOUT.row("u0001|000002");
  private static final String C = LAYOUT.row("u0005|000001");

  private final StoredTable table = new StoredTable(LAYOUT);

  @Test
  void right_hasNoViolation() {
    table.addRegion("", "08", List.of(A, B));
    table.addRegion("08", "", List.of(C));

    assertEquals(List.of(), table.violations());
    assertEquals(3, table.keys());
  }

  @Test
  void bareRow_isFound() {
    table.addRegion("", "", List.of(A, "u0001|000002"));

    assertEquals(List.of("stored row u0001|000002: it is bare"), table.violations());
  }

  @Test
  void keyInTwoRows_isFound() {
    StoredTable unsalted = new StoredTable(NaiveLayout.unsalted());
    unsalted.addRegion("", "v", List.of("u0001|000001"));
    unsalted.addRegion("v", "", List.of("u0001|000001"));

    assertEquals(
        List.of(
            "region v.. has u0001|000001",
            "key u0001|000001 is stored twice: u0001|000001 and u0001|000001",
            "group u0001 is in region ..v and in region v.."),
        unsalted.violations());
  }

  @Test
  void rowWithAnotherSalt_isFound() {
    table.addRegion("", "", List.of("03-u0001|000001", A));

    assertEquals(
        List.of("stored row 03-u0001|000001: its salt is wrong, it should be " + A),
        table.violations());
  }

  @Test
  void groupInTwoRegions_isFound() {
    table.addRegion("", B, List.of(A));
    table.addRegion(B, "", List.of(B, C));

    assertEquals(
        List.of("group u0001 is in region .." + B + " and in region " + B + ".."),
        table.violations());
  }

  @Test
  void rowGivenTwice_isFound() {
    table.addRegion("", "", List.of(A, A));

    assertEquals(
        List.of(
            "region .. has " + A + " after " + A,
            "key u0001|000001 is stored twice: " + A + " and " + A),
        table.violations());
  }

  @Test
  void regions_thatLeaveAHoleOrOverlapOrEnd_areFound() {
    table.addRegion("", "05", List.of());
    table.addRegion("06", "09", List.of());
    table.addRegion("08", "", List.of());
    table.addRegion("10", "11", List.of());

    assertEquals(
        List.of(
            "region 06..09 does not begin where the one before ends: 05",
            "region 08.. does not begin where the one before ends: 09",
            "region 10..11 comes after the last one",
            "no region follows 11"),
        table.violations());
  }
}
