package io.rowguard.client;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;

/** The ways between a connection and an asynchronous one, which only HBase 3 has. */
final class AsyncBridge {
  private static final MethodHandle TO_CONNECTION =
      find(AsyncConnection.class, "toConnection", Connection.class);
  private static final MethodHandle TO_ASYNC =
      find(Connection.class, "toAsyncConnection", AsyncConnection.class);

  private AsyncBridge() {}

  /** Null on another release. */
  private static MethodHandle find(Class<?> type, String name, Class<?> result) {
    try {
      return MethodHandles.publicLookup().findVirtual(type, name, MethodType.methodType(result));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return null;
    }
  }

  /** {@code AsyncConnection.toConnection}. */
  static Connection toConnection(AsyncConnection connection) {
    if (TO_CONNECTION == null) {
      throw new UnsupportedOperationException("Only HBase 3 has AsyncConnection.toConnection.");
    }
    try {
      return (Connection) TO_CONNECTION.invokeExact(connection);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("It throws no checked exception.", e);
    }
  }

  /** {@code Connection.toAsyncConnection}. */
  static AsyncConnection toAsyncConnection(Connection connection) {
    if (TO_ASYNC == null) {
      throw new UnsupportedOperationException("Only HBase 3 has Connection.toAsyncConnection.");
    }
    try {
      return (AsyncConnection) TO_ASYNC.invokeExact(connection);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("It throws no checked exception.", e);
    }
  }
}
