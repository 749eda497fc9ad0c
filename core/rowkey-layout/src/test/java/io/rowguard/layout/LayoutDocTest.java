package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Executes {@code docs/layout.md}, {@code docs/internals/layout.md} and {@code
 * docs/keys-of-other-systems.md}: every example, and the tables that say something checkable.
 */
class LayoutDocTest {
  private static final Path DOCS = Path.of("../..", "docs");
  private static final List<String> PAGES =
      List.of("layout.md", "internals/layout.md", "keys-of-other-systems.md");
  private static final int FEWEST_REFUSED = 16;

  private final List<String> lines = new ArrayList<>();
  private final List<DocBlock> examples = new ArrayList<>();
  private final List<String[]> refused;

  LayoutDocTest() throws IOException {
    for (String page : PAGES) {
      List<String> ofPage = Files.readAllLines(DOCS.resolve(page), StandardCharsets.UTF_8);
      List<DocBlock> found = DocBlock.read(ofPage, "```layout-example", "```");
      assertFalse(found.isEmpty(), page);
      lines.addAll(ofPage);
      examples.addAll(found);
    }
    refused = table("layout", "column", "found", "expected", "why");
  }

  @TestFactory
  Stream<DynamicTest> example_asThePageSays() {
    return examples.stream()
        .map(block -> DynamicTest.dynamicTest(block.name(), () -> LayoutExample.run(block)));
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
  void remainderTable_asComputed() {
    Map<String, String> table = new LinkedHashMap<>();
    table("word", "bucket of a 32-bit hash h", "of -7 in 10")
        .forEach(row -> table.put(unquoted(row[0]), row[2]));
    Map<String, String> code = new LinkedHashMap<>();
    for (Remainder remainder : Remainder.values()) {
      code.put(remainder.text(), Integer.toString(remainder.of(-7, 10)));
    }
    assertEquals(code, table);
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

  private static void runRefused(String[] row) {
    LayoutSyntaxException e =
        assertThrows(LayoutSyntaxException.class, () -> RowkeyLayout.parse(unquoted(row[0])));
    assertEquals(Integer.parseInt(row[1]), e.column());
    assertEquals(row[2], e.found());
    assertEquals(unquoted(row[3]), e.expected());
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
}
