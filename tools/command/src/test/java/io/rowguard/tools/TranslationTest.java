package io.rowguard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.tools.ManualPage.Kind;
import io.rowguard.tools.ManualPage.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that exist in English and in Chinese: both say the same, as far as a test can tell. */
class TranslationTest {
  private static final Path ROOT = ManualPage.DOCS.resolve("..");
  private static final Pattern LINK_WITHIN = Pattern.compile("]\\(#([^)]*)\\)");

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "README",
        "docs/operations",
        "docs/cookbook",
        "docs/relayout",
        "docs/load",
        "docs/groups",
        "docs/client",
        "docs/cluster",
        "docs/reliability"
      })
  void bothPages_haveTheSameHeadingsAndLinkToEachOther(String page) throws IOException {
    Path english = ROOT.resolve(page + ".md");
    Path chinese = ROOT.resolve(page + ".zh-CN.md");
    assertEquals(levels(english), levels(chinese));
    assertLinks(english, chinese);
    assertLinks(chinese, english);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "README.md",
        "README.zh-CN.md",
        "docs/operations.md",
        "docs/operations.zh-CN.md",
        "docs/cookbook.md",
        "docs/cookbook.zh-CN.md",
        "docs/relayout.md",
        "docs/relayout.zh-CN.md",
        "docs/load.md",
        "docs/load.zh-CN.md",
        "docs/groups.md",
        "docs/groups.zh-CN.md",
        "docs/client.md",
        "docs/client.zh-CN.md",
        "docs/cluster.md",
        "docs/cluster.zh-CN.md",
        "docs/reliability.md",
        "docs/reliability.zh-CN.md"
      })
  void everyLinkWithinAPage_leadsToAHeading(String page) throws IOException {
    Path file = ROOT.resolve(page);
    Set<String> anchors =
        ManualPage.read(file).parts(Kind.HEADING).stream()
            .map(heading -> anchor(heading.translated()))
            .collect(Collectors.toSet());
    Set<String> links =
        LINK_WITHIN
            .matcher(Files.readString(file))
            .results()
            .map(link -> link.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    links.removeAll(anchors);
    assertEquals(Set.of(), links, "of " + anchors);
  }

  /** As GitHub makes it: lower case, without punctuation, a hyphen for each blank. */
  private static String anchor(String words) {
    return words
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{IsLetter}\\p{IsDigit} _-]", "")
        .replace(' ', '-');
  }

  @Test
  void cookbook_inBothLanguages_hasTheSameBlocksAndPicturesInTheSameOrder() throws IOException {
    ManualPage english = ManualPage.read(ManualPage.DOCS.resolve("cookbook.md"));
    ManualPage chinese = ManualPage.read(ManualPage.DOCS.resolve("cookbook.zh-CN.md"));
    assertFalse(english.parts(Kind.CODE).isEmpty());
    assertEquals(String.join("\n", english.fixedParts()), String.join("\n", chinese.fixedParts()));
    for (Part picture : chinese.parts(Kind.PICTURE)) {
      assertTrue(
          picture.translated().codePoints().anyMatch(Character::isIdeographic),
          picture + " is described in Chinese");
    }
  }

  private static List<String> levels(Path file) throws IOException {
    return ManualPage.read(file).parts(Kind.HEADING).stream().map(Part::fixed).toList();
  }

  private static void assertLinks(Path from, Path to) throws IOException {
    assertTrue(
        Files.readString(from).contains("](" + to.getFileName() + ")"), from + " links to " + to);
  }
}
