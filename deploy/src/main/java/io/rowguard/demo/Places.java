package io.rowguard.demo;

import io.rowguard.workload.RegionContent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The populated places of the world as rows: the keys are GeoNames' own, the values are made up.
 */
final class Places {
  /** The form of the keys: {@code AD|02|03039154}. */
  static final String LAYOUT = "{country:text(2)}|{admin:text}|{id:digits(8)}";

  /** Rows of one country stay in one region. */
  static final String GROUP = "country";

  private static final byte DELIMITER = '|';
  private static final byte[] QUALIFIER = Bytes.toBytes("place");

  private Places() {}

  /** The country of a row: what stands before the first delimiter. */
  static String country(byte[] row) {
    int end = 0;
    while (end < row.length && row[end] != DELIMITER) {
      end++;
    }
    return new String(row, 0, end, StandardCharsets.UTF_8);
  }

  /** The countries of a region's rows. */
  static SortedSet<String> countries(RegionContent content) {
    return content.rows().stream()
        .map(Places::country)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Whether the part between the two delimiters is empty, as it is for places that belong to no
   * administrative division. Found without the layout, which is what the demo puts to the test.
   */
  static boolean hasNoAdmin(byte[] row) {
    for (int i = 0; i < row.length - 1; i++) {
      if (row[i] == DELIMITER) {
        return row[i + 1] == DELIMITER;
      }
    }
    return false;
  }

  /** A row with its document. */
  static Put put(byte[] row) {
    return new Put(row).addColumn(DemoTable.FAMILY, QUALIFIER, document(row));
  }

  /** A small document, as applications store them: the same one for the same key. */
  static byte[] document(byte[] row) {
    SplittableRandom random = new SplittableRandom(Arrays.hashCode(row));
    return Bytes.toBytes(
        String.format(
            Locale.ROOT,
            "{\"population\":%d,\"elevation\":%d,\"timezone\":\"UTC%+d\",\"source\":\"census\","
                + "\"updated\":\"20%02d-%02d-%02d\"}",
            random.nextInt(1_000, 5_000_000),
            random.nextInt(0, 4_000),
            random.nextInt(-11, 13),
            random.nextInt(10, 27),
            random.nextInt(1, 13),
            random.nextInt(1, 29)));
  }

  /** The document that was read; null for none. */
  static byte[] document(Result result) {
    return result.getValue(DemoTable.FAMILY, QUALIFIER);
  }
}
