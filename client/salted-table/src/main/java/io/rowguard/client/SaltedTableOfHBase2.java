package io.rowguard.client;

import com.google.protobuf.Descriptors;
import com.google.protobuf.Message;
import com.google.protobuf.Service;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.filter.CompareFilter;

/**
 * The methods that {@link Table} has on HBase 2 only. They are apart because HBase 3 lacks classes
 * that these signatures name: there neither reflection nor a compiler could read a class that has
 * them.
 */
final class SaltedTableOfHBase2 extends SaltedTable {
  SaltedTableOfHBase2(Table table, LayoutCache layouts, FetchThreads threads) {
    super(table, layouts, threads);
  }

  @Override
  @Deprecated
  public boolean checkAndMutate(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareFilter.CompareOp op,
      byte[] value,
      RowMutations mutations)
      throws IOException {
    return checkAndMutate(
        row, family, qualifier, CompareOperator.valueOf(op.name()), value, mutations);
  }

  @Override
  @Deprecated
  public boolean checkAndMutate(
      byte[] row,
      byte[] family,
      byte[] qualifier,
      CompareOperator op,
      byte[] value,
      RowMutations mutations)
      throws IOException {
    CheckAndMutate check =
        BareChecks.conditionOn(row, mutations)
            .ifMatches(family, qualifier, op, value)
            .build(mutations);
    return checkAndMutate(check).isSuccess();
  }

  @Override
  public <T extends Service, R> Map<byte[], R> coprocessorService(
      Class<T> service, byte[] startKey, byte[] endKey, Batch.Call<T, R> callable)
      throws Throwable {
    requireAllRegions(startKey, endKey);
    return table.coprocessorService(service, startKey, endKey, callable);
  }

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

  @Override
  @Deprecated
  public void setReadRpcTimeout(int timeout) {
    table.setReadRpcTimeout(timeout);
  }

  @Override
  @Deprecated
  public void setWriteRpcTimeout(int timeout) {
    table.setWriteRpcTimeout(timeout);
  }

  @Override
  @Deprecated
  public void setOperationTimeout(int timeout) {
    table.setOperationTimeout(timeout);
  }
}
