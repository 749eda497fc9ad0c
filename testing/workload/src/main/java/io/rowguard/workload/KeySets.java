package io.rowguard.workload;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Real keys for tests, without duplicates and in byte order, the order of an HBase table.
 *
 * <p>Every key is {@code group|rest}. This module's README says what the sets are, and whose.
 *
 * <p>With each set come real weights, one per key in the same order, for tests that need rows of
 * very different sizes, as in real tables.
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
    return read("geonames.txt.gz");
  }

  /**
   * The population of each of the {@link #geonames}.
   *
   * @return 0 to 22,315,474, 3,133,032,118 in all
   */
  public static long[] geonamesWeights() {
    return readWeights("geonames");
  }

  /**
   * Java classes: {@code package|class}, as in {@code
   * au.com.bytecode.opencsv.bean|ColumnPositionMappingStrategy}.
   *
   * @return 65,660 long keys in 5,689 packages
   */
  public static List<byte[]> jvmclasses() {
    return read("jvmclasses.txt.gz");
  }

  /**
   * The size of each of the {@link #jvmclasses}' class files, in bytes.
   *
   * @return 114 to 1,094,511, 301,586,697 in all
   */
  public static long[] jvmclassesWeights() {
    return readWeights("jvmclasses");
  }

  /**
   * IPv4 ranges: {@code AS number|first address}, as in {@code 0000000001|041fec40}.
   *
   * @return 82,393 keys of 19 bytes in 34,736 groups, most of them of one key
   */
  public static List<byte[]> ipasn() {
    return read("ipasn.txt.gz");
  }

  /**
   * The number of addresses in each of the {@link #ipasn} ranges.
   *
   * @return 1 to 16,777,216, 643,334,273 in all
   */
  public static long[] ipasnWeights() {
    return readWeights("ipasn");
  }

  private static long[] readWeights(String name) {
    return read(name + ".weights.gz").stream()
        .mapToLong(line -> Long.parseLong(new String(line, StandardCharsets.US_ASCII)))
        .toArray();
  }

  private static List<byte[]> read(String file) {
    String resource = "/io/rowguard/workload/" + file;
    try (InputStream stream = KeySets.class.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IllegalStateException("A key set is missing from the class path: " + resource);
      }
      return lines(stream);
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
