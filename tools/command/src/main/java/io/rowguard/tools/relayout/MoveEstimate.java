package io.rowguard.tools.relayout;

import io.rowguard.layout.RowText;
import java.util.List;

/**
 * The estimate, by a sample, of the rows that will move.
 *
 * @param regions how many regions the table has
 * @param sampledRegions in how many of them rows were looked at
 * @param sampledRows how many rows were looked at
 * @param rows how many rows the table may have
 * @param movingRows how many of them may move
 * @param movingRowsError how far off that may be, 19 times out of 20, as far as the sample can
 *     tell; 0 when every row was counted
 * @param bytes what the rows take, as cells
 * @param movingBytes what those take that may move
 * @param filled how many of the sampled regions have rows
 * @param strays those looked at that fit only the layout that rows are to go to
 * @param tooLong those looked at whose new rows would be longer than allowed
 * @param misfits those looked at that fit neither layout
 * @param ofTheFuture those looked at that have cells ahead of this computer's clock
 * @param newRows new rows of rows that were looked at, ascending
 */
record MoveEstimate(
    int regions,
    int sampledRegions,
    long sampledRows,
    long rows,
    long movingRows,
    long movingRowsError,
    long bytes,
    long movingBytes,
    int filled,
    SeenRows strays,
    SeenRows tooLong,
    SeenRows misfits,
    SeenRows ofTheFuture,
    List<byte[]> newRows) {

  /**
   * Rows of one kind.
   *
   * @param rows how many
   * @param example one of them, as text; null for none
   */
  record SeenRows(long rows, String example) {
    static SeenRows none() {
      return new SeenRows(0, null);
    }

    SeenRows and(byte[] row) {
      return new SeenRows(rows + 1, RowText.abbreviated(row));
    }
  }

  /** Whether every row was counted. */
  boolean isExact() {
    return sampledRows == rows && sampledRegions == regions;
  }
}
