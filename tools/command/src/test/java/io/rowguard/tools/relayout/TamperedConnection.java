package io.rowguard.tools.relayout;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.BiFunction;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/** A real connection, of which a test changes the answers to single Gets. */
final class TamperedConnection {
  private TamperedConnection() {}

  /**
   * Wraps a connection.
   *
   * @param answer is given each Get and what came of it; gives what the caller sees, or throws
   */
  static Connection of(Connection real, BiFunction<Get, Result, Result> answer) {
    return wrapped(
        Connection.class,
        real,
        (method, result) -> result instanceof Table table ? table(table, answer) : result);
  }

  private static Table table(Table real, BiFunction<Get, Result, Result> answer) {
    return wrapped(
        Table.class,
        real,
        (argument, result) ->
            argument instanceof Get get && result instanceof Result got
                ? answer.apply(get, got)
                : result);
  }

  /** Hands every call on; what comes back, with the call's first argument, may be changed. */
  private static <T> T wrapped(Class<T> type, T real, BiFunction<Object, Object, Object> change) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(real, arguments);
                return change.apply(arguments == null ? null : arguments[0], result);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
