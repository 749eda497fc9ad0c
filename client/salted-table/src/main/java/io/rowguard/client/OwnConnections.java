package io.rowguard.client;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncConnectionImpl;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.security.User;

/**
 * Opens the connections that HBase opens by itself. {@code ConnectionFactory} would open ours,
 * which the configuration names; and with another configuration it would answer with that one, from
 * which programs open further connections.
 */
final class OwnConnections {
  private static final String OF_HBASE_2 =
      "org.apache.hadoop.hbase.client.ConnectionImplementation";

  private OwnConnections() {}

  /** HBase 2.5's connection. */
  static Connection ofHBase2(Configuration conf, ExecutorService pool, User user)
      throws IOException {
    return ofHBase2(
        new Class<?>[] {Configuration.class, ExecutorService.class, User.class}, conf, pool, user);
  }

  /** HBase 2.6's connection. */
  static Connection ofHBase2(
      Configuration conf, ExecutorService pool, User user, Map<String, byte[]> attributes)
      throws IOException {
    return ofHBase2(
        new Class<?>[] {Configuration.class, ExecutorService.class, User.class, Map.class},
        conf,
        pool,
        user,
        attributes);
  }

  /** By reflection, as HBase itself does: its constructors are not public. */
  private static Connection ofHBase2(Class<?>[] types, Object... arguments) throws IOException {
    try {
      Constructor<?> constructor = Class.forName(OF_HBASE_2).getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return (Connection) constructor.newInstance(arguments);
    } catch (ReflectiveOperationException e) {
      throw unwrapped(e);
    }
  }

  /** HBase 2.5's asynchronous connection. */
  static AsyncConnection async(
      Configuration conf, ConnectionRegistry registry, String clusterId, User user) {
    return new AsyncConnectionImpl(conf, registry, clusterId, user);
  }

  /** HBase 2.6's asynchronous connection. */
  static AsyncConnection async(
      Configuration conf,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      Map<String, byte[]> attributes) {
    return new AsyncConnectionImpl(conf, registry, clusterId, user, attributes);
  }

  /**
   * HBase 3's asynchronous connection.
   *
   * @param localAddress to connect from; null for any
   */
  static AsyncConnection async(
      Configuration conf,
      ConnectionRegistry registry,
      String clusterId,
      SocketAddress localAddress,
      User user,
      Map<String, byte[]> attributes)
      throws IOException {
    try {
      return AsyncConnectionImpl.class
          .getConstructor(
              Configuration.class,
              ConnectionRegistry.class,
              String.class,
              SocketAddress.class,
              User.class,
              Map.class)
          .newInstance(conf, registry, clusterId, localAddress, user, attributes);
    } catch (ReflectiveOperationException e) {
      throw unwrapped(e);
    }
  }

  /**
   * HBase 3's connection.
   *
   * @param registry is closed with the connection, or where that cannot be opened
   */
  static Connection ofHBase3(
      Configuration conf, ConnectionRegistry registry, User user, Map<String, byte[]> attributes)
      throws IOException {
    try {
      String clusterId = registry.getClusterId().get();
      if (clusterId == null) {
        throw new IOException("The cluster has no id yet. registry=" + registry);
      }
      return AsyncBridge.toConnection(async(conf, registry, clusterId, null, user, attributes));
    } catch (IOException | InterruptedException | ExecutionException | RuntimeException e) {
      registry.close();
      throw unwrapped(e);
    }
  }

  /** The failure behind those of reflection and of futures. */
  static IOException unwrapped(Throwable failure) {
    boolean wrapped =
        failure instanceof InvocationTargetException || failure instanceof ExecutionException;
    Throwable reason = wrapped && failure.getCause() != null ? failure.getCause() : failure;
    if (reason instanceof InterruptedException) {
      return ListSender.interrupted((InterruptedException) reason);
    }
    if (reason instanceof RuntimeException) {
      throw (RuntimeException) reason;
    }
    if (reason instanceof Error) {
      throw (Error) reason;
    }
    return reason instanceof IOException ? (IOException) reason : new IOException(reason);
  }
}
