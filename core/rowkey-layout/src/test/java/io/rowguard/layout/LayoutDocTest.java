package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Executes {@code docs/layout.md}: every example, and the tables that say something checkable. */
class LayoutDocTest {
  private static final Path PAGE = Path.of("../..", "docs", "layout.md");
  private static final int FEWEST_REFUSED = 16;

  private final List<String> lines = Files.readAllLines(PAGE, StandardCharsets.UTF_8);
  private final List<DocBlock> examples = DocBlock.read(lines, "layout-example");
  private final List<String[]> refused = table("layout", "column", "found", "expected", "why");

  LayoutDocTest() throws IOException {}

  @TestFactory
  Stream<DynamicTest> example_asThePageSays() {
    return examples.stream().map(block -> DynamicTest.dynamicTest(block.name(), () -> run(block)));
  }

  @TestFactory
  Stream<DynamicTest> refusedLayout_failsWhereThePageSays() {
    assertTrue(refused.size() >= FEWEST_REFUSED, "" + refused.size());
    return refused.stream().map(row -> DynamicTest.dynamicTest(row[0], () -> runRefused(row)));
  }

  @Test
  void types_eachIsShownByARow() {
    Set<SegmentType.Kind> shown = EnumSet.noneOf(SegmentType.Kind.class);
    for (DocBlock block : examples) {
      if (!block.all("row").isEmpty() || !block.all("conforms").isEmpty()) {
        for (Segment segment : RowkeyLayout.parse(block.one("layout")).segments()) {
          shown.add(segment.type().kind());
        }
      }
    }
    assertEquals(EnumSet.allOf(SegmentType.Kind.class), shown);
  }

  @Test
  void verdicts_tableHasEveryCodeAndItsDescription() {
    Map<String, String> table = new LinkedHashMap<>();
    table("code", "meaning").forEach(row -> table.put(unquoted(row[0]), row[1]));
    Map<String, String> code = new LinkedHashMap<>();
    for (Verdict verdict : Verdict.values()) {
      code.put(verdict.name(), verdict.description());
    }
    assertEquals(code, table);
  }

  /** All but TOO_LONG, whose row would fill the page. */
  @Test
  void verdicts_eachIsShownByARow() {
    Set<Verdict> shown = EnumSet.of(Verdict.CONFORMS, Verdict.TOO_LONG);
    for (DocBlock block : examples) {
      for (String[] line : block.pairs("refused")) {
        shown.add(Verdict.valueOf(line[1].substring(0, line[1].indexOf(' '))));
      }
    }
    assertEquals(EnumSet.allOf(Verdict.class), shown);
  }

  @Test
  void hashTable_asComputed() {
    List<String[]> table = table("`% b`", "mean", "`java31`", "`murmur3`");
    assertTrue(table.size() >= 5, "" + table.size());
    for (String[] row : table) {
      int buckets = Integer.parseInt(row[0]);
      assertEquals(Math.round(10_000.0 / buckets), Long.parseLong(row[1]));
      assertEquals(spread(Hash.JAVA31, buckets), row[2], "java31 % " + buckets);
      assertEquals(spread(Hash.MURMUR3, buckets), row[3], "murmur3 % " + buckets);
    }
    assertEquals(21, Arrays.stream(counts(Hash.JAVA31, 31)).filter(rows -> rows == 0).count());
  }

  private static void run(DocBlock block) {
    block.allow(
        "layout use group unambiguous value derived row bare group-end refused legal illegal"
            + " conforms suggestion message floor ceiling successor evenly reachable unreachable");
    RowkeyLayout layout = RowkeyLayout.parse(block.one("layout"));
    assertEquals(layout, RowkeyLayout.parse(layout.toString()));
    if (!block.optional("unambiguous").isEmpty()) {
      assertEquals(block.one("unambiguous").equals("yes"), layout.isUnambiguous());
    }
    String groupName = block.optional("group");
    EntityGroup group = EntityGroup.of(layout, groupName.isEmpty() ? null : groupName);
    if (!block.all("row").isEmpty()) {
      runRow(block, layout, group);
    }
    for (String row : block.all("conforms")) {
      assertEquals(Verdict.CONFORMS, layout.check(DocBlock.bytes(row)), row);
    }
    runRefusals(block, layout);
    runBoundaries(block, LayoutBoundaries.of(group));
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
      String[] ends = (" " + line + " ").split(" \\.\\. ", -1);
      byte[] start = DocBlock.bytes(ends[0].trim());
      byte[] end = DocBlock.bytes(ends[1].trim());
      assertEquals(expected, boundaries.isReachable(start, end), line);
    }
  }

  private static void runRefused(String[] row) {
    LayoutSyntaxException e =
        assertThrows(LayoutSyntaxException.class, () -> RowkeyLayout.parse(unquoted(row[0])));
    assertEquals(Integer.parseInt(row[1]), e.column());
    assertEquals(row[2], e.found());
    assertEquals(unquoted(row[3]), e.expected());
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

  private static int[] counts(Hash hash, int buckets) {
    int[] rows = new int[buckets];
    IntStream.range(0, 10_000)
        .mapToObj(id -> String.format(Locale.ROOT, "%08d", id).getBytes(StandardCharsets.US_ASCII))
        .forEach(id -> rows[hash.bucket(id, 0, id.length, buckets)]++);
    return rows;
  }

  private static String spread(Hash hash, int buckets) {
    int[] rows = counts(hash, buckets);
    Arrays.sort(rows);
    return rows[0] + " / " + rows[rows.length - 1];
  }

  /** The cells below the one table whose header cells begin with these words. */
  private List<String[]> table(String... header) {
    List<String[]> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : lines) {
      String[] cells = line.startsWith("|") ? cells(line) : new String[0];
      if (inside && cells.length == 0) {
        return rows;
      }
      if (inside && !cells[0].startsWith("---")) {
        rows.add(cells);
      }
      inside |= beginsWith(cells, header);
    }
    throw new AssertionError("The page has no table " + Arrays.toString(header));
  }

  private static boolean beginsWith(String[] cells, String[] header) {
    return cells.length == header.length
        && IntStream.range(0, header.length).allMatch(i -> cells[i].startsWith(header[i]));
  }

  private static String[] cells(String line) {
    String[] cells = line.substring(1, line.lastIndexOf('|')).split("\\|", -1);
    return Arrays.stream(cells).map(String::trim).toArray(String[]::new);
  }

  private static String unquoted(String cell) {
    return cell.replace("`", "");
  }

  /** One fenced block of the page: {@code key: value} lines. */
  private static final class DocBlock {
    private final int line;
    private final Map<String, List<String>> entries = new LinkedHashMap<>();

    private DocBlock(int line) {
      this.line = line;
    }

    static List<DocBlock> read(List<String> lines, String kind) {
      List<DocBlock> blocks = new ArrayList<>();
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).equals("```" + kind)) {
          DocBlock block = new DocBlock(i + 1);
          String entry = "";
          while (!lines.get(++i).equals("```")) {
            boolean more = lines.get(i).startsWith("  ");
            block.add(more ? "" : entry);
            entry = more ? entry + " " + lines.get(i).trim() : lines.get(i);
          }
          block.add(entry);
          blocks.add(block);
        }
      }
      assertTrue(!blocks.isEmpty(), "The page has no " + kind);
      return blocks;
    }

    private void add(String entry) {
      if (!entry.isEmpty()) {
        int colon = entry.indexOf(": ");
        assertTrue(colon > 0, "not `key: value`: " + entry);
        entries
            .computeIfAbsent(entry.substring(0, colon), key -> new ArrayList<>())
            .add(entry.substring(colon + 2));
      }
    }

    String name() {
      return "line " + line + " " + optional("use") + " " + optional("layout");
    }

    void allow(String keys) {
      Set<String> unknown = new TreeSet<>(entries.keySet());
      unknown.removeAll(Set.of(keys.split(" ", -1)));
      assertTrue(unknown.isEmpty(), "unknown keys " + unknown);
    }

    List<String> all(String key) {
      return entries.getOrDefault(key, List.of());
    }

    String one(String key) {
      assertEquals(1, all(key).size(), "lines with " + key);
      return all(key).get(0);
    }

    String optional(String key) {
      return all(key).isEmpty() ? "" : one(key);
    }

    /** What stands on both sides of the arrow. */
    List<String[]> pairs(String key) {
      List<String[]> pairs = new ArrayList<>();
      for (String entry : all(key)) {
        int arrow = entry.indexOf(" -> ");
        assertTrue(arrow >= 0, "no arrow: " + entry);
        pairs.add(new String[] {entry.substring(0, arrow), entry.substring(arrow + 4)});
      }
      return pairs;
    }

    /** NAME = VALUE lines, each value in the class that the segment's type has. */
    Map<String, Object> values(String key, RowkeyLayout layout) {
      Map<String, Object> values = new LinkedHashMap<>();
      for (String entry : all(key)) {
        String[] pair = entry.split(" = ", 2);
        SegmentType.Kind kind = layout.segment(pair[0]).type().kind();
        Object value = pair[1];
        if (kind.canDescend()) {
          value = Long.valueOf(pair[1]);
        } else if (kind == SegmentType.Kind.BYTES) {
          value = bytes(pair[1]);
        }
        values.put(pair[0], value);
      }
      return values;
    }

    /** The inverse of {@link RowText#toStringBinary(byte[])}. */
    static byte[] bytes(String text) {
      byte[] bytes = new byte[text.length()];
      int length = 0;
      for (int i = 0; i < text.length(); i++) {
        if (text.startsWith("\\x", i)) {
          bytes[length++] = (byte) Integer.parseInt(text.substring(i + 2, i + 4), 16);
          i += 3;
        } else {
          bytes[length++] = (byte) text.charAt(i);
        }
      }
      return Arrays.copyOf(bytes, length);
    }
  }
}
