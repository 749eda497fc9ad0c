package io.rowguard.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import io.rowguard.workload.KeySets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The numbers of the READMEs that can be counted without a cluster, and the versions that the build
 * knows. The others are printed by {@code deploy/demo.sh}.
 */
class ReadmeNumbersTest {
  private static final Path ROOT = Path.of("..");
  private static final int REGIONS = 16;

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "README.zh-CN.md"})
  void demo_keysAndRefusals_areThoseOfTheData(String readme) throws IOException {
    List<byte[]> keys = KeySets.geonames();
    RowkeyLayout layout = RowkeyLayout.parse(Places.LAYOUT);
    long fit = keys.stream().filter(key -> layout.check(key) == Verdict.CONFORMS).count();
    long empty = keys.stream().filter(Places::hasNoAdmin).count();

    assertEquals(empty, keys.size() - fit, "what is refused is what has no admin part");
    assertSays(readme, String.format(Locale.ROOT, "%,d", keys.size()));
    assertSays(readme, "| " + empty + " ");
    assertSays(readme, String.format(Locale.ROOT, "%,d", fit));
  }

  /** As HBase's createTable(table, first, last, 16) divides. */
  @ParameterizedTest
  @ValueSource(strings = {"README.md", "README.zh-CN.md"})
  void presplit_byBytes_leavesAsManyUnreachableRegions(String readme) throws IOException {
    LayoutBoundaries boundaries = LayoutBoundaries.of(RowkeyLayout.parse(HexIds.LAYOUT), null);
    byte[][] keys = Bytes.split(HexIds.FIRST, HexIds.LAST, REGIONS - 3);
    int unreachable = 0;
    for (int i = 0; i <= keys.length; i++) {
      byte[] start = i == 0 ? new byte[0] : keys[i - 1];
      byte[] end = i == keys.length ? new byte[0] : keys[i];
      unreachable += boundaries.isReachable(start, end) ? 0 : 1;
    }
    List<byte[]> even = boundaries.evenly(REGIONS);

    assertEquals(REGIONS, keys.length + 1);
    assertTrue(even.stream().allMatch(boundaries::isLegal));
    String row =
        lines(readme).filter(line -> line.matches("\\| .*\\b16 .*")).findFirst().orElseThrow();
    assertTrue(row.endsWith("| 0 | " + unreachable + " |"), row);
    assertSays(readme, " " + ('a' - '9' - 1) + " "); // bytes between 9 and a
  }

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "README.zh-CN.md"})
  void versions_always_areThoseOfTheBuild(String readme) throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    Pattern version =
        Pattern.compile(
            " " + Pattern.quote(first("<version>([^<]+)</version>", pom)) + "(?![-\\w]|\\.\\d)");
    assertTrue(lines(readme).anyMatch(version.asPredicate()), version::pattern);
    assertSays(readme, first("<hbase.version>([^<]+)</hbase.version>", pom));
  }

  /** Between releases the page may name the newest one. */
  @ParameterizedTest
  @ValueSource(strings = {"docs/client.md", "docs/client.zh-CN.md"})
  void dependency_ofARelease_isThatRelease(String page) throws IOException {
    String version = first("<version>([^<]+)</version>", Files.readString(ROOT.resolve("pom.xml")));
    String named =
        first(
            "<artifactId>rowguard-client</artifactId>\\s*<version>([^<]+)</version>",
            Files.readString(ROOT.resolve(page)));
    assertTrue(version.endsWith("-SNAPSHOT") || named.equals(version), named);
  }

  /** Commands of the pages run in another HBase's shell; the table of compatibility says so. */
  @ParameterizedTest
  @ValueSource(strings = {"docs/operations.md", "docs/operations.zh-CN.md"})
  void shellVersion_always_isThatOfTheBuild(String page) throws IOException {
    String shell = Files.readString(ROOT.resolve("deploy/shell/pom.xml"));
    String version = first("hbase-shell</artifactId>\\s*<version>([^<]+)</version>", shell);
    assertTrue(
        lines(page)
            .anyMatch(line -> line.startsWith("|") && line.contains(" shell " + version + " ")),
        version);
  }

  private static String first(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertTrue(matcher.find(), pattern);
    return matcher.group(1);
  }

  private static void assertSays(String readme, String words) throws IOException {
    assertTrue(lines(readme).anyMatch(line -> line.contains(words)), words);
  }

  private static Stream<String> lines(String readme) throws IOException {
    return Files.readAllLines(ROOT.resolve(readme)).stream();
  }
}
