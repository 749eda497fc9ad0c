package io.rowguard.mapreduce.digest;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.apache.hadoop.io.Writable;

/**
 * The digest of some rows' cells: the sum of the cells' digests, modulo 2 to the 128. So it depends
 * on the cells alone, and not on their order or on who added which. It is made against mistakes:
 * someone who chooses cells could have two tables with one digest. Not thread-safe.
 */
public final class CellsDigest implements Writable {
  private long rows;
  private long cells;
  private long high;
  private long low;

  /** The digest of no cell. */
  public CellsDigest() {}

  /** Counts a row. */
  void addRow() {
    rows++;
  }

  /** Adds a cell by its digest, 16 bytes. */
  void addCell(byte[] digest) {
    ByteBuffer bytes = ByteBuffer.wrap(digest);
    cells++;
    add(bytes.getLong(), bytes.getLong());
  }

  /** Adds those of other rows. */
  public void add(CellsDigest other) {
    rows += other.rows;
    cells += other.cells;
    add(other.high, other.low);
  }

  private void add(long otherHigh, long otherLow) {
    low += otherLow;
    int carry = Long.compareUnsigned(low, otherLow) < 0 ? 1 : 0;
    high += otherHigh + carry;
  }

  /** How many rows there are. */
  public long rows() {
    return rows;
  }

  /** How many cells they have. */
  public long cells() {
    return cells;
  }

  /** The sum, as 32 hex digits. */
  public String hex() {
    return String.format(Locale.ROOT, "%016x%016x", high, low);
  }

  /**
   * As {@link #hex} wrote it.
   *
   * @throws IllegalArgumentException where these are no 32 hex digits
   */
  public static CellsDigest of(long rows, long cells, String hex) {
    if (!hex.matches("[0-9a-f]{32}")) {
      throw new IllegalArgumentException("A digest has 32 hex digits. found=\"" + hex + "\"");
    }
    CellsDigest digest = new CellsDigest();
    digest.rows = rows;
    digest.cells = cells;
    digest.high = Long.parseUnsignedLong(hex.substring(0, 16), 16);
    digest.low = Long.parseUnsignedLong(hex.substring(16), 16);
    return digest;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(rows);
    out.writeLong(cells);
    out.writeLong(high);
    out.writeLong(low);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    rows = in.readLong();
    cells = in.readLong();
    high = in.readLong();
    low = in.readLong();
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof CellsDigest)) {
      return false;
    }
    CellsDigest digest = (CellsDigest) other;
    return rows == digest.rows && cells == digest.cells && high == digest.high && low == digest.low;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(low);
  }

  /** For messages of tests. */
  @Override
  public String toString() {
    return rows + " rows, " + cells + " cells, " + hex();
  }
}
