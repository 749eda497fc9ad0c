package io.rowguard.tools.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rowguard.layout.RowText;
import io.rowguard.tools.cli.CommandFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of keys and weights: plain, packed, standard input, and broken ones. */
class KeyFileTest {
  private static final InputStream NOTHING = InputStream.nullInputStream();

  @TempDir private Path directory;

  private String file(String name, String text) throws IOException {
    Path file = directory.resolve(name);
    Files.writeString(file, text);
    return file.toString();
  }

  private static List<String> shown(List<byte[]> keys) {
    return keys.stream().map(RowText::toStringBinary).toList();
  }

  @Test
  void readAll_escapedKeys_areTheirBytes() throws IOException {
    String file = file("a.keys", "a\\x00\\xFF\n\n \\x5Cx\nlast");
    List<byte[]> keys = KeyFile.readAll(file, NOTHING);
    assertArrayEquals(new byte[] {'a', 0, -1}, keys.get(0));
    assertEquals(List.of("a\\x00\\xFF", "", " \\x5Cx", "last"), shown(keys));
  }

  @Test
  void readAll_packedOrStandardInput_isTheSame() throws IOException {
    Path packed = directory.resolve("a.keys.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(packed))) {
      out.write("a\nb\n".getBytes(StandardCharsets.US_ASCII));
    }
    assertEquals(List.of("a", "b"), shown(KeyFile.readAll(packed.toString(), NOTHING)));
    InputStream in = new ByteArrayInputStream("a\nb\n".getBytes(StandardCharsets.US_ASCII));
    assertEquals(List.of("a", "b"), shown(KeyFile.readAll("-", in)));
  }

  @Test
  void readAll_brokenEscape_namesFileAndLine() throws IOException {
    String file = file("a.keys", "a\nb\\x7c\n");
    CommandFailure failure =
        assertThrows(CommandFailure.class, () -> KeyFile.readAll(file, NOTHING));
    assertEquals(
        "After \\x there must be two hex digits 0-9A-F, upper-case ones; a backslash itself is"
            + " \\x5C. text=\"b\\x7c\" offset=1 file="
            + file
            + " line=2",
        failure.getMessage());
  }

  @Test
  void readAll_notPacked_isRefusedByName() throws IOException {
    String file = file("a.keys.gz", "a\n");
    CommandFailure failure =
        assertThrows(CommandFailure.class, () -> KeyFile.readAll(file, NOTHING));
    assertEquals(
        "The file cannot be read. file=" + file + " why=ZipException: Not in GZIP format",
        failure.getMessage());
  }

  @Test
  void readWeights_numbers_areRead() throws IOException {
    String file = file("a.weights", "0\n12\n");
    assertArrayEquals(new long[] {0, 12}, KeyFile.readWeights(file, NOTHING));
    String negative = file("b.weights", "-1\n");
    assertThrows(CommandFailure.class, () -> KeyFile.readWeights(negative, NOTHING));
  }
}
