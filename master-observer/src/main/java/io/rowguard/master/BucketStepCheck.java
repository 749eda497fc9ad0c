package io.rowguard.master;

import io.rowguard.layout.AddedSteps;
import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowText;
import io.rowguard.relayout.MovingRowSearch;
import io.rowguard.relayout.TimedCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;

/**
 * Finds out whether all rows of a table keep their place when its layout gets more steps, by
 * reading the keys of those that may not, for no longer than {@link RelayoutPrecondition#MILLIS}.
 *
 * <p>Where the segment that decides is the first of the bare keys, those are one range per bucket,
 * mostly without a row; else they are the whole table, and a large one cannot be read in that time.
 * A row that is written between the answer and the reopening of its region is missed.
 */
final class BucketStepCheck {
  private final Connection connection;
  private final int millis;

  /**
   * @param connection with the master's rights
   */
  BucketStepCheck(Connection connection) {
    this(connection, RelayoutPrecondition.MILLIS);
  }

  /**
   * @param millis all that it may take
   */
  BucketStepCheck(Connection connection, int millis) {
    this.connection = connection;
    this.millis = millis;
  }

  /**
   * The sign that a row would have another place, or the reason why that is not known, as a clause
   * of printable characters; null when all keep theirs.
   *
   * @param disabled whether the table is disabled
   * @param regionsOpen whether all of its regions are open, so that they can be read
   */
  String find(TableName table, AddedSteps steps, boolean disabled, boolean regionsOpen) {
    if (disabled || !regionsOpen) {
      return "unknown, since not all regions are open";
    }
    LayoutChange change = steps.change();
    List<Callable<String>> calls = new ArrayList<>();
    for (KeyRange range : steps.rows()) {
      calls.add(() -> find(table, change, range));
    }
    for (String found :
        TimedCalls.all(
            calls, millis, "rowguard-steps-" + table, (i, reason) -> "unknown: " + reason)) {
      if (found != null) {
        return MessageText.plain(found);
      }
    }
    return null;
  }

  private String find(TableName table, LayoutChange change, KeyRange range) throws Exception {
    try (Table client =
        connection
            .getTableBuilder(table, null)
            .setOperationTimeout(millis)
            .setReadRpcTimeout(millis)
            .build()) {
      byte[] row = MovingRowSearch.first(client, change, range);
      return row == null ? null : "row " + RowText.abbreviated(row);
    }
  }
}
