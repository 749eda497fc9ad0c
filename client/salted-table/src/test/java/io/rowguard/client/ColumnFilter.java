package io.rowguard.client;

import io.rowguard.client.RowState.Column;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The rows with a value of some letters in their first column, for HBase and for the checker. */
enum ColumnFilter {
  /** From m to z. */
  FROM_M(CompareOperator.GREATER_OR_EQUAL, value -> value.compareTo("m") >= 0),
  /** From a to l. */
  BEFORE_M(CompareOperator.LESS, value -> value.compareTo("m") < 0);

  private final CompareOperator operator;
  private final Predicate<String> holds;

  ColumnFilter(CompareOperator operator, Predicate<String> holds) {
    this.operator = operator;
    this.holds = holds;
  }

  /** Has a Get or Scan give such rows only. */
  void addTo(Query query) {
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            Column.C1.family(), Column.C1.qualifier(), operator, Bytes.toBytes("m"));
    filter.setFilterIfMissing(true);
    query.setFilter(filter);
  }

  boolean holds(RowState row) {
    return row.get(Column.C1) != null && holds.test(row.get(Column.C1));
  }
}
