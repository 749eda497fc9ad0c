package io.rowguard.client;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A channel to the endpoints of one region that completes the rows in calls of {@code
 * MultiRowMutationEndpoint}, which are bare keys, and hands on all other calls as they are. Its
 * interface is of another protobuf on HBase 2 than on 3, so it is a proxy. Thread-safe as the
 * channel is.
 */
final class MultiRowChannel implements InvocationHandler {
  private static final Logger LOG = LoggerFactory.getLogger(MultiRowChannel.class);

  private final byte[] bareKey;
  private final Table table;
  private final LayoutCache layouts;

  private MultiRowChannel(byte[] bareKey, Table table, LayoutCache layouts) {
    this.bareKey = bareKey;
    this.table = table;
    this.layouts = layouts;
  }

  /** Makes of a request with bare keys the same with stored rows; both as they travel. */
  interface Completion {
    byte[] of(byte[] request) throws IOException;
  }

  /**
   * The channel to the region of a bare key.
   *
   * @param table of stored rows
   */
  static CoprocessorRpcChannel to(byte[] bareKey, Table table, LayoutCache layouts) {
    return (CoprocessorRpcChannel)
        Proxy.newProxyInstance(
            MultiRowChannel.class.getClassLoader(),
            new Class<?>[] {CoprocessorRpcChannel.class},
            new MultiRowChannel(bareKey.clone(), table, layouts));
  }

  /**
   * A call is sent again under the layouts that came meanwhile, as other requests are. Only that of
   * a blocking stub says what failed; another one fails, and its caller may make it again.
   *
   * @param arguments of {@code callMethod} and {@code callBlockingMethod} a method's descriptor, a
   *     controller, and a request are the first
   * @throws IllegalArgumentException for a request whose rows cannot be completed
   */
  @Override
  public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
    LayoutRetry retry = new LayoutRetry(layouts, table.getOperationTimeout(TimeUnit.MILLISECONDS));
    TableLayouts plan = layouts.now();
    while (true) {
      byte[] row;
      Object[] completed;
      try {
        row = plan.primaryRow(bareKey);
        completed = completed(plan, row, method, arguments);
      } catch (IOException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
      try {
        return method.invoke(table.coprocessorService(row), completed);
      } catch (InvocationTargetException e) {
        plan = next(retry, plan, e.getCause());
      }
    }
  }

  /**
   * @throws Throwable the failure, which the method may throw, when it is not to be tried again
   */
  private static TableLayouts next(LayoutRetry retry, TableLayouts plan, Throwable failure)
      throws Throwable {
    if (!LayoutRetry.isRefusal(failure)) {
      throw failure;
    }
    try {
      return retry.next(plan, MultiRowEndpoint.failure((Exception) failure));
    } catch (IOException e) {
      if (LayoutRetry.isInterruption(e)) {
        Thread.currentThread().interrupt();
      }
      throw failure;
    }
  }

  private Object[] completed(TableLayouts plan, byte[] row, Method method, Object[] arguments)
      throws IOException {
    if (!method.getName().startsWith("call")) {
      return arguments;
    }
    Object[] completed = arguments.clone();
    completed[2] =
        MultiRowEndpoint.completed(
            arguments[0], arguments[2], request -> completed(plan, row, request));
    return completed;
  }

  private byte[] completed(TableLayouts plan, byte[] row, byte[] bare) throws IOException {
    MultiRowRequest request = MultiRowRequest.completed(bare, plan);
    if (!plan.isDeriving()) {
      // Rows of several regions are HBase's own endpoint's to refuse.
      return request.bytes();
    }
    List<byte[]> rows = new ArrayList<>();
    rows.add(row);
    rows.addAll(request.rows());
    try {
      OneRegion.require(
          table,
          rows,
          "The rows of these bare keys lie in several regions, so they cannot be written as one.",
          "Write rows of one entity group (io.rowguard.client.RowGroup).");
    } catch (OneRegion.RowsApartException e) {
      throw e;
    } catch (IOException e) {
      if (LayoutRetry.isInterruption(e)) {
        Thread.currentThread().interrupt();
      }
      // The call looks for the region again, and fails as that of HBase's own table does.
      LOG.debug("The region of a call to an endpoint was not found at first.", e);
    }
    return request.bytes();
  }
}
