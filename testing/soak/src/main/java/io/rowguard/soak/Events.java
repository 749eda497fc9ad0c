package io.rowguard.soak;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Writes what happens, one line each, on standard output and in a file. Thread-safe. */
final class Events implements AutoCloseable {
  private final long began = System.nanoTime();
  private final PrintWriter file;

  Events(Path directory) throws IOException {
    Files.createDirectories(directory);
    file =
        new PrintWriter(
            Files.newBufferedWriter(directory.resolve("events.txt"), StandardCharsets.UTF_8), true);
  }

  synchronized void say(String what) {
    String line = String.format(Locale.ROOT, "%7.1f s  %s", seconds(), what);
    System.out.println(line);
    file.println(line);
    if (file.checkError()) {
      throw new UncheckedIOException(new IOException("The history cannot be written."));
    }
  }

  /** The first line of an error, which says what it is. */
  static String firstLine(Throwable error) {
    return error.toString().lines().findFirst().orElse("");
  }

  private double seconds() {
    return (System.nanoTime() - began) / 1e9;
  }

  @Override
  public void close() {
    file.close();
  }
}
