package io.rowguard.client;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.KeyValueUtil;
import org.apache.hadoop.hbase.NoTagsKeyValue;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** Gives cells and results another row: bare on the way out, salted on the way in. */
final class BareResults {
  private BareResults() {}

  /**
   * The same cell, tags and all, in another row. The cell is copied.
   *
   * <p>In a {@link KeyValue} everything but the lengths lies behind the row in one piece, so it is
   * copied as one: this runs for every cell that is read.
   */
  static Cell withRow(Cell cell, byte[] row) {
    KeyValue whole = isPlain(cell) ? (KeyValue) cell : KeyValueUtil.copyToNewKeyValue(cell);
    byte[] from = whole.getBuffer();
    int behindRow = whole.getRowOffset() + whole.getRowLength();
    int rest = whole.getOffset() + whole.getLength() - behindRow;
    byte[] to = new byte[KeyValue.ROW_KEY_OFFSET + row.length + rest];
    int at = Bytes.putInt(to, 0, whole.getKeyLength() - whole.getRowLength() + row.length);
    at = Bytes.putInt(to, at, whole.getValueLength());
    at = Bytes.putShort(to, at, (short) row.length);
    at = Bytes.putBytes(to, at, row, 0, row.length);
    System.arraycopy(from, behindRow, to, at, rest);
    // With the length, since it is all that tells that there are tags.
    KeyValue moved = new KeyValue(to, 0, to.length);
    moved.setSequenceId(whole.getSequenceId());
    return moved;
  }

  /** Whether all of a cell's bytes are in its buffer: some subclasses keep only the key there. */
  private static boolean isPlain(Cell cell) {
    return cell.getClass() == KeyValue.class || cell.getClass() == NoTagsKeyValue.class;
  }

  /** The same result with another row; one without cells has no row and stays as it is. */
  static Result withRow(Result result, byte[] row) {
    if (result == null || result.isEmpty()) {
      return result;
    }
    Cell[] stored = result.rawCells();
    Cell[] moved = new Cell[stored.length];
    for (int i = 0; i < stored.length; i++) {
      moved[i] = withRow(stored[i], row);
    }
    Result bare = Result.create(moved, null, result.isStale(), result.mayHaveMoreCellsInRow());
    // Not an argument above: HBase drops it there where there are cells.
    bare.setExists(result.getExists());
    return bare;
  }

  /** As {@link #withRow(Result, byte[])}, with whether the condition held. */
  static CheckAndMutateResult withRow(CheckAndMutateResult result, byte[] row) {
    return new CheckAndMutateResult(result.isSuccess(), withRow(result.getResult(), row));
  }

  /** What the client is told of one action of a batch, a failure included, with another row. */
  static Object withRow(Object answer, byte[] row) {
    if (answer instanceof Result) {
      return withRow((Result) answer, row);
    }
    return answer instanceof CheckAndMutateResult
        ? withRow((CheckAndMutateResult) answer, row)
        : answer;
  }
}
