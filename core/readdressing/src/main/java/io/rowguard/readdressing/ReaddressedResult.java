package io.rowguard.readdressing;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;

/** A copy of a result with another row. */
public final class ReaddressedResult {
  private ReaddressedResult() {}

  /**
   * The same result with another row; one without cells has no row, and stays as it is, as does one
   * that has the row already.
   */
  public static Result of(Result result, byte[] row) {
    if (result == null || result.isEmpty()) {
      return result;
    }
    Cell[] cells = result.rawCells();
    if (hasRow(cells[0], row)) {
      return result;
    }
    Cell[] moved = new Cell[cells.length];
    for (int i = 0; i < cells.length; i++) {
      moved[i] = ReaddressedCell.of(cells[i], row);
    }
    Result copy = Result.create(moved, null, result.isStale(), result.mayHaveMoreCellsInRow());
    // Not an argument above: HBase drops it there where there are cells.
    copy.setExists(result.getExists());
    copy.setStatistics(result.getStats());
    return copy;
  }

  private static boolean hasRow(Cell cell, byte[] row) {
    return Bytes.equals(
        cell.getRowArray(), cell.getRowOffset(), cell.getRowLength(), row, 0, row.length);
  }

  /** As {@link #of(Result, byte[])}, with whether the condition held. */
  public static CheckAndMutateResult of(CheckAndMutateResult result, byte[] row) {
    return new CheckAndMutateResult(result.isSuccess(), of(result.getResult(), row));
  }

  /** The answer of HBase's client for one action of a batch; a failure stays as it is. */
  public static Object of(Object answer, byte[] row) {
    if (answer instanceof Result) {
      return of((Result) answer, row);
    }
    return answer instanceof CheckAndMutateResult ? of((CheckAndMutateResult) answer, row) : answer;
  }
}
