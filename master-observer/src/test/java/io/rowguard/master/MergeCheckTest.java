package io.rowguard.master;

import static io.rowguard.master.RelayoutDescriptors.ORDERS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The boundaries that a merge would take away though the table wants them. */
class MergeCheckTest {

  /**
   * @param keys all boundaries of the table
   * @param from the first region that is merged, by number
   * @param to the last one
   * @param lost the boundaries that are missed, or none
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        // Between salts, whatever the order of the regions; inside of a salt nothing is lost.
        "{s:digits(2)=murmur3(u)%16}-{u:word}; 04 08 12; 1; 2; 08",
        "{s:digits(2)=murmur3(u)%16}-{u:word}; 04 08 12; 0; 3; 04 08 12",
        "{s:digits(2)=murmur3(u)%16}-{u:word}; 04 04-m 08; 1; 2; none",
        "{s:digits(2)=murmur3(u)%16}-{u:word}; 04 04-m 08; 1; 3; 08",
        // Regions that no row can reach: above the last salt, below the first one, between digits.
        "{s:digits(2)=murmur3(u)%16}-{u:word}; 08 16 17 40; 2; 4; none",
        "{s:digits(2)=murmur3(u)%16}-{u:word}; 08 16 17 40; 1; 4; none",
        "{s:digits(2)=murmur3(u)%16}-{u:word}; 08 16 17 40; 0; 4; 08",
        "{s:digits(2)=murmur3(u)%16}-{u:word}; 00 08; 0; 1; none",
        "{s:hex(1)=md5(u)}-{u:word}; 9 9: a; 1; 2; none",
        "{s:hex(1)=md5(u)}-{u:word}; 9 9: a; 2; 3; none",
        "{s:hex(1)=md5(u)}-{u:word}; 9 9: a; 1; 3; a",
        // An even division of keys without a salt, also when there are other boundaries by now.
        "{id:hex(8)}; 4 8 c; 0; 1; 4",
        "{id:hex(8)}; 2 4 8 c; 1; 2; 4",
        "{id:hex(8)}; 2 4 8 c; 0; 1; none",
        "{id:hex(8)}; 1 9; 0; 1; none",
        "{id:hex(8)}; 8 9; 1; 2; none",
        "{id:hex(8)}; 8 9; 0; 2; 8",
        // A segment without a fixed width cannot be divided evenly.
        "{user:word}|{item:digits(4)}; f p; 0; 2; none",
        "{user:word}|{item:digits(4)}; 4 8 c; 0; 3; none"
      })
  void of_merge_namesWhatIsLost(String layout, String keys, int from, int to, String lost) {
    String[] all = keys.split(" ");
    RegionInfo[] merged = new RegionInfo[to - from + 1];
    for (int i = from; i <= to; i++) {
      merged[to - i] = region(i == 0 ? "" : all[i - 1], i == all.length ? "" : all[i]);
    }

    RuleViolation violation = MergeCheck.of(ORDERS, boundaries(layout), merged, bytes(all));

    if (lost.equals("none")) {
      assertNull(violation, () -> violation.message());
    } else {
      assertNotNull(violation);
      assertTrue(
          violation.message().contains(" boundaries=\"" + lost.replace(" ", "\", \"") + "\". "),
          violation.message());
    }
  }

  /** A table of as many regions is not divided anew for each number of them. */
  @Test
  void of_manyRegions_endsSoon() {
    String[] keys = new String[4095];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = String.format("%03x", i + 1);
    }

    RuleViolation violation =
        MergeCheck.of(
            ORDERS,
            boundaries("{id:hex(8)}"),
            new RegionInfo[] {region("7ff", "800"), region("800", "801")},
            bytes(keys));

    assertEquals(Rule.MERGE_UNDOES_PRESPLIT, violation.rule());
    assertTrue(violation.isRefusal());
  }

  @Test
  void isRepair_onlyOfRegionsThatOverlap() {
    RegionInfo parent = region("a", "c");
    RegionInfo[] daughters = {region("a", "b"), region("b", "c")};

    assertTrue(MergeCheck.isRepair(new RegionInfo[] {parent, daughters[0], daughters[1]}));
    assertFalse(MergeCheck.isRepair(daughters));
  }

  private static LayoutBoundaries boundaries(String layout) {
    return LayoutBoundaries.of(RowkeyLayout.parse(layout), null);
  }

  private static RegionInfo region(String start, String end) {
    return RegionInfoBuilder.newBuilder(ORDERS)
        .setStartKey(Bytes.toBytes(start))
        .setEndKey(Bytes.toBytes(end))
        .build();
  }

  private static List<byte[]> bytes(String... keys) {
    return new ArrayList<>(Arrays.stream(keys).map(Bytes::toBytes).toList());
  }
}
