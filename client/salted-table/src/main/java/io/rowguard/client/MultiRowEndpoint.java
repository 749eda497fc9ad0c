package io.rowguard.client;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.apache.hadoop.hbase.client.Table;

/**
 * Calls HBase's {@code MultiRowMutationEndpoint}. The protobuf of endpoints is another on HBase 2
 * than on 3, so a class for each makes the call, and only one of the two is loaded.
 */
final class MultiRowEndpoint {
  private MultiRowEndpoint() {}

  /**
   * Has the endpoint carry out a request, in the region of its first row.
   *
   * @return whether all conditions held, so that all was carried out
   * @throws IOException also after HBase's client has tried again
   */
  static boolean mutateRows(Table table, MultiRowRequest request) throws IOException {
    return SaltedTableOfHBase3.isThere()
        ? MultiRowEndpointOfHBase3.mutateRows(table, request)
        : MultiRowEndpointOfHBase2.mutateRows(table, request);
  }

  /**
   * The request of a call, with its rows completed if it is one of this endpoint.
   *
   * @param method the descriptor, of HBase's protobuf
   * @param request the message, likewise
   */
  static Object completed(Object method, Object request, MultiRowChannel.Completion completion)
      throws IOException {
    return SaltedTableOfHBase3.isThere()
        ? MultiRowEndpointOfHBase3.completed(method, request, completion)
        : MultiRowEndpointOfHBase2.completed(method, request, completion);
  }

  /**
   * A message that counts how often it is made bytes of: once for each time that HBase's client
   * sends it ({@code CoprocessorRpcUtils#getCoprocessorServiceRequest}, called for each try).
   *
   * @param type the interface of messages
   * @param message with the same content
   */
  static <M> M counting(Class<M> type, M message, MultiRowRequest request) {
    InvocationHandler counter =
        (self, method, arguments) -> {
          if (method.getName().equals("toByteArray")) {
            return request.send();
          }
          try {
            return method.invoke(message, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(
        Proxy.newProxyInstance(
            MultiRowEndpoint.class.getClassLoader(), new Class<?>[] {type}, counter));
  }

  /** The failure of a call, without what the channel wraps it into. */
  static IOException failure(Exception thrown) {
    Throwable cause = thrown.getCause();
    return cause instanceof IOException ? (IOException) cause : new IOException(thrown);
  }
}
