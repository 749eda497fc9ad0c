package io.rowguard.relayout;

import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * A range of rows, of which none is an old one any more. None will be in this generation: while
 * rows move, only pulls reach old rows, and take them away. Travels with an answer of {@link
 * Outcome#NOTHING}, so that a region which is done is not asked about each row. Immutable but for
 * the arrays that it shares.
 */
public final class EmptiedRange {
  private final byte[] from;
  private final byte[] to;

  /**
   * A range.
   *
   * @param from inclusive
   * @param to exclusive; empty for the end of the table
   */
  public EmptiedRange(byte[] from, byte[] to) {
    this.from = from;
    this.to = to;
  }

  /** The first row, inclusive. */
  public byte[] from() {
    return from;
  }

  /** The end, exclusive; empty for the end of the table. */
  public byte[] to() {
    return to;
  }

  /** The item with which it travels. */
  public Item toItem() {
    ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + from.length + to.length);
    bytes.putInt(from.length).put(from).put(to);
    return Item.of(Outcome.NOTHING, bytes.array());
  }

  /** The range in an item; null where there is none, as of a server with an older version. */
  public static EmptiedRange of(Item item) {
    if (item.outcome() != Outcome.NOTHING || item.bytes().length == 0) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.wrap(item.bytes());
    try {
      int length = bytes.getInt();
      if (length < 0 || length > bytes.remaining()) {
        return null;
      }
      byte[] from = new byte[length];
      bytes.get(from);
      byte[] to = new byte[bytes.remaining()];
      bytes.get(to);
      return new EmptiedRange(from, to);
    } catch (BufferUnderflowException e) {
      return null; // of another version: as good as none
    }
  }
}
