package io.rowguard.observer.relayout;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.KeyValue;

/**
 * The cells of a row as bytes, without the row: they come back under another one. All of a cell
 * that is stored is kept: family, qualifier, timestamp, type, value and tags, of delete markers of
 * all kinds, too. HBase's own codec between client and server drops tags ({@code KeyValueCodec}).
 *
 * <p>A cell is its family, qualifier, timestamp, type, value, and tags as HBase stores them; what
 * has no fixed length comes after its length, of one, four, four and two bytes.
 */
final class CellCodec {
  private static final KeyValue.Type[] STORED = {
    KeyValue.Type.Put,
    KeyValue.Type.Delete,
    KeyValue.Type.DeleteFamilyVersion,
    KeyValue.Type.DeleteColumn,
    KeyValue.Type.DeleteFamily
  };

  private CellCodec() {}

  /** Writes a cell of a region. */
  @SuppressWarnings("deprecation") // getTypeByte and getTags..., deprecated in Cell; no other ways
  static void write(Cell cell, DataOutputStream out) throws IOException {
    ExtendedCell stored = (ExtendedCell) cell;
    out.writeByte(cell.getFamilyLength());
    out.write(cell.getFamilyArray(), cell.getFamilyOffset(), cell.getFamilyLength());
    out.writeInt(cell.getQualifierLength());
    out.write(cell.getQualifierArray(), cell.getQualifierOffset(), cell.getQualifierLength());
    out.writeLong(cell.getTimestamp());
    out.writeByte(stored.getTypeByte());
    out.writeInt(cell.getValueLength());
    out.write(cell.getValueArray(), cell.getValueOffset(), cell.getValueLength());
    out.writeShort(stored.getTagsLength());
    out.write(stored.getTagsArray(), stored.getTagsOffset(), stored.getTagsLength());
  }

  /**
   * The cells that were written, as cells of a row.
   *
   * @throws IOException when the bytes are not that
   */
  static List<Cell> read(byte[] bytes, byte[] row) throws IOException {
    List<Cell> cells = new ArrayList<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      while (in.available() > 0) {
        cells.add(read(in, row));
      }
    }
    return cells;
  }

  private static Cell read(DataInputStream in, byte[] row) throws IOException {
    byte[] family = read(in, in.readUnsignedByte());
    byte[] qualifier = read(in, in.readInt());
    long timestamp = in.readLong();
    KeyValue.Type type = type(in.readByte());
    byte[] value = read(in, in.readInt());
    byte[] tags = read(in, in.readUnsignedShort());
    return new KeyValue(
        row,
        0,
        row.length,
        family,
        0,
        family.length,
        qualifier,
        0,
        qualifier.length,
        timestamp,
        type,
        value,
        0,
        value.length,
        tags,
        0,
        tags.length);
  }

  private static byte[] read(DataInputStream in, int length) throws IOException {
    if (length < 0 || length > in.available()) {
      throw new IOException("The bytes of a cell are cut off. length=" + length);
    }
    byte[] bytes = new byte[length];
    in.readFully(bytes);
    return bytes;
  }

  private static KeyValue.Type type(byte code) throws IOException {
    for (KeyValue.Type type : STORED) {
      if (type.getCode() == code) {
        return type;
      }
    }
    throw new IOException("A cell is of no type that is known. type=" + code);
  }
}
