package io.rowguard.readdressing;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.NoTagsKeyValue;
import org.apache.hadoop.hbase.RawCell;
import org.apache.hadoop.hbase.util.Bytes;

/** A copy of a cell in another row. */
public final class ReaddressedCell {
  private static final byte[] NONE = {};

  private ReaddressedCell() {}

  /** The same cell, tags and all, in another row. */
  public static Cell of(Cell cell, byte[] row) {
    return of(cell, row, true);
  }

  /**
   * The same cell in another row, but without its tags: for cells that one server forwards to
   * another, or to itself.
   *
   * <p>Between servers the codec drops tags; a call to a region of the same server passes no codec.
   * They are dropped here, so that the result does not depend on where a region is. This is above
   * all about the tag of a mutation's TTL: the TTL travels as an attribute, of which the region
   * that stores the cell makes the tag again.
   */
  public static Cell withoutTags(Cell cell, byte[] row) {
    return of(cell, row, false);
  }

  private static Cell of(Cell cell, byte[] row, boolean withTags) {
    KeyValue moved =
        isPlain(cell) ? ofPlain((KeyValue) cell, row, withTags) : ofAny(cell, row, withTags);
    if (cell instanceof ExtendedCell) {
      moved.setSequenceId(((ExtendedCell) cell).getSequenceId());
    }
    return moved;
  }

  /** Whether all of a cell's bytes are in its buffer: some subclasses keep only the key there. */
  private static boolean isPlain(Cell cell) {
    return cell.getClass() == KeyValue.class
        || cell.getClass() == NoTagsKeyValue.class
        || cell.getClass() == Unchecked.class;
  }

  /**
   * In a {@link KeyValue} everything but the lengths comes after the row in one piece, the tags at
   * its end, so it is copied as one: this runs for every cell that a client reads.
   */
  private static KeyValue ofPlain(KeyValue cell, byte[] row, boolean withTags) {
    int afterRow = cell.getRowOffset() + cell.getRowLength();
    int end =
        withTags
            ? cell.getOffset() + cell.getLength()
            : cell.getValueOffset() + cell.getValueLength();
    int rest = end - afterRow;
    byte[] to = new byte[KeyValue.ROW_KEY_OFFSET + row.length + rest];
    int at = Bytes.putInt(to, 0, cell.getKeyLength() - cell.getRowLength() + row.length);
    at = Bytes.putInt(to, at, cell.getValueLength());
    at = Bytes.putShort(to, at, (short) row.length);
    at = Bytes.putBytes(to, at, row, 0, row.length);
    System.arraycopy(cell.getBuffer(), afterRow, to, at, rest);
    return new Unchecked(to);
  }

  /**
   * Into the bytes of a {@link KeyValue} at once, since what a cell in a ByteBuffer gives as arrays
   * are copies already. Not with HBase's own copy of a cell, whose parameter is another class from
   * 3.0 on.
   */
  private static KeyValue ofAny(Cell cell, byte[] row, boolean withTags) {
    byte[] tags = withTags && cell instanceof RawCell ? ((RawCell) cell).cloneTags() : NONE;
    int family = cell.getFamilyLength();
    int qualifier = cell.getQualifierLength();
    int value = cell.getValueLength();
    byte[] to =
        new byte
            [(int)
                KeyValue.getKeyValueDataStructureSize(
                    row.length, family, qualifier, value, tags.length)];
    int keyLength = (int) KeyValue.getKeyDataStructureSize(row.length, family, qualifier);
    int at = Bytes.putInt(to, 0, keyLength);
    at = Bytes.putInt(to, at, value);
    at = Bytes.putShort(to, at, (short) row.length);
    at = Bytes.putBytes(to, at, row, 0, row.length);
    at = Bytes.putByte(to, at, (byte) family);
    at = CellUtil.copyFamilyTo(cell, to, at);
    at = CellUtil.copyQualifierTo(cell, to, at);
    at = Bytes.putLong(to, at, cell.getTimestamp());
    at = Bytes.putByte(to, at, cell.getType().getCode());
    at = CellUtil.copyValueTo(cell, to, at);
    if (tags.length > 0) {
      at = Bytes.putAsShort(to, at, tags.length);
      Bytes.putBytes(to, at, tags, 0, tags.length);
    }
    return new KeyValue(to, 0, to.length);
  }

  /**
   * A {@link KeyValue} of bytes that HBase has checked in another cell: its constructors check all
   * lengths, which takes longer than the copy.
   */
  private static final class Unchecked extends KeyValue {
    Unchecked(byte[] all) {
      bytes = all;
      offset = 0;
      length = all.length;
    }
  }
}
