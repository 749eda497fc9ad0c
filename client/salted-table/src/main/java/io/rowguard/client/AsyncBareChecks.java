package io.rowguard.client;

import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.io.TimeRange;

/**
 * HBase's deprecated builders of conditional writes, as {@link BareChecks}, of an asynchronous
 * table.
 */
@SuppressWarnings("deprecation") // existing code still uses them, and is to keep its calls
final class AsyncBareChecks {
  private AsyncBareChecks() {}

  /** Makes the condition of an action, or says why there is none. */
  private interface Condition<R extends Row> {
    CheckAndMutate on(R action) throws IOException;
  }

  private static <R extends Row> CompletableFuture<Boolean> then(
      AsyncTable<?> table, R action, Condition<R> condition) {
    CheckAndMutate check;
    try {
      check = condition.on(action);
    } catch (IOException e) {
      return Futures.failed(e);
    }
    return table.checkAndMutate(check).thenApply(CheckAndMutateResult::isSuccess);
  }

  /** A condition on one column. */
  static final class OfColumn implements AsyncTable.CheckAndMutateBuilder {
    private final AsyncTable<?> table;
    private final byte[] row;
    private final byte[] family;
    private byte[] qualifier;
    private TimeRange timeRange = TimeRange.allTime();
    private CompareOperator operator;
    private byte[] value;

    /**
     * @param table takes bare keys
     */
    OfColumn(AsyncTable<?> table, byte[] row, byte[] family) {
      this.table = table;
      this.row = Objects.requireNonNull(row, "row is null");
      this.family = Objects.requireNonNull(family, "family is null");
    }

    @Override
    public AsyncTable.CheckAndMutateBuilder qualifier(byte[] qualifier) {
      this.qualifier = Objects.requireNonNull(qualifier, "qualifier is null");
      return this;
    }

    @Override
    public AsyncTable.CheckAndMutateBuilder timeRange(TimeRange timeRange) {
      this.timeRange = timeRange;
      return this;
    }

    @Override
    public AsyncTable.CheckAndMutateBuilder ifNotExists() {
      this.operator = CompareOperator.EQUAL;
      this.value = null;
      return this;
    }

    @Override
    public AsyncTable.CheckAndMutateBuilder ifMatches(CompareOperator compareOp, byte[] value) {
      this.operator = Objects.requireNonNull(compareOp, "compareOp is null");
      this.value = Objects.requireNonNull(value, "value is null");
      return this;
    }

    @Override
    public CompletableFuture<Boolean> thenPut(Put put) {
      requireCondition();
      return then(table, put, action -> condition(action).build(action));
    }

    @Override
    public CompletableFuture<Boolean> thenDelete(Delete delete) {
      requireCondition();
      return then(table, delete, action -> condition(action).build(action));
    }

    @Override
    public CompletableFuture<Boolean> thenMutate(RowMutations mutations) {
      requireCondition();
      return then(table, mutations, action -> condition(action).build(action));
    }

    private void requireCondition() {
      Objects.requireNonNull(
          operator, "There is no condition. Call ifNotExists, ifEquals or ifMatches before.");
    }

    private CheckAndMutate.Builder condition(Row action) throws IOException {
      return BareChecks.conditionOn(row, action)
          .timeRange(timeRange)
          .ifMatches(family, qualifier, operator, value);
    }
  }

  /** A condition that a filter decides. */
  static final class OfFilter implements AsyncTable.CheckAndMutateWithFilterBuilder {
    private final AsyncTable<?> table;
    private final byte[] row;
    private final Filter filter;
    private TimeRange timeRange = TimeRange.allTime();

    /**
     * @param table takes bare keys
     */
    OfFilter(AsyncTable<?> table, byte[] row, Filter filter) {
      this.table = table;
      this.row = Objects.requireNonNull(row, "row is null");
      this.filter = Objects.requireNonNull(filter, "filter is null");
    }

    @Override
    public AsyncTable.CheckAndMutateWithFilterBuilder timeRange(TimeRange timeRange) {
      this.timeRange = timeRange;
      return this;
    }

    @Override
    public CompletableFuture<Boolean> thenPut(Put put) {
      return then(table, put, action -> condition(action).build(action));
    }

    @Override
    public CompletableFuture<Boolean> thenDelete(Delete delete) {
      return then(table, delete, action -> condition(action).build(action));
    }

    @Override
    public CompletableFuture<Boolean> thenMutate(RowMutations mutations) {
      return then(table, mutations, action -> condition(action).build(action));
    }

    private CheckAndMutate.Builder condition(Row action) throws IOException {
      return BareChecks.conditionOn(row, action).timeRange(timeRange).ifMatches(filter);
    }
  }
}
