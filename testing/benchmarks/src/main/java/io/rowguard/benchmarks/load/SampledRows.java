package io.rowguard.benchmarks.load;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;

/** Rows of laps: each goes on where the last one of its kind ended. */
final class SampledRows {
  private final List<byte[]> rows;
  private final List<byte[]> ordered;
  private final byte[] family;
  private int next;

  /**
   * @param rows in any order
   */
  SampledRows(List<byte[]> rows, byte[] family) {
    this.rows = List.copyOf(rows);
    this.ordered = new ArrayList<>(rows);
    this.ordered.sort(Bytes.BYTES_COMPARATOR);
    this.family = family.clone();
  }

  private byte[] next() {
    next = (next + 1) % rows.size();
    return rows.get(next);
  }

  /** New puts of the next rows, without a write-ahead log. */
  List<Put> puts(int count) {
    List<Put> puts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      byte[] row = next();
      puts.add(new Put(row).addColumn(family, row, row).setDurability(Durability.SKIP_WAL));
    }
    return puts;
  }

  /** A Get of the next row. */
  Get get() {
    return new Get(next());
  }

  /** A scan that has at least so many rows before it. */
  Scan scan(int count) {
    next = (next + count) % (ordered.size() - count);
    return new Scan().withStartRow(ordered.get(next));
  }
}
