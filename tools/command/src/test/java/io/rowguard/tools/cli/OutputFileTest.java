package io.rowguard.tools.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
  @TempDir Path directory;

  private List<String> names() throws Exception {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void write_twiceAndThroughALink_replacesTheFile() throws Exception {
    Path file = directory.resolve("a");
    OutputFile.write(file, "one");
    Path link = Files.createSymbolicLink(directory.resolve("link"), file);
    OutputFile.write(link, "two");
    assertEquals("two", Files.readString(file));
    assertTrue(Files.isSymbolicLink(link));
    assertEquals(List.of("a", "link"), names());
  }

  /** As on a full disk, where the first half would be there. */
  @Test
  void write_thatFails_leavesWhatIsThere() throws Exception {
    Path file = directory.resolve("a".repeat(255)); // no longer name can be
    Files.writeString(file, "one");
    assertThrows(CommandFailure.class, () -> OutputFile.write(file, "two"));
    assertEquals("one", Files.readString(file));
  }

  @Test
  void require_whereNoFileCanBe_saysWhy() {
    Path missing = directory.resolve("b/a");
    assertEquals(
        "The file cannot be written: its directory is not there. file=" + missing,
        assertThrows(CommandFailure.class, () -> OutputFile.require(missing)).getMessage());
    assertEquals(
        "The file cannot be written: it is a directory. file=" + directory,
        assertThrows(CommandFailure.class, () -> OutputFile.require(directory)).getMessage());
    OutputFile.require(directory.resolve("a"));
    OutputFile.require(Path.of("a"));
    OutputFile.require(null);
  }

  @Test
  void shellWord_ofAnything_isOneWord() {
    assertEquals("a/b-c.xml", ShellWord.of("a/b-c.xml"));
    assertEquals("'a b'", ShellWord.of("a b"));
    assertEquals("'{a:word}'\\''$'", ShellWord.of("{a:word}'$"));
  }
}
