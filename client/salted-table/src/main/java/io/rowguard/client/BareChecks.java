package io.rowguard.client;

import io.rowguard.layout.RowText;
import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.util.Bytes;

/** HBase's deprecated builders of conditional writes, which end in a {@link CheckAndMutate}. */
@SuppressWarnings("deprecation") // existing code still uses them, and is to keep its calls
final class BareChecks {
  private BareChecks() {}

  /**
   * A condition on the row of an action, to be completed.
   *
   * @throws DoNotRetryIOException when the action is on another row, as HBase's servers do; the
   *     builder alone has an unchecked exception for that
   */
  static CheckAndMutate.Builder conditionOn(byte[] row, Row action) throws DoNotRetryIOException {
    CheckAndMutate.Builder condition = CheckAndMutate.newBuilder(row);
    if (!Bytes.equals(row, action.getRow())) {
      throw new DoNotRetryIOException(
          "A condition and its action must be on one row. row=\""
              + RowText.abbreviated(row)
              + "\" actionRow=\""
              + RowText.abbreviated(action.getRow())
              + "\". Give both the same bare key.");
    }
    return condition;
  }

  /** A condition on one column. */
  static final class OfColumn implements Table.CheckAndMutateBuilder {
    private final Table table;
    private final byte[] row;
    private final byte[] family;
    private byte[] qualifier;
    private TimeRange timeRange = TimeRange.allTime();
    private CompareOperator operator;
    private byte[] value;

    /**
     * @param table takes bare keys
     */
    OfColumn(Table table, byte[] row, byte[] family) {
      this.table = table;
      this.row = row;
      this.family = Objects.requireNonNull(family, "family is null");
    }

    @Override
    public Table.CheckAndMutateBuilder qualifier(byte[] qualifier) {
      this.qualifier = Objects.requireNonNull(qualifier, "qualifier is null");
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder timeRange(TimeRange timeRange) {
      this.timeRange = timeRange;
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder ifNotExists() {
      this.operator = CompareOperator.EQUAL;
      this.value = null;
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder ifMatches(CompareOperator compareOp, byte[] value) {
      this.operator = Objects.requireNonNull(compareOp, "compareOp is null");
      this.value = Objects.requireNonNull(value, "value is null");
      return this;
    }

    @Override
    public boolean thenPut(Put put) throws IOException {
      return table.checkAndMutate(condition(put).build(put)).isSuccess();
    }

    @Override
    public boolean thenDelete(Delete delete) throws IOException {
      return table.checkAndMutate(condition(delete).build(delete)).isSuccess();
    }

    @Override
    public boolean thenMutate(RowMutations mutation) throws IOException {
      return table.checkAndMutate(condition(mutation).build(mutation)).isSuccess();
    }

    private CheckAndMutate.Builder condition(Row action) throws DoNotRetryIOException {
      Objects.requireNonNull(
          operator, "There is no condition. Call ifNotExists, ifEquals or ifMatches before.");
      return conditionOn(row, action)
          .timeRange(timeRange)
          .ifMatches(family, qualifier, operator, value);
    }
  }

  /** A condition that a filter decides. */
  static final class OfFilter implements Table.CheckAndMutateWithFilterBuilder {
    private final Table table;
    private final byte[] row;
    private final Filter filter;
    private TimeRange timeRange = TimeRange.allTime();

    /**
     * @param table takes bare keys
     */
    OfFilter(Table table, byte[] row, Filter filter) {
      this.table = table;
      this.row = row;
      this.filter = Objects.requireNonNull(filter, "filter is null");
    }

    @Override
    public Table.CheckAndMutateWithFilterBuilder timeRange(TimeRange timeRange) {
      this.timeRange = timeRange;
      return this;
    }

    @Override
    public boolean thenPut(Put put) throws IOException {
      return table.checkAndMutate(condition(put).build(put)).isSuccess();
    }

    @Override
    public boolean thenDelete(Delete delete) throws IOException {
      return table.checkAndMutate(condition(delete).build(delete)).isSuccess();
    }

    @Override
    public boolean thenMutate(RowMutations mutation) throws IOException {
      return table.checkAndMutate(condition(mutation).build(mutation)).isSuccess();
    }

    private CheckAndMutate.Builder condition(Row action) throws DoNotRetryIOException {
      return conditionOn(row, action).timeRange(timeRange).ifMatches(filter);
    }
  }
}
