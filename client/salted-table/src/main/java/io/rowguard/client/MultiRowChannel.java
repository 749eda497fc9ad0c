package io.rowguard.client;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.ipc.CoprocessorRpcChannel;

/**
 * A channel to the endpoints of one region that completes the rows in calls of {@code
 * MultiRowMutationEndpoint}, which are bare keys, and hands on all other calls as they are. Its
 * interface is of another protobuf on HBase 2 than on 3, so it is a proxy. Thread-safe as the
 * channel is.
 */
final class MultiRowChannel implements InvocationHandler {
  private final CoprocessorRpcChannel channel;
  private final Completion completion;

  private MultiRowChannel(CoprocessorRpcChannel channel, Completion completion) {
    this.channel = channel;
    this.completion = completion;
  }

  /** Makes of a request with bare keys the same with stored rows; both as they travel. */
  interface Completion {
    byte[] of(byte[] request) throws IOException;
  }

  /**
   * The channel to the region of a stored row.
   *
   * @param table of stored rows
   */
  static CoprocessorRpcChannel to(byte[] row, Table table, LayoutCache layouts) {
    Completion completion =
        bare -> {
          MultiRowRequest request = MultiRowRequest.completed(bare, layouts.now());
          List<byte[]> rows = new ArrayList<>();
          rows.add(row);
          rows.addAll(request.rows());
          OneRegion.require(
              table,
              rows,
              "The rows of these bare keys lie in several regions, so they cannot be written as"
                  + " one.",
              "Write rows of one entity group (io.rowguard.client.RowGroup).");
          return request.bytes();
        };
    return (CoprocessorRpcChannel)
        Proxy.newProxyInstance(
            MultiRowChannel.class.getClassLoader(),
            new Class<?>[] {CoprocessorRpcChannel.class},
            new MultiRowChannel(table.coprocessorService(row), completion));
  }

  /**
   * {@code callMethod} and {@code callBlockingMethod} have a method's descriptor, a controller, and
   * a request as their first arguments.
   *
   * @throws IllegalArgumentException for a request whose rows cannot be completed
   */
  @Override
  public Object invoke(Object self, Method method, Object[] arguments) throws Throwable {
    Object[] completed = arguments;
    if (method.getName().startsWith("call")) {
      completed = arguments.clone();
      try {
        completed[2] = MultiRowEndpoint.completed(arguments[0], arguments[2], completion);
      } catch (IOException e) {
        throw new IllegalArgumentException(e.getMessage(), e);
      }
    }
    try {
      return method.invoke(channel, completed);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
