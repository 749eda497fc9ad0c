package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Executes an example of a layout: a block {@code layout-example} of a page that {@link
 * LayoutDocTest} names, or the same form in the comments of rowkey-layout. One {@code key: value}
 * per line; a line that begins with two blanks goes on with the one before. Keys and rows are
 * written as HBase's {@code Bytes.toStringBinary} writes them.
 *
 * <pre>
 *   layout        the layout (required)
 *   group         the group segment; without the line every row is its own group
 *   unambiguous   yes or no
 *   value         NAME = VALUE of a plain segment, in the order of the row; numbers in decimal
 *   derived       NAME = VALUE of a derived segment, as decoding gives it
 *   row           the row that these values give, and that gives these values back
 *   bare          its bare key
 *   group-end     how many of its bytes make up its group
 *   refused       ROW -&gt; CODE at OFFSET of the first wrong byte
 *   legal         a legal boundary
 *   illegal       KEY -&gt; OFFSET REASON
 *   conforms      another row that conforms
 *   suggestion    ROW -&gt; the row that a refusal of ROW proposes, or none
 *   message       ROW -&gt; the whole message of a refusal
 *   floor, ceiling, successor   KEY -&gt; KEY, or none
 *   evenly        N -&gt; the boundaries, separated by blanks
 *   reachable, unreachable      START .. END, either may be empty
 *   salted        START .. END of bare keys -&gt; the ranges of their salted rows, one per bucket
 *   added         LAYOUT that lacks steps of this one -&gt; the ranges of rows that may move
 *   prefix        PREFIX -&gt; the segments that it holds bytes of, or none
 *   (layout, group, unambiguous, row, bare and group-end come once at most, the others as often as one likes)
 * </pre>
 */
final class LayoutExample {
  private LayoutExample() {}

  static void run(DocBlock block) {
    block.allow(
        "layout group unambiguous value derived row bare group-end refused legal illegal"
            + " conforms suggestion message floor ceiling successor evenly reachable unreachable"
            + " salted added prefix");
    RowkeyLayout layout = RowkeyLayout.parse(block.one("layout"));
    assertEquals(layout, RowkeyLayout.parse(layout.toString()));
    if (!block.optional("unambiguous").isEmpty()) {
      assertEquals(block.one("unambiguous").equals("yes"), layout.isUnambiguous());
    }
    String groupName = block.optional("group");
    EntityGroup group = EntityGroup.of(layout, groupName.isEmpty() ? null : groupName);
    if (!block.all("row").isEmpty()) {
      runRow(block, layout, group);
    } else {
      for (String key : List.of("value", "derived", "bare", "group-end")) {
        assertEquals(List.of(), block.all(key), key + " says something of a row that is not there");
      }
    }
    for (String row : block.all("conforms")) {
      assertEquals(Verdict.CONFORMS, layout.check(DocBlock.bytes(row)), row);
    }
    runRefusals(block, layout);
    runBoundaries(block, LayoutBoundaries.of(group));
    runSaltedRanges(block, SaltBuckets.of(layout));
    for (String[] line : block.pairs("prefix")) {
      List<PrefixSegment> segments = layout.readPrefix(DocBlock.bytes(line[0]));
      String read = segments == null ? "none" : words(segments);
      assertEquals(line[1], read, "prefix " + line[0]);
    }
  }

  private static void runSaltedRanges(DocBlock block, SaltBuckets buckets) {
    for (String[] line : block.pairs("salted")) {
      byte[][] ends = ends(line[0]);
      KeyRange range = KeyRange.of(ends[0], true, ends[1], false);
      Stream<KeyRange> salted = buckets.of(range).stream().map(bucket -> bucket.salted(range));
      assertEquals(line[1], words(salted), "salted " + line[0]);
    }
    for (String[] line : block.pairs("added")) {
      AddedSteps added = AddedSteps.of(RowkeyLayout.parse(line[0]), buckets.layout());
      assertEquals(line[1], words(added.rows().stream()), "added to " + line[0]);
    }
  }

  private static String words(Stream<KeyRange> ranges) {
    return ranges
        .map(each -> shown(each.lower()) + " .. " + shown(each.upper()))
        .collect(Collectors.joining(", "));
  }

  private static String words(List<PrefixSegment> segments) {
    return segments.stream().map(PrefixSegment::toString).collect(Collectors.joining(" "));
  }

  private static void runRow(DocBlock block, RowkeyLayout layout, EntityGroup group) {
    byte[] row = DocBlock.bytes(block.one("row"));
    assertEquals(block.one("row"), RowText.toStringBinary(row), "written as HBase writes bytes");
    assertEquals(Verdict.CONFORMS, layout.check(row));
    Map<String, Object> plain = block.values("value", layout);
    assertEquals(block.one("row"), RowText.toStringBinary(layout.encode(plain)));
    Map<String, String> decoded = shown(layout.decode(row));
    Map<String, String> expected = shown(block.values("derived", layout));
    expected.putAll(shown(plain));
    assertEquals(expected, decoded);
    byte[] bare = DocBlock.bytes(block.one("bare"));
    assertEquals(block.one("bare"), RowText.toStringBinary(layout.strip(row)));
    assertArrayEquals(row, layout.complete(bare));
    if (!block.optional("group-end").isEmpty()) {
      assertEquals(Integer.parseInt(block.one("group-end")), group.end(row, 0, row.length));
    }
  }

  private static void runRefusals(DocBlock block, RowkeyLayout layout) {
    for (String[] line : block.pairs("refused")) {
      Explanation explanation = layout.explain(DocBlock.bytes(line[0]));
      assertEquals(line[1], explanation.verdict() + " at " + explanation.offset(), line[0]);
      assertEquals(explanation.verdict(), layout.check(DocBlock.bytes(line[0])));
    }
    for (String[] line : block.pairs("suggestion")) {
      assertEquals(line[1], shown(layout.explain(DocBlock.bytes(line[0])).suggestion()), line[0]);
    }
    for (String[] line : block.pairs("message")) {
      assertEquals(line[1], layout.explain(DocBlock.bytes(line[0])).message(""));
    }
  }

  private static void runBoundaries(DocBlock block, LayoutBoundaries boundaries) {
    for (String key : block.all("legal")) {
      assertTrue(boundaries.isLegal(DocBlock.bytes(key)), key);
      assertEquals("a legal boundary", boundaries.judge(DocBlock.bytes(key)).toString(), key);
    }
    for (String[] line : block.pairs("illegal")) {
      Legality legality = boundaries.judge(DocBlock.bytes(line[0]));
      assertEquals(line[1], legality.offset() + " " + legality.reason(), line[0]);
    }
    runSearch(block, "floor", boundaries::floor);
    runSearch(block, "ceiling", boundaries::ceiling);
    runSearch(block, "successor", boundaries::successor);
    for (String[] line : block.pairs("evenly")) {
      List<String> keys =
          boundaries.evenly(Integer.parseInt(line[0])).stream()
              .map(RowText::toStringBinary)
              .toList();
      assertEquals(line[1], String.join(" ", keys));
    }
    runReachable(block, "reachable", boundaries, true);
    runReachable(block, "unreachable", boundaries, false);
  }

  private static void runSearch(DocBlock block, String key, UnaryOperator<byte[]> search) {
    for (String[] line : block.pairs(key)) {
      assertEquals(line[1], shown(search.apply(DocBlock.bytes(line[0]))), key + " of " + line[0]);
    }
  }

  private static void runReachable(
      DocBlock block, String key, LayoutBoundaries boundaries, boolean expected) {
    for (String line : block.all(key)) {
      byte[][] ends = ends(line);
      assertEquals(expected, boundaries.isReachable(ends[0], ends[1]), line);
    }
  }

  /** Start and end on both sides of two dots; either may be empty. */
  private static byte[][] ends(String line) {
    String[] ends = (" " + line + " ").split(" \\.\\. ", -1);
    return new byte[][] {DocBlock.bytes(ends[0].trim()), DocBlock.bytes(ends[1].trim())};
  }

  private static Map<String, String> shown(Map<String, Object> values) {
    Map<String, String> shown = new LinkedHashMap<>();
    values.forEach(
        (name, value) ->
            shown.put(name, value instanceof byte[] bytes ? shown(bytes) : String.valueOf(value)));
    return shown;
  }

  private static String shown(byte[] key) {
    return key == null ? "none" : RowText.toStringBinary(key);
  }
}
