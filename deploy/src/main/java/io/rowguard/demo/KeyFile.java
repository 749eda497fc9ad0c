package io.rowguard.demo;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Reads a key set: gzipped, one key per line, in byte order.
 *
 * <p>The file is read from the source tree, where the tests have it too: as a dependency it would
 * bring HBase's whole test harness into the demo's build.
 */
final class KeyFile {
  private KeyFile() {}

  static List<byte[]> read(Path file) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      return lines.lines().map(line -> line.getBytes(StandardCharsets.UTF_8)).toList();
    }
  }
}
