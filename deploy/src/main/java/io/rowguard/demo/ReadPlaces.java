package io.rowguard.demo;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The findings of one scan of a table of places.
 *
 * @param digest of all cells in their order, with keys, timestamps and values, but for those of
 *     column {@code seen}
 * @param keys the rows in their order
 * @param seen what column {@code seen} says in each row; 0 where there is none
 */
record ReadPlaces(String digest, List<byte[]> keys, List<Long> seen) {
  private static final int ROWS_PER_CALL = 5_000;

  /** Scans all of a table. */
  static ReadPlaces of(Table table, DemoProgress progress) throws IOException {
    MessageDigest sha = sha256();
    List<byte[]> keys = new ArrayList<>();
    List<Long> seen = new ArrayList<>();
    Scan scan = new Scan().setCaching(ROWS_PER_CALL).setCacheBlocks(false);
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        keys.add(result.getRow());
        seen.add(seen(result));
        for (Cell cell : result.rawCells()) {
          if (!CellUtil.matchingQualifier(cell, SaltedPlaces.SEEN)) {
            sha.update(CellUtil.cloneRow(cell));
            sha.update(CellUtil.cloneQualifier(cell));
            sha.update(Bytes.toBytes(cell.getTimestamp()));
            sha.update(CellUtil.cloneValue(cell));
          }
        }
        progress.read(keys.size());
      }
    }
    return new ReadPlaces(HexFormat.of().formatHex(sha.digest()), keys, seen);
  }

  /** The number that the writer has written last, as a row says; 0 for none. */
  static long seen(Result result) {
    byte[] value = result.getValue(DemoTable.FAMILY, SaltedPlaces.SEEN);
    return value == null ? 0 : Bytes.toLong(value);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
