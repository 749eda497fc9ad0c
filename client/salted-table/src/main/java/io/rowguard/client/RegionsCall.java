package io.rowguard.client;

import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncTable;

/**
 * A call to the regions of a table. Where something is derived it refuses a range of bare keys. For
 * one thread.
 *
 * @param <S> HBase's stub
 * @param <R> its response
 */
final class RegionsCall<S, R> implements AsyncTable.CoprocessorServiceBuilder<S, R> {
  private final AsyncTable.CoprocessorServiceBuilder<S, R> call;
  private final Consumer<Throwable> onError;
  private final LayoutCache layouts;
  private final FetchThreads threads;
  private final TableName table;
  private boolean bounded;

  RegionsCall(
      AsyncTable.CoprocessorServiceBuilder<S, R> call,
      Consumer<Throwable> onError,
      LayoutCache layouts,
      FetchThreads threads,
      TableName table) {
    this.call = call;
    this.onError = onError;
    this.layouts = layouts;
    this.threads = threads;
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
    if (!bounded) {
      call.execute();
    } else if (layouts.now().isDeriving()) {
      onError.accept(DelegatingTable.rangeOfRegions(table));
    } else {
      // To read the descriptor takes a while, and this may be one of HBase's own few threads.
      threads.run(this::executeUnlessDeriving, onError);
    }
  }

  private void executeUnlessDeriving() throws IOException {
    if (layouts.declared().isDeriving()) {
      onError.accept(DelegatingTable.rangeOfRegions(table));
    } else {
      call.execute();
    }
  }
}
