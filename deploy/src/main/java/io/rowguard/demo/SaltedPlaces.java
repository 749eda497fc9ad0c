package io.rowguard.demo;

import io.rowguard.layout.RowkeyLayout;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** The populated places in a table with salts: their keys without an empty part, bare. */
final class SaltedPlaces {
  static final int BUCKETS_BEFORE = 8;
  static final int BUCKETS_AFTER = 16;

  /** The column that the writer of the demo changes in a place that exists. */
  static final byte[] SEEN = Bytes.toBytes("seen");

  private SaltedPlaces() {}

  /** The layout with so many buckets. */
  static RowkeyLayout layout(int buckets) {
    return RowkeyLayout.parse("{salt:digits(2)=murmur3(*)%" + buckets + "}-" + Places.LAYOUT);
  }

  /** The real keys that fit, in byte order. */
  static List<byte[]> keys(List<byte[]> all) {
    return all.stream().filter(key -> !Places.hasNoAdmin(key)).toList();
  }

  /** The start keys of the regions of all buckets but the first. */
  static byte[][] bucketStarts(int buckets) {
    return IntStream.range(1, buckets)
        .mapToObj(salt -> Bytes.toBytes(String.format(Locale.ROOT, "%02d-", salt)))
        .toArray(byte[][]::new);
  }

  /**
   * The value that the writer gives to the row of a bare key, the {@code number}th time that it
   * writes.
   */
  static Put seen(byte[] key, long number) {
    return new Put(key).addColumn(DemoTable.FAMILY, SEEN, Bytes.toBytes(number));
  }
}
