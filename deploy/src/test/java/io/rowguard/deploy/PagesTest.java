package io.rowguard.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages of the project: their links lead somewhere, and translations say the same. */
class PagesTest {
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("#+ .*");
  private static final Pattern FENCE = Pattern.compile("```.*");
  private static final Set<String> NOT_OURS = Set.of("target", ".git", "node_modules");

  static Stream<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    collect(Page.ROOT, pages);
    assertTrue(pages.size() > 20, pages::toString);
    return pages.stream().map(Page.ROOT::relativize).sorted();
  }

  private static void collect(Path directory, List<Path> pages) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      for (Path entry : entries.toList()) {
        if (Files.isDirectory(entry) && !NOT_OURS.contains(entry.getFileName().toString())) {
          collect(entry, pages);
        } else if (entry.toString().endsWith(".md")) {
          pages.add(entry);
        }
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("pages")
  void links_ofEveryPage_leadSomewhere(Path page) throws IOException {
    List<String> broken = new ArrayList<>();
    Path file = Page.ROOT.resolve(page);
    // The archive has it at its root.
    Path at = page.endsWith("CONTENTS.md") ? Page.ROOT.resolve("CONTENTS.md") : file;
    // A link's text may go over two lines.
    Matcher link = LINK.matcher(String.join("\n", text(file)));
    while (link.find()) {
      if (!link.group(1).contains("://") && !leadsSomewhere(at, link.group(1))) {
        broken.add(link.group(1));
      }
    }
    assertEquals(List.of(), broken);
  }

  private static boolean leadsSomewhere(Path from, String link) throws IOException {
    int hash = link.indexOf('#');
    String path = hash < 0 ? link : link.substring(0, hash);
    Path to = path.isEmpty() ? from : from.resolveSibling(path).normalize();
    if (!to.startsWith(Page.ROOT) || !Files.exists(to)) {
      return false;
    }
    return hash < 0 || anchors(to).contains(link.substring(hash + 1));
  }

  /** Anchors of headings, as GitHub makes them. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> times = new HashMap<>();
    for (String line : text(page)) {
      if (HEADING.matcher(line).matches()) {
        String anchor =
            line.replaceFirst("^#+ +", "")
                .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N}\\p{M} _-]", "")
                .replace(' ', '-');
        int before = times.merge(anchor, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? anchor : anchor + "-" + before);
      }
    }
    return anchors;
  }

  /** The lines of a page that are no fenced code. */
  private static List<String> text(Path page) throws IOException {
    List<String> text = new ArrayList<>();
    boolean fenced = false;
    for (String line : Files.readAllLines(page)) {
      if (FENCE.matcher(line).matches()) {
        fenced = !fenced;
      } else if (!fenced) {
        text.add(line);
      }
    }
    return text;
  }

  @ParameterizedTest
  @CsvSource({"README.md, README.zh-CN.md", "docs/operations.md, docs/operations.zh-CN.md"})
  void translation_always_hasTheSameCommands(String page, String translated) throws IOException {
    assertEquals(keys(page), keys(translated));
  }

  private static List<String> keys(String page) throws IOException {
    List<String> keys = Page.commandsOf(page).stream().map(Command::key).toList();
    assertTrue(keys.size() >= 9, keys::toString);
    return keys;
  }

  @ParameterizedTest
  @CsvSource({
    "README.md, README.zh-CN.md",
    "docs/operations.md, docs/operations.zh-CN.md",
    "docs/load.md, docs/load.zh-CN.md",
    "docs/groups.md, docs/groups.zh-CN.md",
    "docs/client.md, docs/client.zh-CN.md",
    "docs/reliability.md, docs/reliability.zh-CN.md"
  })
  void translation_always_hasTheSameTables(String page, String translated) throws IOException {
    assertEquals(rows(page), rows(translated));
  }

  /** The rows of its tables, each by its bars. */
  private static List<String> rows(String page) throws IOException {
    return text(Page.ROOT.resolve(page)).stream()
        .filter(line -> line.startsWith("|"))
        .map(line -> line.replaceAll("[^|]", ""))
        .toList();
  }

  @Test
  void commands_ofOperations_areThoseThatArePlainToSee() throws IOException {
    List<String> keys = keys("docs/operations.md");

    assertEquals("./install.sh --hbase-home \"$HBASE_HOME\" --dry-run", keys.get(0));
    assertTrue(keys.contains("alter 'live', {METADATA => {'rowguard.mode' => 'reject'}}"));
    assertTrue(keys.contains("describe 'live'"));
    assertTrue(keys.stream().anyMatch(key -> key.startsWith("curl -s 'http://SERVER")));
  }
}
