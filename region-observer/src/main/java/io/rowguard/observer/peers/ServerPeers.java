package io.rowguard.observer.peers;

import io.rowguard.config.RawConnections;
import java.io.IOException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way from one server to the regions of others, shared by all of its regions: a connection,
 * threads, the {@link PeerQueue}s, and the count of bytes that are under way. Thread-safe.
 *
 * <p>The connection is HBase's asynchronous client, since that takes a priority for each call and
 * no thread while it waits, not even for {@code hbase:meta}. A server of HBase 2 has none of its
 * own. It finds the cluster through ZooKeeper, as servers do, whatever clients are told.
 *
 * <p>It lives as long as some region of the server uses it. Tests have several servers in one JVM.
 */
public final class ServerPeers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerPeers.class);
  private static final long SWEEP_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Map<ServerName, ServerPeers> OPEN = new HashMap<>();

  private final Supplier<CompletableFuture<AsyncConnection>> connector;
  private final PeerThreads threads = new PeerThreads();
  private final Map<List<Object>, PeerQueue> queues = new ConcurrentHashMap<>();
  private final AtomicLong bytes = new AtomicLong();
  private final Set<ForwardedBatch> underWay = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean refreshing = new AtomicBoolean();
  private final PeerHealth health = new PeerHealth();
  private CompletableFuture<AsyncConnection> connection;
  private int users;
  private boolean closed;

  /**
   * @param connector connects; asked again when that failed
   */
  public ServerPeers(Supplier<CompletableFuture<AsyncConnection>> connector) {
    this.connector = connector;
    threads.every(this::endOverdue, SWEEP_NANOS);
  }

  private void endOverdue() {
    try {
      underWay.forEach(ForwardedBatch::endIfOverdue);
    } catch (Throwable e) {
      LOG.error("Rows that were forwarded long ago could not be ended; tried again soon.", e);
    }
  }

  /** The peers of a server, for one more region, which is to {@link #leave} them. */
  public static ServerPeers of(ServerName server, Configuration conf) {
    synchronized (OPEN) {
      ServerPeers own = OPEN.computeIfAbsent(server, key -> new ServerPeers(() -> connect(conf)));
      own.users++;
      return own;
    }
  }

  private static CompletableFuture<AsyncConnection> connect(Configuration conf) {
    Configuration own = new Configuration(conf);
    own.set("hbase.client.registry.impl", "org.apache.hadoop.hbase.client.ZKConnectionRegistry");
    // The server that received a cell has judged its size; here one would fail what it travels
    // with.
    own.setInt("hbase.client.keyvalue.maxsize", -1);
    RawConnections.set(own);
    return ConnectionFactory.createAsyncConnection(own);
  }

  /** Leaves one region less; with the last, everything is closed. */
  void leave() {
    synchronized (OPEN) {
      if (--users > 0) {
        return;
      }
      OPEN.values().remove(this);
    }
    close();
  }

  /** Ends all of it. Calls under way fail, or end where they are. */
  @Override
  public void close() {
    CompletableFuture<AsyncConnection> last;
    synchronized (this) {
      closed = true;
      last = connection;
    }
    threads.close();
    IOException closing = new IOException("The last region that forwards has closed.");
    underWay.forEach(batch -> batch.fail(closing));
    if (last != null) {
      FutureUtils.addListener(
          last,
          (open, error) -> {
            if (open != null) {
              close(open);
            }
          });
    }
  }

  private static void close(AsyncConnection open) {
    try {
      open.close();
    } catch (IOException e) {
      LOG.warn("The connection that forwarded could not be closed.", e);
    }
  }

  /** The connection, which opens with the first who wants it; failed when all is closed. */
  synchronized CompletableFuture<AsyncConnection> connection() {
    if (closed) {
      CompletableFuture<AsyncConnection> none = new CompletableFuture<>();
      none.completeExceptionally(new IOException("The last region that forwards has closed."));
      return none;
    }
    if (connection == null || connection.isCompletedExceptionally()) {
      connection = connector.get();
    }
    return connection;
  }

  /** Whether what fails may fail for that reason. */
  synchronized boolean isClosed() {
    return closed;
  }

  /** Whether it is of no use to try again. */
  boolean isFinal(Throwable failure) {
    return PeerFailures.isFinal(failure) && !isClosed();
  }

  PeerThreads threads() {
    return threads;
  }

  /** Whether one of the threads is refreshing locations now; see {@link LocationRefresher}. */
  AtomicBoolean refreshing() {
    return refreshing;
  }

  /** The health of peers that rows are read from, or that are asked about them. */
  public PeerHealth health() {
    return health;
  }

  /** The queue of a table to a place; made where there is none. */
  PeerQueue queue(TableName table, Object place, Supplier<PeerQueue> queue) {
    return queues.computeIfAbsent(Arrays.asList(table, place), key -> queue.get());
  }

  /** Forgets a place that nothing goes to any more; what is under way arrives. */
  void forget(TableName table, Object place) {
    queues.remove(Arrays.asList(table, place));
  }

  /** Forgets all places of a table, likewise. */
  void forget(TableName table) {
    queues.keySet().removeIf(key -> key.get(0).equals(table));
  }

  /** Whether another batch may be under way, as long as there are less bytes than that. */
  boolean hasRoom(long most) {
    return bytes.get() < most;
  }

  /**
   * Counts bytes as under way, if they fit. More than the bound fits where nothing else is under
   * way.
   */
  public boolean take(long more, long most) {
    while (true) {
      long now = bytes.get();
      if (now > 0 && now + more > most) {
        return false;
      }
      if (bytes.compareAndSet(now, now + more)) {
        return true;
      }
    }
  }

  /** Takes bytes off the count. */
  public void give(long less) {
    bytes.addAndGet(-less);
  }

  /** Watches a batch, so that it ends even if its writer forgets it. */
  void watch(ForwardedBatch batch) {
    underWay.add(batch);
  }

  /** Ends the watch of a batch. */
  void over(ForwardedBatch batch) {
    underWay.remove(batch);
  }
}
