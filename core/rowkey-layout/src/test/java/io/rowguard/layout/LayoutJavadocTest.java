package io.rowguard.layout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Executes every {@code <pre>} block in the comments of this module, as {@link LayoutExample}s. */
class LayoutJavadocTest {
  private static final Path SOURCES = Path.of("src", "main", "java");
  private static final String BEGIN = "<pre>{@code";
  private static final String END = "}</pre>";

  @TestFactory
  Stream<DynamicTest> example_asTheCommentSays() throws IOException {
    List<DynamicTest> tests = new ArrayList<>();
    for (Path file : files()) {
      for (DocBlock block : DocBlock.read(commentLines(file), BEGIN, END)) {
        String name = file.getFileName() + " " + block.name();
        tests.add(DynamicTest.dynamicTest(name, () -> LayoutExample.run(block)));
      }
    }
    assertTrue(tests.size() >= 4, "only " + tests.size() + " examples");
    return tests.stream();
  }

  /** Text that is not written as an example would never be executed. */
  @Test
  void preBlocks_always_areExamples() throws IOException {
    for (Path file : files()) {
      long blocks = commentLines(file).stream().filter(line -> line.contains("<pre")).count();
      assertEquals(blocks, DocBlock.read(commentLines(file), BEGIN, END).size(), file::toString);
    }
  }

  private static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      return files.filter(file -> file.toString().endsWith(".java")).sorted().toList();
    }
  }

  /** The lines without the star that a comment's lines begin with. */
  private static List<String> commentLines(Path file) throws IOException {
    return Files.readAllLines(file, StandardCharsets.UTF_8).stream()
        .map(line -> line.replaceFirst("^ *\\* ?", ""))
        .toList();
  }
}
