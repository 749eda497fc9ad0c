package io.rowguard.client;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncBufferedMutatorBuilder;

/**
 * Builds a buffer of mutations on bare keys with the options of HBase's own builder. Options about
 * requests are also those of the table which sends again. For one thread.
 */
final class SaltedAsyncBufferedMutatorBuilder implements AsyncBufferedMutatorBuilder {
  private final AsyncBufferedMutatorBuilder own;
  private final LayoutCache layouts;
  private final SaltedAsyncTableBuilder<?> table;

  SaltedAsyncBufferedMutatorBuilder(
      AsyncBufferedMutatorBuilder own, LayoutCache layouts, SaltedAsyncTableBuilder<?> table) {
    this.own = own;
    this.layouts = layouts;
    this.table = table;
  }

  @Override
  public AsyncBufferedMutatorBuilder setOperationTimeout(long timeout, TimeUnit unit) {
    own.setOperationTimeout(timeout, unit);
    table.setOperationTimeout(timeout, unit);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setRpcTimeout(long timeout, TimeUnit unit) {
    own.setRpcTimeout(timeout, unit);
    table.setRpcTimeout(timeout, unit);
    table.setWriteRpcTimeout(timeout, unit);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setRetryPause(long pause, TimeUnit unit) {
    own.setRetryPause(pause, unit);
    table.setRetryPause(pause, unit);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setMaxAttempts(int maxAttempts) {
    own.setMaxAttempts(maxAttempts);
    table.setMaxAttempts(maxAttempts);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setStartLogErrorsCnt(int startLogErrorsCnt) {
    own.setStartLogErrorsCnt(startLogErrorsCnt);
    table.setStartLogErrorsCnt(startLogErrorsCnt);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setWriteBufferPeriodicFlush(long timeout, TimeUnit unit) {
    own.setWriteBufferPeriodicFlush(timeout, unit);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setWriteBufferSize(long writeBufferSize) {
    own.setWriteBufferSize(writeBufferSize);
    return this;
  }

  @Override
  public AsyncBufferedMutatorBuilder setMaxKeyValueSize(int maxKeyValueSize) {
    own.setMaxKeyValueSize(maxKeyValueSize);
    return this;
  }

  /** See {@link MaxMutations}. */
  @SuppressWarnings("MissingOverride") // compiles against releases that lack it
  public AsyncBufferedMutatorBuilder setMaxMutations(int maxMutations) {
    MaxMutations.set(own, maxMutations);
    return this;
  }

  /** HBase has this method from 2.6 on. */
  @SuppressWarnings("MissingOverride") // 2.5 lacks it
  public AsyncBufferedMutatorBuilder setRequestAttribute(String key, byte[] value) {
    own.setRequestAttribute(key, value);
    table.setRequestAttribute(key, value);
    return this;
  }

  /** As above. */
  @SuppressWarnings("MissingOverride") // as above
  public AsyncBufferedMutatorBuilder setRequestAttributes(Map<String, byte[]> attributes) {
    own.setRequestAttributes(attributes);
    attributes.forEach(table::setRequestAttribute);
    return this;
  }

  @Override
  public AsyncBufferedMutator build() {
    return new SaltedAsyncBufferedMutator(own.build(), layouts, table.build());
  }
}
