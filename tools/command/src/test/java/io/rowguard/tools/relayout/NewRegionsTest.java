package io.rowguard.tools.relayout;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowkeyLayout;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class NewRegionsTest {
  private static final EntityGroup SALTED = EntityGroup.of(MovingTable.SIXTEEN, "user");
  private static final EntityGroup UNSALTED = EntityGroup.of(MovingTable.UNSALTED, "user");

  private static List<byte[]> keys(String... texts) {
    return Arrays.stream(texts).map(text -> text.getBytes(ISO_8859_1)).toList();
  }

  private static String text(List<byte[]> keys) {
    return String.join(" ", keys.stream().map(key -> new String(key, ISO_8859_1)).toList());
  }

  @Test
  void rounded_toWhatDividesTheBuckets() {
    assertEquals(4, NewRegions.rounded(SALTED, 3));
    assertEquals(8, NewRegions.rounded(SALTED, 5));
    assertEquals(16, NewRegions.rounded(SALTED, 16));
    assertEquals(32, NewRegions.rounded(SALTED, 17));
    assertEquals(5, NewRegions.rounded(UNSALTED, 5));
    EntityGroup prime =
        EntityGroup.of(RowkeyLayout.parse("{s:digits(3)=murmur3(user)%101}-{user:word}"), null);
    assertEquals(5, NewRegions.rounded(prime, 5));
  }

  @Test
  void boundaries_ofASaltedLayout_areEven() {
    assertEquals("04 08 12", text(NewRegions.boundaries(SALTED, 4, List.of())));
    assertEquals("", text(NewRegions.boundaries(SALTED, 1, List.of())));
    assertEquals(
        15, NewRegions.boundaries(SALTED, 64, List.of()).size(), "as many as there are salts");
  }

  @Test
  void boundaries_ofALayoutWithoutFixedBeginning_divideTheSample() {
    List<byte[]> sample = keys("a|0001", "b|0001", "m|0001", "z|0001");
    assertEquals("b c n", text(NewRegions.boundaries(UNSALTED, 4, sample)));
    assertEquals("", text(NewRegions.boundaries(UNSALTED, 4, List.of())));
  }

  @Test
  void missing_leavesOutWhatIsThereInEffect() {
    assertEquals("04", text(NewRegions.missing(SALTED, keys("04", "08"), keys("", "08"))));
    assertEquals("", text(NewRegions.missing(SALTED, keys("1"), keys("10"))));
    assertEquals("", text(NewRegions.missing(SALTED, keys("10"), keys("1"))));
    assertEquals("10", text(NewRegions.missing(SALTED, keys("10"), keys("09", "11"))));
  }

  @Test
  void middleInside_isNeitherBound() {
    List<byte[]> all = keys("02", "04", "06", "08");
    assertEquals(
        "06", text(List.of(NewRegions.middleInside(all, keys("").get(0), keys("").get(0)))));
    assertEquals(
        "06", text(List.of(NewRegions.middleInside(all, keys("02").get(0), keys("08").get(0)))));
    assertNull(NewRegions.middleInside(all, keys("04").get(0), keys("06").get(0)));
  }
}
