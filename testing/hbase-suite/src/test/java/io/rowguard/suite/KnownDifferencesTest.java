package io.rowguard.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the file of known differences is read. */
class KnownDifferencesTest {
  @TempDir private Path directory;

  private KnownDifferences read(String text) throws IOException {
    return KnownDifferences.read(Files.writeString(directory.resolve("list.tsv"), text));
  }

  @Test
  void reason_ofKindClassOrMethod_isThatOfItsLine() throws IOException {
    KnownDifferences known =
        read("# why\n\nsalted\tTestA.one\tfilter\nboth\tTestA.two\tclock\nplain\tTestB.*\tport\n");
    assertEquals("filter", known.reason(TableKind.SALTED, "TestA", "one"));
    assertNull(known.reason(TableKind.PLAIN, "TestA", "one"));
    assertEquals("clock", known.reason(TableKind.PLAIN, "TestA", "two"));
    assertEquals("port", known.reason(TableKind.PLAIN, "TestB", "any"));
    assertNull(known.reason(TableKind.SALTED, "TestB", "any"));
    assertNull(known.reason(TableKind.SALTED, "TestA2", "one"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"salted\tTestA.one", "salted\tTestA\tx", "some\tTestA.one\tx", "both\tT.o\t "})
  void read_lineThatIsNone_saysWhichOrWhy(String line) {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> read("# first\n" + line + "\n"));
    assertTrue(
        e.getMessage().contains("line=2") || e.getMessage().contains("found=some"), e.getMessage());
  }

  /** The list itself. */
  @Test
  void read_theListOfThisModule_isWellFormed() throws IOException {
    Path list = Path.of(System.getProperty("basedir", "."), "known-differences.tsv");
    assertNull(KnownDifferences.read(list).reason(TableKind.SALTED, "TestA", "one"));
  }
}
