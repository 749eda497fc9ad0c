package io.rowguard.tools.cluster;

import io.rowguard.tools.cli.CommandFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * A connection to a live cluster, whose every question ends in time. Thread-safe.
 *
 * <p>HBase's own timeouts bound single calls, but not all of what happens around them (ZooKeeper,
 * the search for a region). So each question runs in a thread of its own and is given up when the
 * time is over; the threads do not keep the process alive.
 */
public final class Cluster implements AutoCloseable {
  private static final int AT_ONCE = 8;

  private final Configuration conf;
  private final int timeoutSeconds;
  private final ExecutorService askers = Executors.newCachedThreadPool(Cluster::daemon);
  private final ExecutorService workers = Executors.newFixedThreadPool(AT_ONCE, Cluster::daemon);
  private Connection connection;
  private Admin admin;

  private Cluster(Configuration conf, int timeoutSeconds) {
    this.conf = conf;
    this.timeoutSeconds = timeoutSeconds;
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "rowguard");
    thread.setDaemon(true);
    return thread;
  }

  /**
   * Connects to a cluster.
   *
   * @throws CommandFailure when it does not answer in time
   */
  @SuppressWarnings("resource") // closed here when it fails, else by the caller
  public static Cluster connect(ClusterOptions options) {
    Cluster cluster = new Cluster(ClientConfiguration.inTime(options), options.timeoutSeconds());
    try {
      cluster.connection = cluster.ask(() -> ConnectionFactory.createConnection(cluster.conf));
      cluster.admin = cluster.connection.getAdmin();
      // A connection alone asks no server; the master's id does.
      cluster.ask(() -> cluster.admin.getClusterMetrics(EnumSet.of(Option.MASTER)));
      return cluster;
    } catch (NoAnswer e) {
      cluster.close();
      throw cluster.unreachable(e);
    } catch (IOException e) {
      cluster.close();
      throw cluster.unreachable(new NoAnswer(NoAnswer.reason(e), e));
    }
  }

  /** The failure of a command that cannot go on without an answer of the cluster. */
  public CommandFailure unreachable(NoAnswer e) {
    return new CommandFailure(
        "The cluster does not answer. "
            + ClientConfiguration.where(conf)
            + " why=\""
            + e.getMessage()
            + "\". Is it up, and the right one (--site FILE)? --timeout SECONDS waits longer.",
        e);
  }

  /** The client's configuration. */
  public Configuration conf() {
    return conf;
  }

  public Connection connection() {
    return connection;
  }

  public Admin admin() {
    return admin;
  }

  /** The longest wait for one answer. */
  public int timeoutSeconds() {
    return timeoutSeconds;
  }

  /**
   * Asks a question and waits for the answer, for {@link #timeoutSeconds} at most.
   *
   * @throws NoAnswer when there is none in time, or a failure
   */
  public <T> T ask(Callable<T> question) throws NoAnswer {
    Future<T> answer = askers.submit(question);
    try {
      return answer.get(timeoutSeconds, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new NoAnswer("no answer within " + timeoutSeconds + " s", e);
    } catch (ExecutionException e) {
      throw new NoAnswer(NoAnswer.reason(e.getCause()), e.getCause());
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new NoAnswer("interrupted", e);
    }
  }

  /**
   * Returns when a table exists.
   *
   * @throws CommandFailure when there is none, or the cluster does not answer in time
   */
  public void requireTable(TableName table) {
    try {
      if (!ask(() -> admin.tableExists(table))) {
        throw new CommandFailure(
            "There is no such table. table=" + table + ". `list` in the HBase shell shows them.");
      }
    } catch (NoAnswer e) {
      throw unreachable(e);
    }
  }

  /**
   * The descriptor of a table that its servers read.
   *
   * @param wayOut where it is disabled
   * @throws CommandFailure when there is none, it is disabled, or the cluster does not answer in
   *     time
   */
  public TableDescriptor enabledTable(TableName table, String wayOut) {
    requireTable(table);
    try {
      if (!ask(() -> admin.isTableEnabled(table))) {
        throw new CommandFailure(
            "The table is disabled, so its servers read nothing. table=" + table + ". " + wayOut);
      }
      return ask(() -> admin.getDescriptor(table));
    } catch (NoAnswer e) {
      throw unreachable(e);
    }
  }

  /**
   * Does several works side by side, {@value #AT_ONCE} at a time, each of which bounds its own
   * questions by {@link #ask}; answers what came of them, in the same order.
   */
  public <T> List<T> each(List<? extends Callable<T>> works) {
    List<T> results = new ArrayList<>();
    try {
      for (Future<T> result : workers.invokeAll(works)) {
        results.add(result.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
    return results;
  }

  @Override
  public void close() {
    if (connection != null) {
      // A connection whose servers are silent may not close in time: the process ends without that.
      Future<Object> unused =
          askers.submit(
              () -> {
                connection.close();
                return null;
              });
    }
    askers.shutdown();
    workers.shutdown();
  }
}
