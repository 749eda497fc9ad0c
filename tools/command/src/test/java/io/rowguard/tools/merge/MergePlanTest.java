package io.rowguard.tools.merge;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.PresplitBoundaries;
import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class MergePlanTest {
  private static final RowkeyLayout SALTED =
      RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%4}-{user:word}|{n:digits(2)}");
  private static final RowkeyLayout TIMES = RowkeyLayout.parse("{day:text}|{id:text}");

  /** Regions by start key, MiB and whether they are empty: {@code 00:5 01:0e}. */
  private static String plan(RowkeyLayout layout, long smallerThanMegabytes, String regions) {
    List<MergeRegion> all = new ArrayList<>();
    String[] texts = regions.split(" ", -1);
    for (int i = 0; i < texts.length; i++) {
      String[] text = texts[i].split(":", -1);
      String end = i + 1 < texts.length ? texts[i + 1].split(":", -1)[0] : "";
      boolean isEmpty = text[1].endsWith("e");
      long bytes = Long.parseLong(text[1].replace("e", "")) << 20;
      all.add(
          new MergeRegion(
              text[0], text[0].getBytes(ISO_8859_1), end.getBytes(ISO_8859_1), bytes, isEmpty));
    }
    List<byte[]> splitKeys = all.stream().skip(1).map(MergeRegion::start).toList();
    return MergePlan.of(
            all,
            PresplitBoundaries.of(LayoutBoundaries.of(layout, null), splitKeys),
            smallerThanMegabytes << 20)
        .stream()
        .map(group -> String.join("+", group.stream().map(MergeRegion::name).toList()))
        .toList()
        .toString();
  }

  @Test
  void empty_betweenSalts_stay() {
    assertEquals("[]", plan(SALTED, 0, ":0e 01:0e 02:0e 03:0e"));
  }

  @Test
  void empty_ofSaltsThatAreNoMore_goToTheLast() {
    assertEquals("[03+04+05+x]", plan(SALTED, 0, ":1 01:1 02:1 03:1 04:0e 05:0e x:0e"));
  }

  @Test
  void empty_insideASalt_becomeOneWithOneThatIsNot() {
    assertEquals("[01+01-d+01-k]", plan(SALTED, 0, ":1 01:5 01-d:0e 01-k:0e 01-p:3 02:1 03:0e"));
  }

  @Test
  void empty_thatTheTtlHasLeft_becomeOne() {
    assertEquals("[+2024+2025]", plan(TIMES, 0, ":0e 2024:0e 2025:7 2026:9"));
  }

  @Test
  void smaller_becomeOneAsLongAsTheyAreSmall() {
    assertEquals("[+b+c, e+f]", plan(TIMES, 10, ":3 b:3 c:3 d:9 e:4 f:5 g:20 h:20"));
  }

  @Test
  void smaller_betweenSalts_stay() {
    assertEquals("[01+01-m]", plan(SALTED, 10, ":1 01:1 01-m:1 02:1 03:1"));
  }

  @Test
  void evenPresplit_ofHexIds_stays() {
    RowkeyLayout hex = RowkeyLayout.parse("{id:hex(8)}");
    assertEquals("[]", plan(hex, 0, ":0e 4:0e 8:0e c:0e"));
    assertEquals("[4+5]", plan(hex, 0, ":0e 4:0e 5:0e 8:0e c:0e"));
  }

  @Test
  void moreThanHBaseShouldCloseAtOnce_isLeftToTheNextRound() {
    StringBuilder regions = new StringBuilder(":0e");
    for (int i = 10; i < 80; i++) {
      regions.append(" d").append(i).append(":0e");
    }
    String plan = plan(TIMES, 0, regions.toString());
    assertEquals(3, plan.split(",", -1).length, plan);
  }
}
