package io.rowguard.master;

import static io.rowguard.master.DeclaredTable.SALTED;
import static io.rowguard.master.RefusedOperations.assertRefused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The steps of more buckets that a table with data takes. */
@ExtendWith(MiniCluster.class)
class AlterStepsIT {
  private final HBaseTestingUtility hbase;
  private final RuleCounters counters = new RuleCounters();

  AlterStepsIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** A layout, the same with steps, a row below them, and one above that has another place. */
  static Stream<Arguments> steps() {
    String salted = "{salt:digits(2)=murmur3(*)%16}-";
    return Stream.of(
        Arguments.of(salted + "{day:digits(2)}/{id:word}", ",64 from day=50", "49/a", "50/a"),
        Arguments.of("x" + salted + "{day:digits(2)}{id:word}", ",64 from day=50", "x49a", "x50a"),
        Arguments.of(
            salted + "{n:uint8 descending}{id:word}", ",64 from n=200", "\\x38a", "\\x37a"),
        Arguments.of(
            "{salt:digits(2)=murmur3(*)%16,20 from day=10}-{day:digits(2)}/{id:word}",
            ",64 from day=50", "49/a", "50/a"),
        // not in front: all rows are read
        Arguments.of(salted + "{id:word}/{day:digits(2)}", ",64 from day=50", "a/49", "a/50"),
        Arguments.of(salted + "{n:digits(2) reversed}", ",64 from n=50", "94", "05"));
  }

  @ParameterizedTest
  @MethodSource("steps")
  void alter_stepAboveAllRows_isTaken(String layout, String step, String below, String above)
      throws IOException {
    String stepped = layout.replace("}-", step + "}-");
    String belowAsStored = row(layout, below);
    String aboveAsStored = row(stepped, above);
    assertNotEquals(row(layout, above), aboveAsStored);
    String before = layout.substring(0, layout.indexOf('{'));
    try (DeclaredTable table =
        DeclaredTable.of(hbase, "rowguard.layout", layout)
            .withSplits(before + "04", before + "1")
            .create()) {
      table.put(belowAsStored);
      table.flush();

      table.alter("rowguard.layout", stepped);

      assertEquals(stepped, table.value("rowguard.layout"));
      assertEquals("2", table.value("rowguard.layout.version"));
      table.put(belowAsStored, aboveAsStored);
      assertRefused(() -> table.put(row(layout, above)), "segment=salt");
      assertEquals(Map.of("warned_steps_added", 1L), counters.moved());
    }
  }

  @ParameterizedTest
  @MethodSource("steps")
  void alter_stepBelowARow_isRefused(String layout, String step, String below, String above)
      throws IOException {
    String stepped = layout.replace("}-", step + "}-");
    String before = layout.substring(0, layout.indexOf('{'));
    try (DeclaredTable table =
        DeclaredTable.of(hbase, "rowguard.layout", layout)
            .withSplits(before + "04", before + "1")
            .create()) {
      table.put(row(layout, below), row(layout, above));

      assertRefused(
          () -> table.alter("rowguard.layout", stepped),
          "rule=layout_changed",
          " moving=\"row " + row(layout, above) + "\". A step that is added has to be above",
          "rowguard relayout plan " + table.name + " --to '" + stepped + "'");

      assertEquals(layout, table.value("rowguard.layout"));
      assertNull(table.value("rowguard.layout.version"));
      assertEquals(Map.of("refused_layout_changed", 1L), counters.moved());
    }
  }

  private static String row(String layout, String bareKey) {
    return Bytes.toStringBinary(RowkeyLayout.parse(layout).complete(Bytes.toBytesBinary(bareKey)));
  }

  @Test
  void alter_stepOfATableThatCannotBeRead_isRefused() throws IOException {
    try (DeclaredTable table = DeclaredTable.of(hbase, "rowguard.layout", SALTED).create()) {
      table.put("13-alice|0001");
      table.admin().disableTable(table.name);
      String stepped = SALTED.replace("%16", "%16,64 from item=5000");

      assertRefused(
          () -> table.alter("rowguard.layout", stepped),
          "moving=\"unknown, since not all regions are open\"");
      table.admin().enableTable(table.name);
      table.alter("rowguard.layout", stepped);
    }
  }

  /** A reader of rows does not look at the group. */
  @Test
  void alter_stepTogetherWithTheGroup_isRefused() throws IOException {
    try (DeclaredTable table = DeclaredTable.salted(hbase).create()) {
      table.put("13-alice|0001");

      assertRefused(
          () ->
              table.alter(
                  "rowguard.layout",
                  SALTED.replace("%16", "%16,64 from item=5000"),
                  "rowguard.group",
                  null),
          "data=\"row 13-alice|0001 in memory\". Set rowguard.mode=warn");
    }
  }
}
