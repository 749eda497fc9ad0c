package io.rowguard.benchmarks.quality;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.workload.RowRange;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.junit.jupiter.api.Test;

/** The judgement of the benchmark. */
class TableRowsTest {
  private static final Grouping FIRST_BAR = new Grouping('|', 1);
  private static final int LARGE = 1_000_000;

  private static TableRows rows(int[] valueBytes, String... keys) {
    List<byte[]> bytes = Stream.of(keys).map(key -> key.getBytes(UTF_8)).toList();
    return new TableRows(bytes, valueBytes, FIRST_BAR);
  }

  @Test
  void bestCut_severalGroups_isTheMostEven() {
    TableRows rows = rows(new int[] {100, 200, 300, 500}, "a|1", "a|2", "b|1", "c|1");
    assertEquals(3, rows.bestCut(rows.all()));
  }

  @Test
  void bestCut_middleInsideGroup_isAtItsNearerEnd() {
    TableRows rows = rows(new int[] {0, LARGE, LARGE, 500}, "a|1", "b|1", "b|2", "c|1");
    assertEquals(3, rows.bestCut(rows.all()));
  }

  @Test
  void bestCut_oneGroup_isNone() {
    TableRows rows = rows(new int[3], "a|1", "a|2", "a|3");
    assertEquals(-1, rows.bestCut(rows.all()));
  }

  @Test
  void bestCut_rowsWithoutDelimiter_mayBeAnywhere() {
    TableRows rows = rows(new int[4], "a", "aa", "aaa", "aaaa");
    assertEquals(2, rows.bestCut(rows.all()));
    assertEquals(4, rows.groups(rows.all()));
  }

  @Test
  void in_boundsBetweenRows_areTheRowsBetween() {
    TableRows rows = rows(new int[4], "a|1", "b|1", "b|2", "c|1");
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
            .setStartKey("b|".getBytes(UTF_8))
            .setEndKey("b|2".getBytes(UTF_8))
            .build();
    assertEquals(new RowRange(1, 2), rows.in(region));
    assertTrue(rows.isInsideGroup(2));
    assertFalse(rows.isInsideGroup(1));
  }

  @Test
  void split_ofBestSplits_hasQualityOne() {
    TableRows rows = rows(new int[] {900, 100, 100, 100}, "a|1", "b|1", "b|2", "c|1");
    SplitResult best = BestSplits.of(rows, 300);
    assertEquals(List.of(1.0, 1.0), best.splits().stream().map(Split::quality).toList());
    assertEquals(1, best.whole().size());
    assertEquals(0, best.stuck().size() + best.groupCuts() + best.emptyDaughters());
  }

  @Test
  void result_splitsAtTheStartAndInsideAGroup_areCounted() {
    TableRows rows = rows(new int[4], "a|1", "b|1", "b|2", "c|1");
    RowRange all = rows.all();
    SplitResult bad =
        new SplitResult(
            rows,
            1,
            List.of(Split.of(rows, all, 0), Split.of(rows, all, 2)),
            Arrays.asList(new RowRange(0, 0), new RowRange(0, 2), new RowRange(2, 4)),
            List.of());
    assertEquals(1, bad.emptyDaughters());
    assertEquals(1, bad.groupCuts());
    assertEquals(2, bad.stuck().size());
    assertEquals(1.0, bad.stuckShareOfRows());
    assertEquals(0.0, bad.quality().at(0));
  }
}
