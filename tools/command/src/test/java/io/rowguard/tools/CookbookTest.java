package io.rowguard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import io.rowguard.tools.ManualPage.Kind;
import io.rowguard.tools.ManualPage.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The pictures of {@code docs/cookbook.md}: each recipe has one, and it shows the command above it.
 * {@link CookbookPicturesIT} makes them.
 */
class CookbookTest {
  private static final Path IMAGES = ManualPage.DOCS.resolve("images");
  private static final int MOST_BYTES = 40_000;

  private final Cookbook cookbook = Cookbook.read();

  CookbookTest() throws IOException {}

  @Test
  void everyRecipe_hasAPicture() {
    String recipe = "";
    Set<String> recipes = new TreeSet<>();
    Set<String> withPicture = new TreeSet<>();
    for (Part part : cookbook.page().parts()) {
      if (part.kind() == Kind.HEADING && part.fixed().equals("##")) {
        recipe = part.translated();
        recipes.add(recipe);
      } else if (part.kind() == Kind.PICTURE) {
        withPicture.add(recipe);
      }
    }
    assertTrue(recipes.size() >= 11, recipes.toString());
    assertEquals(recipes, withPicture);
  }

  /** Layouts and rows of them stand in indented blocks, a group or a remark after blanks. */
  @Test
  void everyRow_fitsTheLayoutAboveIt() {
    Set<String> layouts = new TreeSet<>();
    for (Part block : cookbook.page().parts(Kind.CODE)) {
      RowkeyLayout layout = null;
      for (String line : block.fixed().lines().toList()) {
        String[] words = line.strip().split(" {2,}", 2);
        if (words[0].startsWith("{")) {
          layout = RowkeyLayout.parse(words[0]);
          if (words.length > 1) {
            EntityGroup.of(layout, words[1].substring("group ".length()));
          }
        } else if (layout != null) {
          assertEquals(Verdict.CONFORMS, layout.check(RowText.toBytesBinary(words[0])), line);
          layouts.add(layout.toString());
        }
      }
    }
    assertEquals(16, layouts.size(), layouts.toString());
  }

  @Test
  void everyPicture_isSmallAndShowsTheCommandAboveIt() throws IOException {
    for (Cookbook.Illustration illustration : cookbook.illustrations()) {
      Path file = ManualPage.DOCS.resolve(illustration.file());
      assertEquals(illustration.command(), Picture.read(file).command(), illustration.file());
      assertTrue(Files.size(file) <= MOST_BYTES, file + " has " + Files.size(file) + " bytes");
      assertTrue(illustration.description().length() >= 40, illustration.description());
    }
  }

  @Test
  void everyPictureFile_isOnThePage() throws IOException {
    try (Stream<Path> files = Files.list(IMAGES)) {
      Set<String> present =
          files
              .map(file -> "images/" + file.getFileName())
              .filter(file -> file.startsWith(Cookbook.PICTURES))
              .collect(Collectors.toSet());
      Set<String> shown =
          cookbook.illustrations().stream()
              .map(Cookbook.Illustration::file)
              .collect(Collectors.toSet());
      assertEquals(shown, present);
    }
  }
}
