package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Layouts that differ from others of the list in one thing, whichever can be declared: no two are
 * equal. Random layouts mostly differ in many things at once.
 */
class LayoutEqualityTest {
  private static final List<String> LAYOUTS =
      List.of(
          "a{id:word}",
          "b{id:word}",
          "{id:word}",
          "{key:word}",
          "{id:text}",
          "{id:text descending}",
          "{id:word(9)}",
          "{id:word(9) reversed}",
          "{id:word(2..9)}",
          "{id:word(2..8)}",
          "{id:bytes(9)}",
          "{id:hex(9)}",
          "{id:HEX(9)}",
          "{id:digits(9)}",
          "{id:digits(9) descending from 99}",
          "{id:digits(9) descending from 98}",
          "{id:uint16}",
          "{id:uint16 descending}",
          "{id:int16}",
          "{id:text with length uint8}",
          "{id:text(1..255) with length uint8}",
          "{id:text with length uint16}",
          "{id:text with length uint16 plus 1}",
          "{id:text with length uint16 plus 2}",
          "{id:word}/{n:uint8}",
          "{id:word}/{n:uint8 optional}",
          "{n:uint8}{id:word}",
          "{s:uint8=md5(n)}{id:word}/{n:uint8}",
          "{s:uint8=md5(id)}{id:word}/{n:uint8}",
          "{s:uint8=md5(*)}{id:word}/{n:uint8}",
          "{s:uint8=md5(id,n)}{id:word}/{n:uint8}",
          "{s:uint8=md5(n,id)}{id:word}/{n:uint8}",
          "{s:uint8=md5(n as decimal)}{id:word}/{n:uint8}",
          "{s:uint8=md5(n as long)}{id:word}/{n:uint8}",
          "{s:uint8=md5(first 4 of id)}{id:word}/{n:uint8}",
          "{s:uint8=md5(first 5 of id)}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id)}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id)%16}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id)%17}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id) masked%17}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id) floor%17}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id)/100000000}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id)/100000001}{id:word}/{n:uint8}",
          "{s:uint8=n%17}{id:word}/{n:uint8}",
          "{s:uint8=any of 17}{id:word}/{n:uint8}",
          "{s:uint8=any of 16}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id)%16+crc32(n)%4}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id)%16+crc32(n)%5}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id)%16+any of 5}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id)%16,20 from n=5}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id)%16,21 from n=5}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id)%16,20 from n=6}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id)%16,20 from n=5,21 from n=6}{id:word}/{n:uint8}",
          "{s:uint8=crc32(id)%16,20 from n=5}{id:word}/{n:uint8}/{m:uint8}",
          "{s:uint8=crc32(id)%16,20 from m=5}{id:word}/{n:uint8}/{m:uint8}");

  private static List<RowkeyLayout> layouts() {
    List<RowkeyLayout> layouts =
        new ArrayList<>(LAYOUTS.stream().map(RowkeyLayout::parse).toList());
    layouts.add(RowkeyLayout.parse("{id:word}").withMaxRowLength(100));
    return layouts;
  }

  @Test
  void equals_layoutsThatDifferInOneThing_onlyWithItself() {
    List<RowkeyLayout> layouts = layouts();
    List<RowkeyLayout> again = layouts();
    for (int i = 0; i < layouts.size(); i++) {
      RowkeyLayout layout = layouts.get(i);
      assertNotEquals(layout, (Object) layout.toString());
      SegmentType type = layout.segments().get(0).type();
      assertNotEquals(type, (Object) type.toString());
      for (int j = 0; j < layouts.size(); j++) {
        if (i == j) {
          assertEquals(layout, again.get(j));
        } else {
          assertNotEquals(layout, again.get(j));
        }
        assertEquals(
            layout.parts().equals(again.get(j).parts()),
            layout.toString().equals(again.get(j).toString()),
            () -> "the canonical text of " + layout);
      }
    }
  }

  /** A set or a map of layouts, of groups or of buckets is no list in disguise. */
  @Test
  void hashCode_layoutsThatDifferInOneThing_isAnotherAndThatOfEqualOnes() {
    Set<Integer> hashes = new HashSet<>();
    for (String layout : LAYOUTS) {
      hashes.add(RowkeyLayout.parse(layout).hashCode());
      assertEquals(
          RowkeyLayout.parse(layout).hashCode(), RowkeyLayout.parse(layout).hashCode(), layout);
    }
    assertEquals(LAYOUTS.size(), hashes.size());
  }

  @Test
  void equals_groupsOfTwoLayouts_whenLayoutAndSegmentAre() {
    List<EntityGroup> groups = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      RowkeyLayout layout = RowkeyLayout.parse("{id:word}/{n:uint8}");
      groups.add(EntityGroup.of(layout, "id"));
      groups.add(EntityGroup.of(layout, "n"));
      groups.add(EntityGroup.of(layout, null));
      groups.add(EntityGroup.of(layout.withMaxRowLength(100), "id"));
    }
    Set<Integer> hashes = new HashSet<>();
    for (int i = 0; i < groups.size(); i++) {
      hashes.add(groups.get(i).hashCode());
      for (int j = 0; j < groups.size(); j++) {
        assertEquals(i % 4 == j % 4, groups.get(i).equals(groups.get(j)), i + " and " + j);
      }
    }
    // The longest row is no part of a layout's hash.
    assertEquals(3, hashes.size());
  }
}
