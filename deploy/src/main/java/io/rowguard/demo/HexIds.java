package io.rowguard.demo;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MD5Hash;

/** Ids of 16 hex digits, as hashes make them: those of the real keys. */
final class HexIds {
  static final String LAYOUT = "{id:hex(16)}";

  /** The smallest id, and where the naive way begins. */
  static final byte[] FIRST = Bytes.toBytes("0000000000000000");

  /** The largest id, and where the naive way ends. */
  static final byte[] LAST = Bytes.toBytes("ffffffffffffffff");

  private static final byte[] QUALIFIER = Bytes.toBytes("v");

  private HexIds() {}

  static List<byte[]> of(List<byte[]> keys) {
    return keys.stream()
        .map(key -> Bytes.toBytes(MD5Hash.getMD5AsHex(key).substring(0, LAST.length)))
        .collect(Collectors.toUnmodifiableList());
  }

  static Put put(byte[] id) {
    return new Put(id).addColumn(DemoTable.FAMILY, QUALIFIER, Bytes.toBytes("1"));
  }
}
