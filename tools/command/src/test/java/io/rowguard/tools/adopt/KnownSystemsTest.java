package io.rowguard.tools.adopt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.Derivation;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import io.rowguard.layout.Verdict;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every system of {@code rowguard adopt}, with rows as it writes them: none is refused, each with
 * another salt is, and the numbers are found from the rows alone.
 */
class KnownSystemsTest {
  /** Rows that Phoenix itself wrote, of tables with salts and without. */
  private static final Path PHOENIX =
      Path.of("../../core/rowkey-layout/src/test/resources/io/rowguard/layout/phoenix-vectors.tsv");

  private static final Path PAGE = Path.of("../../docs/keys-of-other-systems.md");
  private static final String BEGIN = "<!-- from the data files: begin -->\n";
  private static final String END = "<!-- from the data files: end -->";

  /** Rows that classes of the systems themselves made, by testing/adopt-rows/run.sh. */
  private static final String OWN = "golden-rows-own.tsv";

  /** Rows computed from published sources, by golden-rows.py, where there is no jar. */
  private static final String COMPUTED = "golden-rows.tsv";

  /** Rows of one kind of table with the same numbers. */
  private record Golden(KnownTable table, Map<String, Integer> values, List<byte[]> rows) {
    RowkeyLayout layout() {
      return table.layout(values);
    }

    @Override
    public String toString() {
      return table.kind() + " " + values;
    }
  }

  static List<String> systems() {
    return KnownSystem.NAMES;
  }

  private static List<String> read(String file) throws IOException {
    try (InputStream in = KnownSystemsTest.class.getResourceAsStream(file)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** The kinds of tables of a system that a file has rows of. */
  private static Set<String> kinds(String file, KnownSystem system) throws IOException {
    return read(file).stream()
        .map(line -> line.split("\t", -1))
        .filter(cells -> cells[0].equals(system.name()))
        .map(cells -> cells[1])
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static List<Golden> golden(KnownSystem system) throws IOException {
    Map<String, List<String>> rows = new LinkedHashMap<>();
    List<String> lines = new ArrayList<>();
    lines.addAll(read(OWN));
    lines.addAll(read(COMPUTED));
    for (String line : Files.readAllLines(PHOENIX)) {
      String[] cells = line.split("\t", -1);
      int salt = cells.length == 4 ? cells[1].indexOf("java31(*)%") : -1;
      if (salt >= 0) {
        String buckets = cells[1].substring(salt + 10, cells[1].indexOf('}'));
        lines.add("phoenix\tsalted\tbuckets=" + buckets + "\t" + cells[3]);
      }
    }
    for (String line : lines) {
      String[] cells = line.split("\t", -1);
      if (cells[0].equals(system.name())) {
        rows.computeIfAbsent(cells[1] + "\t" + cells[2], key -> new ArrayList<>()).add(cells[3]);
      }
    }
    List<Golden> golden = new ArrayList<>();
    rows.forEach(
        (key, texts) -> {
          String[] cells = key.split("\t", -1);
          Map<String, Integer> values = new LinkedHashMap<>();
          for (String value : cells[1].isEmpty() ? new String[0] : cells[1].split(",", -1)) {
            values.put(value.split("=", -1)[0], Integer.valueOf(value.split("=", -1)[1]));
          }
          List<byte[]> bytes = texts.stream().map(RowText::toBytesBinary).toList();
          golden.add(new Golden(system.table(cells[0]), values, bytes));
        });
    return golden;
  }

  @ParameterizedTest
  @MethodSource("systems")
  void goldenRows_everyKind_noneIsRefused(String name) throws IOException {
    KnownSystem system = KnownSystem.of(name);
    Set<String> seen = new TreeSet<>();
    for (Golden each : golden(system)) {
      seen.add(each.table().kind());
      assertTrue(each.rows().size() >= 1, each::toString);
      for (byte[] row : each.rows()) {
        String message = each + " " + RowText.toStringBinary(row);
        assertEquals(Verdict.CONFORMS, each.layout().check(row), message);
        EntityGroup group = EntityGroup.of(each.layout(), each.table().group());
        int end = group.end(row, 0, row.length);
        assertTrue(end > 0, message);
        LayoutBoundaries boundaries = LayoutBoundaries.of(group);
        byte[] above = boundaries.successor(row);
        assertTrue(above == null || boundaries.isLegal(above), message);
      }
    }
    Set<String> judged =
        system.tables().stream()
            .filter(KnownTable::hasLayout)
            .map(KnownTable::kind)
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(judged, seen);
  }

  /** Each kind has rows from one place, and the data file says which. */
  @ParameterizedTest
  @MethodSource("systems")
  void rows_ofEachKind_areSaidToBeFromWhereTheyAre(String name) throws IOException {
    KnownSystem system = KnownSystem.of(name);
    Set<String> own = kinds(OWN, system);
    Set<String> computed = kinds(COMPUTED, system);
    for (KnownTable table : system.tables()) {
      if (table.hasLayout()) {
        boolean isOwn = own.contains(table.kind()) || name.equals("phoenix");
        assertEquals(isOwn, !computed.contains(table.kind()), table.kind());
        String rows = table.rows();
        assertEquals(isOwn, rows.startsWith("made by "), table.kind() + ": " + rows);
        assertEquals(!isOwn, rows.equals("computed from the sources"), table.kind() + ": " + rows);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("systems")
  void goldenRows_withAnyOtherSalt_areRefused(String name) throws IOException {
    for (Golden each : golden(KnownSystem.of(name))) {
      RowkeyLayout layout = each.layout();
      Segment salt = layout.segments().get(0);
      for (byte[] row : salt.isDerived() ? each.rows() : List.<byte[]>of()) {
        int right = salt.minLength() == 1 ? row[0] & 0xff : (row[0] & 0xff) << 8 | (row[1] & 0xff);
        Derivation derivation = salt.derivation();
        int planted = 0;
        for (int other = 0; other < (salt.minLength() == 1 ? 256 : 65536); other++) {
          boolean isAllowed = derivation.isAny() ? other < derivation.buckets() : other == right;
          byte[] wrong = row.clone();
          salt.write(other, wrong, 0);
          Verdict expected = isAllowed ? Verdict.CONFORMS : Verdict.WRONG_SALT;
          assertEquals(expected, layout.check(wrong), () -> each + " salt=" + right);
          planted += isAllowed ? 0 : 1;
        }
        assertTrue(planted > 100, each::toString);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("systems")
  void adoption_ofGoldenRows_findsTheKindAndItsNumbers(String name) throws IOException {
    KnownSystem system = KnownSystem.of(name);
    for (Golden each : golden(system)) {
      Adoption adoption = Adoption.of(each.table(), Map.of(), each.rows());
      assertEquals(List.of(), adoption.bad(), each::toString);
      Segment first = each.layout().segments().get(0);
      boolean isTold = first.isDerived() && !first.derivation().isAny() && each.rows().size() > 4;
      if (isTold) {
        assertEquals(each.values(), adoption.values(), each::toString);
        List<KnownTable> alike =
            system.tables().stream()
                .filter(table -> table.hasLayout() && table.names().equals(each.table().names()))
                .toList();
        Adoption found = Adoption.of(alike, Map.of(), each.rows());
        // Of a power of two, both remainders may be the same for a few rows.
        assertTrue(found.bad().isEmpty(), each::toString);
      }
    }
  }

  @Test
  void adoption_mostRowsFitAnEarlierKind_isOfTheKindThatAllFit() throws IOException {
    KnownSystem pinpoint = KnownSystem.of("pinpoint");
    List<KnownTable> kinds = List.of(pinpoint.table("index"), pinpoint.table("index-3"));
    Golden golden =
        golden(pinpoint).stream()
            .filter(each -> each.table().kind().equals("index-3"))
            .findFirst()
            .orElseThrow();
    RowkeyLayout earlier = kinds.get(0).layout(golden.values());
    List<byte[]> rows =
        new ArrayList<>(
            golden.rows().stream().filter(row -> earlier.check(row).conforms()).toList());
    golden.rows().stream()
        .filter(row -> !earlier.check(row).conforms())
        .limit(rows.size() - 1)
        .forEach(rows::add);

    Adoption found = Adoption.of(kinds, Map.of(), rows);

    assertEquals("index-3", found.table().kind());
    assertEquals(List.of(), found.bad());
    assertEquals(golden.values(), found.values());
  }

  @ParameterizedTest
  @MethodSource("systems")
  void layouts_usualNumbers_haveTheirGroupsAndDivideEvenly(String name) {
    KnownSystem system = KnownSystem.of(name);
    assertFalse(system.tables().isEmpty());
    assertNotNull(system.source());
    for (KnownTable table : system.tables()) {
      assertFalse(table.guarded().isEmpty() && table.hasLayout(), table.kind());
      assertFalse(table.open().isEmpty() && !table.hasLayout(), table.kind());
      if (table.hasLayout()) {
        RowkeyLayout layout = table.layout(table.usual());
        LayoutBoundaries boundaries = LayoutBoundaries.of(EntityGroup.of(layout, table.group()));
        if (layout.segments().get(0).isDerived()) {
          assertEquals(3, boundaries.evenly(4).size(), table.kind());
        }
        for (KnownNumber number : table.numbers()) {
          boolean fits = number.least() <= number.usual() && number.usual() <= number.most();
          assertTrue(fits, number::toString);
          for (int value : new int[] {number.least(), number.most()}) {
            Map<String, Integer> values = new LinkedHashMap<>(table.usual());
            values.put(number.name(), value);
            assertNotNull(table.layout(values));
          }
        }
      }
    }
  }

  /** The table of the page, of every system and kind, and what has no layout. */
  @Test
  void page_hasEverySystem() throws IOException {
    StringBuilder table = new StringBuilder();
    table.append("| system | table | layout | not guarded |\n|---|---|---|---|\n");
    List<String> unguarded = new ArrayList<>();
    for (KnownSystem system : KnownSystem.all()) {
      for (KnownTable kind : system.tables()) {
        if (!kind.hasLayout()) {
          unguarded.add("`" + system.name() + "` `" + kind.kind() + "` (" + kind.about() + ")");
          continue;
        }
        String group = kind.group() == null ? "" : ", group `" + kind.group() + "`";
        table.append(
            String.format(
                "| `%s` | `%s`: %s | `%s`%s | %s |%n",
                system.name(),
                kind.kind(),
                kind.about(),
                kind.template(),
                group,
                String.join("; ", kind.open())));
      }
    }
    table.append("\nNothing is guarded of " + String.join(", ", unguarded) + ".\n");
    String page = Files.readString(PAGE);
    int from = page.indexOf(BEGIN) + BEGIN.length();
    String shown = page.substring(from, page.indexOf(END));
    assertEquals(unfolded(table.toString()), unfolded(shown));
  }

  /** Without regard to where the page's lines end. */
  private static String unfolded(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
