package io.rowguard.client;

import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;

/**
 * Builds a table of a {@link SaltedAsyncConnection} with the options of HBase's own builders: that
 * of the table that HBase would give, and that of the same without a pool. For one thread.
 *
 * @param <C> HBase's kind of consumer of scans
 */
final class SaltedAsyncTableBuilder<C extends ScanResultConsumerBase>
    implements AsyncTableBuilder<C> {
  private final AsyncTableBuilder<C> own;
  private final AsyncTableBuilder<AdvancedScanResultConsumer> salted;
  private final BiFunction<AsyncTable<C>, AsyncTable<AdvancedScanResultConsumer>, AsyncTable<C>>
      shown;

  /**
   * @param shown makes of both tables the one that the user gets
   */
  SaltedAsyncTableBuilder(
      AsyncTableBuilder<C> own,
      AsyncTableBuilder<AdvancedScanResultConsumer> salted,
      BiFunction<AsyncTable<C>, AsyncTable<AdvancedScanResultConsumer>, AsyncTable<C>> shown) {
    this.own = own;
    this.salted = salted;
    this.shown = shown;
  }

  @Override
  public AsyncTableBuilder<C> setOperationTimeout(long timeout, TimeUnit unit) {
    own.setOperationTimeout(timeout, unit);
    salted.setOperationTimeout(timeout, unit);
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setScanTimeout(long timeout, TimeUnit unit) {
    own.setScanTimeout(timeout, unit);
    salted.setScanTimeout(timeout, unit);
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setRpcTimeout(long timeout, TimeUnit unit) {
    own.setRpcTimeout(timeout, unit);
    salted.setRpcTimeout(timeout, unit);
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setReadRpcTimeout(long timeout, TimeUnit unit) {
    own.setReadRpcTimeout(timeout, unit);
    salted.setReadRpcTimeout(timeout, unit);
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setWriteRpcTimeout(long timeout, TimeUnit unit) {
    own.setWriteRpcTimeout(timeout, unit);
    salted.setWriteRpcTimeout(timeout, unit);
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setRetryPause(long pause, TimeUnit unit) {
    own.setRetryPause(pause, unit);
    salted.setRetryPause(pause, unit);
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setRetryPauseForServerOverloaded(long pause, TimeUnit unit) {
    own.setRetryPauseForServerOverloaded(pause, unit);
    salted.setRetryPauseForServerOverloaded(pause, unit);
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setMaxAttempts(int maxAttempts) {
    own.setMaxAttempts(maxAttempts);
    salted.setMaxAttempts(maxAttempts);
    return this;
  }

  @Override
  public AsyncTableBuilder<C> setStartLogErrorsCnt(int startLogErrorsCnt) {
    own.setStartLogErrorsCnt(startLogErrorsCnt);
    salted.setStartLogErrorsCnt(startLogErrorsCnt);
    return this;
  }

  /** HBase has this method from 2.6 on. */
  @SuppressWarnings("MissingOverride") // 2.5 lacks it
  public AsyncTableBuilder<C> setRequestAttribute(String key, byte[] value) {
    own.setRequestAttribute(key, value);
    salted.setRequestAttribute(key, value);
    return this;
  }

  @Override
  public AsyncTable<C> build() {
    return shown.apply(own.build(), salted.build());
  }
}
