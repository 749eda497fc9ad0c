package io.rowguard.client;

import java.io.IOException;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.TimeRange;

/** HBase's deprecated builders of conditional writes: the condition is salted, the action too. */
@SuppressWarnings("deprecation") // existing code still uses them, and is to keep its calls
final class BareChecks {
  private BareChecks() {}

  /** A condition on one column. */
  static final class OfColumn implements Table.CheckAndMutateBuilder {
    private final Table.CheckAndMutateBuilder salted;
    private final SaltedActions actions;

    OfColumn(Table.CheckAndMutateBuilder salted, SaltedActions actions) {
      this.salted = salted;
      this.actions = actions;
    }

    @Override
    public Table.CheckAndMutateBuilder qualifier(byte[] qualifier) {
      salted.qualifier(qualifier);
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder timeRange(TimeRange timeRange) {
      salted.timeRange(timeRange);
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder ifNotExists() {
      salted.ifNotExists();
      return this;
    }

    @Override
    public Table.CheckAndMutateBuilder ifMatches(CompareOperator compareOp, byte[] value) {
      salted.ifMatches(compareOp, value);
      return this;
    }

    @Override
    public boolean thenPut(Put put) throws IOException {
      return salted.thenPut(actions.put(put));
    }

    @Override
    public boolean thenDelete(Delete delete) throws IOException {
      return salted.thenDelete(actions.delete(delete));
    }

    @Override
    public boolean thenMutate(RowMutations mutation) throws IOException {
      return salted.thenMutate(actions.rowMutations(mutation));
    }
  }

  /** A condition that a filter decides. */
  static final class OfFilter implements Table.CheckAndMutateWithFilterBuilder {
    private final Table.CheckAndMutateWithFilterBuilder salted;
    private final SaltedActions actions;

    OfFilter(Table.CheckAndMutateWithFilterBuilder salted, SaltedActions actions) {
      this.salted = salted;
      this.actions = actions;
    }

    @Override
    public Table.CheckAndMutateWithFilterBuilder timeRange(TimeRange timeRange) {
      salted.timeRange(timeRange);
      return this;
    }

    @Override
    public boolean thenPut(Put put) throws IOException {
      return salted.thenPut(actions.put(put));
    }

    @Override
    public boolean thenDelete(Delete delete) throws IOException {
      return salted.thenDelete(actions.delete(delete));
    }

    @Override
    public boolean thenMutate(RowMutations mutation) throws IOException {
      return salted.thenMutate(actions.rowMutations(mutation));
    }
  }
}
