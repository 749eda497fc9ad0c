package io.rowguard.tools.keys;

import io.rowguard.layout.FailureText;
import io.rowguard.layout.RowText;
import io.rowguard.tools.cli.CommandFailure;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;

/**
 * A file of keys: one per line, as HBase's shell shows them ({@code \xHH} for what is not
 * printable). {@code -} is standard input; a name that ends with {@code .gz} is unpacked. Not
 * thread-safe.
 */
public final class KeyFile implements Closeable {
  private static final String STANDARD_INPUT = "-";
  private static final int BUFFER = 1 << 16;

  private final String name;
  private final BufferedReader lines;
  private long line;

  private KeyFile(String name, BufferedReader lines) {
    this.name = name;
    this.lines = lines;
  }

  /**
   * Opens a file.
   *
   * @param standardInput what {@code -} stands for
   * @throws CommandFailure when it cannot be read
   */
  public static KeyFile open(String name, InputStream standardInput) {
    try {
      InputStream bytes =
          name.equals(STANDARD_INPUT) ? standardInput : Files.newInputStream(Path.of(name));
      InputStream plain = name.endsWith(".gz") ? unpacked(bytes) : bytes;
      return new KeyFile(
          name, new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8), BUFFER));
    } catch (NoSuchFileException e) {
      throw new CommandFailure("There is no such file. file=" + name, e);
    } catch (IOException e) {
      throw new CommandFailure(
          "The file cannot be read. file=" + name + " why=" + FailureText.of(e), e);
    }
  }

  private static InputStream unpacked(InputStream packed) throws IOException {
    try {
      return new GZIPInputStream(packed, BUFFER);
    } catch (IOException e) {
      packed.close();
      throw e;
    }
  }

  /**
   * The next key, or null after the last one. An empty line is the empty key.
   *
   * @throws CommandFailure when the line is no key
   */
  public byte[] next() {
    return next(RowText::toBytesBinary);
  }

  /** All keys of a file, in its order. */
  public static List<byte[]> readAll(String name, InputStream standardInput) {
    return readAll(name, standardInput, RowText::toBytesBinary);
  }

  /**
   * All numbers of a file, one per line.
   *
   * @throws CommandFailure when one is none, or negative
   */
  public static long[] readWeights(String name, InputStream standardInput) {
    return readAll(name, standardInput, KeyFile::weight).stream()
        .mapToLong(weight -> weight)
        .toArray();
  }

  private static <T> List<T> readAll(
      String name, InputStream standardInput, Function<String, T> reader) {
    try (KeyFile file = open(name, standardInput)) {
      List<T> all = new ArrayList<>();
      for (T one = file.next(reader); one != null; one = file.next(reader)) {
        all.add(one);
      }
      return all;
    } catch (IOException e) {
      throw new CommandFailure(
          "The file cannot be read. file=" + name + " why=" + FailureText.of(e), e);
    }
  }

  private <T> T next(Function<String, T> reader) {
    try {
      String text = lines.readLine();
      line++;
      return text == null ? null : reader.apply(text);
    } catch (IOException | UncheckedIOException e) {
      throw new CommandFailure(
          "The file cannot be read. file=" + name + " why=" + FailureText.of(e), e);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(e.getMessage() + " file=" + name + " line=" + line, e);
    }
  }

  private static long weight(String text) {
    if (!text.matches("\\d{1,18}")) {
      throw new IllegalArgumentException(
          "A weight is a whole number, zero or more. found=\"" + text + "\"");
    }
    return Long.parseLong(text);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
