package io.rowguard.tools.digest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.mapreduce.digest.RangeDigests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DigestFileTest {
  @TempDir private Path directory;

  /** HBase's names may have letters of any language. */
  @Test
  void write_ofNamesOfAnyLanguage_isReadAgain() {
    DigestScope scope = new DigestScope("", "", false, true);
    DigestFile file = new DigestFile("订单", scope, new RangeDigests(1));

    file.write(directory.resolve("digest"));

    DigestFile read = DigestFile.read(directory.resolve("digest"));
    assertEquals("订单", read.table());
    assertEquals(scope, read.scope());
  }

  @Test
  void options_ofKeysWithQuotes_mayBePasted() {
    DigestScope scope = new DigestScope("o'neil|0001", "p", false, true);

    assertEquals(" --start 'o\\x27neil|0001' --stop 'p'", scope.options());
    assertArrayEquals(
        "o'neil|0001".getBytes(StandardCharsets.UTF_8),
        new DigestScope("o\\x27neil|0001", "", false, true).fromKey());
  }
}
