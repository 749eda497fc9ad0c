package io.rowguard.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Real keys for tests, without duplicates and in byte order, the order of an HBase table.
 *
 * <p>Every key is {@code group|rest}. What the sets are, and whose, is in this module's README.
 *
 * <p>Each call reads the set anew (some 50 ms), so that a test may do with the arrays what it
 * likes. Thread-safe.
 */
public final class KeySets {

  private KeySets() {}

  /**
   * Populated places: {@code country|admin1|id}, as in {@code AD|02|03039154}.
   *
   * @return 135,233 keys of 12 to 20 bytes in 246 countries; a few countries hold most of them
   */
  public static List<byte[]> geonames() {
    return read("geonames");
  }

  /**
   * Java classes: {@code package|class}, as in {@code
   * au.com.bytecode.opencsv.bean|ColumnPositionMappingStrategy}.
   *
   * @return 65,660 long keys in 5,689 packages
   */
  public static List<byte[]> jvmclasses() {
    return read("jvmclasses");
  }

  /**
   * IPv4 ranges: {@code AS number|first address}, as in {@code 0000000001|041fec40}.
   *
   * @return 82,393 keys of 19 bytes in 34,736 groups, most of them of one key
   */
  public static List<byte[]> ipasn() {
    return read("ipasn");
  }

  private static List<byte[]> read(String name) {
    String resource = "/io/rowguard/testdata/" + name + ".txt.gz";
    try (InputStream file = KeySets.class.getResourceAsStream(resource)) {
      if (file == null) {
        throw new IllegalStateException("A key set is missing from the class path: " + resource);
      }
      return lines(file);
    } catch (IOException e) {
      throw new UncheckedIOException("A key set cannot be read: " + resource, e);
    }
  }

  private static List<byte[]> lines(InputStream gzip) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPInputStream in = new GZIPInputStream(gzip)) {
      in.transferTo(out);
    }
    byte[] text = out.toByteArray();
    List<byte[]> lines = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < text.length; i++) {
      if (text[i] == '\n') {
        lines.add(Arrays.copyOfRange(text, start, i));
        start = i + 1;
      }
    }
    return lines;
  }
}
