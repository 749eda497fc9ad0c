package io.rowguard.demo;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/** Orders with sequential numbers, as a database hands them out, in a table with salts. */
final class DemoOrders {
  private static final int BUCKETS = 8;

  static final String LAYOUT = "{salt:digits(1)=murmur3(*)%" + BUCKETS + "}-{order:digits(10)}";

  private static final byte[] QUALIFIER = Bytes.toBytes("v");

  private DemoOrders() {}

  /** The first numbers, as bare keys. */
  static List<byte[]> ids(int count) {
    return IntStream.range(0, count)
        .mapToObj(number -> Bytes.toBytes(String.format(Locale.ROOT, "%010d", number)))
        .toList();
  }

  /** The start keys of the regions of all buckets but the first. */
  static byte[][] bucketStarts() {
    return IntStream.range(1, BUCKETS)
        .mapToObj(salt -> Bytes.toBytes(salt + "-"))
        .toArray(byte[][]::new);
  }

  static Put put(byte[] id) {
    return new Put(id).addColumn(DemoTable.FAMILY, QUALIFIER, Bytes.toBytes("1"));
  }
}
