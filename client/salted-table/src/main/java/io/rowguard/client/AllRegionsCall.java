package io.rowguard.client;

import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;

/**
 * A call to all regions of a salted table, which refuses a range of bare keys. For one thread.
 *
 * @param <S> HBase's stub
 * @param <R> its response
 */
final class AllRegionsCall<S, R> implements AsyncTable.CoprocessorServiceBuilder<S, R> {
  private final AsyncTable.CoprocessorServiceBuilder<S, R> call;
  private final Consumer<Throwable> onError;
  private final TableName table;
  private boolean bounded;

  AllRegionsCall(
      AsyncTable.CoprocessorServiceBuilder<S, R> call,
      Consumer<Throwable> onError,
      TableName table) {
    this.call = call;
    this.onError = onError;
    this.table = table;
  }

  @Override
  public AsyncTable.CoprocessorServiceBuilder<S, R> fromRow(byte[] startKey, boolean inclusive) {
    call.fromRow(startKey, inclusive);
    bounded |= startKey.length > 0;
    return this;
  }

  @Override
  public AsyncTable.CoprocessorServiceBuilder<S, R> toRow(byte[] endKey, boolean inclusive) {
    call.toRow(endKey, inclusive);
    bounded |= endKey.length > 0;
    return this;
  }

  @Override
  public void execute() {
    if (bounded) {
      onError.accept(DelegatingTable.rangeOfRegions(table));
    } else {
      call.execute();
    }
  }
}
