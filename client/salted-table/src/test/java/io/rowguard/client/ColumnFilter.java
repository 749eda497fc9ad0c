package io.rowguard.client;

import io.rowguard.checker.RowState;
import io.rowguard.checker.RowState.Column;
import java.util.Random;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Query;
import org.apache.hadoop.hbase.filter.SingleColumnValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** The rows with a value of some letters in their first column, for HBase and for the checker. */
enum ColumnFilter {
  /** From m to z. */
  FROM_M,
  /** From a to l. */
  BEFORE_M;

  /** One of them. */
  static ColumnFilter any(Random random) {
    return random.nextBoolean() ? FROM_M : BEFORE_M;
  }

  /** Has a Get or Scan give such rows only. */
  void addTo(Query query) {
    CompareOperator operator =
        this == FROM_M ? CompareOperator.GREATER_OR_EQUAL : CompareOperator.LESS;
    SingleColumnValueFilter filter =
        new SingleColumnValueFilter(
            Column.C1.family(), Column.C1.qualifier(), operator, Bytes.toBytes("m"));
    filter.setFilterIfMissing(true);
    query.setFilter(filter);
  }

  boolean holds(RowState row) {
    String value = row.get(Column.C1);
    if (value == null) {
      return false;
    }
    boolean isBefore = value.compareTo("m") < 0;
    return isBefore == (this == BEFORE_M);
  }
}
