package io.rowguard.client;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.coprocessor.Batch;

/**
 * Hands on to another table all calls that are about neither single rows nor ranges of them; calls
 * to all regions too, but not to those of a range.
 */
abstract class DelegatingTable implements Table {
  private final Table table;

  DelegatingTable(Table table) {
    this.table = table;
  }

  @Override
  public TableName getName() {
    return table.getName();
  }

  @Override
  public Configuration getConfiguration() {
    return table.getConfiguration();
  }

  @Override
  public TableDescriptor getDescriptor() throws IOException {
    return table.getDescriptor();
  }

  /** Calls all regions; a range of bare keys is refused, as it is no range of regions. */
  @Override
  public <T extends Service, R> Map<byte[], R> coprocessorService(
      Class<T> service, byte[] startKey, byte[] endKey, Batch.Call<T, R> callable)
      throws Throwable {
    requireAllRegions(startKey, endKey);
    return table.coprocessorService(service, startKey, endKey, callable);
  }

  /** As the other. */
  @Override
  public <T extends Service, R> void coprocessorService(
      Class<T> service,
      byte[] startKey,
      byte[] endKey,
      Batch.Call<T, R> callable,
      Batch.Callback<R> callback)
      throws Throwable {
    requireAllRegions(startKey, endKey);
    table.coprocessorService(service, startKey, endKey, callable, callback);
  }

  /** Calls all regions; a range of bare keys is refused, as it is no range of regions. */
  @Override
  public <R extends Message> Map<byte[], R> batchCoprocessorService(
      Descriptors.MethodDescriptor method,
      Message request,
      byte[] startKey,
      byte[] endKey,
      R responsePrototype)
      throws Throwable {
    requireAllRegions(startKey, endKey);
    return table.batchCoprocessorService(method, request, startKey, endKey, responsePrototype);
  }

  /** As the other. */
  @Override
  public <R extends Message> void batchCoprocessorService(
      Descriptors.MethodDescriptor method,
      Message request,
      byte[] startKey,
      byte[] endKey,
      R responsePrototype,
      Batch.Callback<R> callback)
      throws Throwable {
    requireAllRegions(startKey, endKey);
    table.batchCoprocessorService(method, request, startKey, endKey, responsePrototype, callback);
  }

  private void requireAllRegions(byte[] startKey, byte[] endKey) throws DoNotRetryIOException {
    boolean bounded =
        (startKey != null && startKey.length > 0) || (endKey != null && endKey.length > 0);
    if (bounded) {
      throw new DoNotRetryIOException(
          "The regions of a range of bare keys cannot be called through a SaltedTable, as the range"
              + " lies in every bucket. table="
              + getName()
              + ". Leave both keys empty for all regions, or call the regions of single rows.");
    }
  }

  @Override
  public long getRpcTimeout(TimeUnit unit) {
    return table.getRpcTimeout(unit);
  }

  @Override
  public long getReadRpcTimeout(TimeUnit unit) {
    return table.getReadRpcTimeout(unit);
  }

  @Override
  @Deprecated
  public void setReadRpcTimeout(int timeout) {
    table.setReadRpcTimeout(timeout);
  }

  @Override
  public long getWriteRpcTimeout(TimeUnit unit) {
    return table.getWriteRpcTimeout(unit);
  }

  @Override
  @Deprecated
  public void setWriteRpcTimeout(int timeout) {
    table.setWriteRpcTimeout(timeout);
  }

  @Override
  public long getOperationTimeout(TimeUnit unit) {
    return table.getOperationTimeout(unit);
  }

  @Override
  @Deprecated
  public void setOperationTimeout(int timeout) {
    table.setOperationTimeout(timeout);
  }

  /** None: the builder takes none. HBase has this method from 2.6 on, so it is no override. */
  @SuppressWarnings("MissingOverride") // compiles against 2.5 as well
  public Map<String, byte[]> getRequestAttributes() {
    return Collections.emptyMap();
  }
}
