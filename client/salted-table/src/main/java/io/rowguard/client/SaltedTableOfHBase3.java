package io.rowguard.client;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hbase.thirdparty.com.google.protobuf.Descriptors;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/**
 * The methods that {@link Table} has on HBase 3 in the place of methods of {@link
 * SaltedTableOfHBase2}; the forms without a callback are HBase's own defaults there, and call those
 * with one.
 */
final class SaltedTableOfHBase3 extends SaltedTable {
  /** {@code Table.batchCoprocessorService} of HBase 3; null on another. */
  private static final MethodHandle BATCH_COPROCESSOR_SERVICE = batchCoprocessorService();

  SaltedTableOfHBase3(Table table, LayoutCache layouts, FetchThreads threads) {
    super(table, layouts, threads);
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
