package io.rowguard.client;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * What {@link Table} has on HBase 3 in the place of methods of {@link SaltedTableOfHBase2}; the
 * forms without a callback are HBase's own defaults there, and call those with one.
 */
final class SaltedTableOfHBase3 extends SaltedTable {
  /** {@code Table.batchCoprocessorService} of HBase 3; null on another. */
  private static final MethodHandle BATCH_COPROCESSOR_SERVICE = batchCoprocessorService();

  SaltedTableOfHBase3(
      Table table, KnownLayouts layouts, FetchThreads threads, FilterRules filters) {
    super(table, layouts, threads, filters);
  }

  private static MethodHandle batchCoprocessorService() {
    MethodType type =
        MethodType.methodType(
            void.class,
            Descriptors.MethodDescriptor.class,
            Message.class,
            byte[].class,
            byte[].class,
            Message.class,
            Batch.Callback.class);
    try {
      return MethodHandles.publicLookup().findVirtual(Table.class, "batchCoprocessorService", type);
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }

  /** Whether this is the class for the HBase that runs. */
  static boolean isThere() {
    return BATCH_COPROCESSOR_SERVICE != null;
  }

  @Override
  void putAll(List<Put> salted, Object[] answers) throws IOException {
    sendAll(salted, answers);
  }

  @Override
  void deleteAll(List<Delete> salted, Object[] answers) throws IOException {
    sendAll(salted, answers);
  }

  @Override
  void checkAll(List<CheckAndMutate> salted, Object[] answers) throws IOException {
    sendAll(salted, answers);
  }

  /**
   * As a batch, since HBase's own methods for lists say of one action only that it has failed. They
   * throw the failure of that one, and so does this, of one that has to do with layouts rather than
   * of another.
   */
  private void sendAll(List<? extends Row> salted, Object[] answers) throws IOException {
    if (salted.isEmpty()) {
      return;
    }
    try {
      table.batch(salted, answers);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (RetriesExhaustedException e) {
      throw failureOf(answers, e);
    }
  }

  private static IOException failureOf(Object[] answers, IOException failure) {
    IOException first = null;
    for (Object answer : answers) {
      boolean isFailure = answer instanceof IOException;
      if (isFailure && (first == null || LayoutFailures.isIn((IOException) answer))) {
        first = (IOException) answer;
      }
    }
    return first == null ? failure : first;
  }

  @Override
  boolean deletesShortenTheirList() {
    return false;
  }

  @Override
  IOException listFailure(BatchRounds<?> rounds) {
    return rounds.firstFailure();
  }

  @Override
  IOException batchFailure(BatchRounds<?> rounds) {
    return rounds.failures();
  }

  /** Without the bound of the service, which is of another protobuf in each release. */
  @Override
  @SuppressWarnings({"rawtypes", "unchecked"})
  public void coprocessorService(
      Class service, byte[] startKey, byte[] endKey, Batch.Call callable, Batch.Callback callback)
      throws Throwable {
    requireAllRegions(startKey, endKey);
    table.coprocessorService(service, startKey, endKey, callable, callback);
  }

  /** An override on HBase 3. */
  @SuppressWarnings("MissingOverride") // compiled against HBase 2, where it is none
  public <R extends Message> void batchCoprocessorService(
      Descriptors.MethodDescriptor method,
      Message request,
      byte[] startKey,
      byte[] endKey,
      R responsePrototype,
      Batch.Callback<R> callback)
      throws Throwable {
    requireAllRegions(startKey, endKey);
    BATCH_COPROCESSOR_SERVICE.invokeExact(
        table, method, request, startKey, endKey, (Message) responsePrototype, callback);
  }
}
