package io.rowguard.observer.peers;

import io.rowguard.observer.metrics.SampleLog;
import io.rowguard.observer.metrics.WriteMetrics;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Writes and reads rows of a table, wherever they are, from a server, within a time limit: in a
 * region of this very server directly, else through HBase's client. Thread-safe.
 *
 * <p>Rows that cannot be reached directly, since their region has just gone for example, go through
 * the client, which looks for the region until the time is over.
 */
public final class TablePeers {
  private final TableName table;
  private final ServerName self;
  private final OnlineRegions regions;
  private final ServerPeers peers;
  private final WriteMetrics metrics;
  private final LocationRefresher locations;
  private final RowReader reader;
  private final long mostBytes;

  /**
   * @param self the server that this runs on, and its regions
   * @param mostBytes more than that are not to be under way on the server
   */
  public TablePeers(
      TableName table,
      ServerName self,
      OnlineRegions regions,
      ServerPeers peers,
      long mostBytes,
      WriteMetrics metrics,
      SampleLog log) {
    this.table = table;
    this.self = self;
    this.regions = regions;
    this.peers = peers;
    this.mostBytes = mostBytes;
    this.metrics = metrics;
    this.locations = new LocationRefresher(peers, table, log);
    this.reader = new RowReader(table, peers, locations, location -> here(location));
  }

  /** The peers that all tables of the server share. */
  public ServerPeers ofServer() {
    return peers;
  }

  /**
   * Looks up the region of a row.
   *
   * @param anew whether what is remembered of it was wrong
   */
  public CompletableFuture<HRegionLocation> locate(byte[] row, boolean anew) {
    return peers
        .connection()
        .thenCompose(connection -> connection.getRegionLocator(table).getRegionLocation(row, anew));
  }

  /**
   * Sends a Get to the region of its row, wherever that is.
   *
   * @param millis how long it is waited for
   */
  public CompletableFuture<Result> ask(Get get, long millis) {
    return peers
        .connection()
        .thenCompose(connection -> RemoteWriter.open(connection, table, millis).get(get));
  }

  /** Refreshes the locations of rows that were not found where they should be. */
  public void refresh(List<byte[]> rows) {
    locations.refresh(rows);
  }

  /** Whether there is room for another batch; how large it is does not matter. */
  public boolean hasRoom() {
    return peers.hasRoom(mostBytes);
  }

  /** Counts bytes as under way, if they fit; see {@link ServerPeers#take}. */
  public boolean take(long bytes) {
    boolean taken = peers.take(bytes, mostBytes);
    if (taken) {
      metrics.forwardBytes(bytes);
    }
    return taken;
  }

  /** Counts bytes as under way that are here already, whether they fit or not. */
  public void hold(long bytes) {
    give(-bytes);
  }

  /** Gives back bytes that are not under way any more. */
  public void give(long bytes) {
    peers.give(bytes);
    metrics.forwardBytes(-bytes);
  }

  /**
   * Writes rows, each of which carries a priority, and waits for them.
   *
   * @param actions one per row, in the order of rows
   * @param bytes what they take on the heap, which is taken; given back when all of them have
   *     ended, which may be later
   * @param nanos how long they are waited for
   * @return why each row was not stored, null where it was, in the order of the actions
   */
  public List<Throwable> write(List<Row> actions, long bytes, long nanos) {
    ForwardedBatch batch =
        new ForwardedBatch(
            actions,
            bytes,
            nanos,
            over -> {
              peers.over(over);
              give(bytes);
            });
    peers.watch(batch);
    try {
      FutureUtils.addListener(
          peers.connection(), (connection, error) -> dispatch(connection, error, batch));
    } catch (Throwable e) {
      batch.fail(e);
    }
    IOException late = new IOException("No answer in time.");
    try {
      batch.await();
    } catch (InterruptedException e) {
      late = interrupted(e);
    }
    List<Throwable> failures = new ArrayList<>(batch.rows().size());
    List<byte[]> elsewhere = new ArrayList<>();
    for (ForwardedRow row : batch.rows()) {
      Throwable failure = row.failure();
      if (failure == null && !row.isStored()) {
        failure = late;
      }
      failures.add(failure == null ? null : PeerFailures.reasonOf(failure));
      if (failure instanceof LinkageError) {
        // This HBase lacks what was called: of no use to try again, so it is for HookGuard.
        throw (LinkageError) failure;
      }
      if (failure != null && !isFinal(failure) && LocationRefresher.mayBeElsewhere(failure)) {
        elsewhere.add(row.action().getRow());
      }
    }
    locations.refresh(elsewhere);
    return failures;
  }

  static IOException interrupted(InterruptedException e) {
    // HBase interrupts its handlers when a region closes; it wants to see that afterwards too.
    Thread.currentThread().interrupt();
    return (IOException) new InterruptedIOException("Interrupted while waiting").initCause(e);
  }

  /** Every row ends, whatever happens here: a handler waits for it, and its bytes are counted. */
  private void dispatch(AsyncConnection connection, Throwable error, ForwardedBatch batch) {
    try {
      if (error == null) {
        dispatch(connection, batch.rows());
      } else {
        batch.fail(error);
      }
    } catch (Throwable e) {
      batch.fail(e);
    }
  }

  /** Sends rows, which are in their order, to the queues of where they belong. */
  private void dispatch(AsyncConnection connection, List<ForwardedRow> rows) {
    AsyncTableRegionLocator locator = connection.getRegionLocator(table);
    Map<PeerQueue, List<ForwardedRow>> byQueue = new LinkedHashMap<>();
    HRegionLocation latest = null;
    List<ForwardedRow> ofLatest = null;
    for (ForwardedRow row : rows) {
      byte[] key = row.action().getRow();
      if (latest == null || !latest.getRegion().containsRow(key)) {
        CompletableFuture<HRegionLocation> location = locator.getRegionLocation(key);
        if (!location.isDone() || location.isCompletedExceptionally()) {
          dispatch(connection, row, location);
          continue;
        }
        latest = location.join();
        ofLatest = byQueue.computeIfAbsent(queue(connection, latest), queue -> new ArrayList<>());
      }
      ofLatest.add(row);
    }
    byQueue.forEach(PeerQueue::send);
  }

  /** Sends a row as soon as it is known where it belongs. */
  private void dispatch(
      AsyncConnection connection, ForwardedRow row, CompletableFuture<HRegionLocation> location) {
    FutureUtils.addListener(
        location,
        (found, error) -> {
          try {
            if (error == null) {
              queue(connection, found).send(Collections.singletonList(row));
            } else {
              row.failed(error);
            }
          } catch (Throwable e) {
            row.failed(e);
          }
        });
  }

  private PeerQueue queue(AsyncConnection connection, HRegionLocation location) {
    Region here = here(location);
    if (here == null) {
      return queue(connection, location.getServerName());
    }
    return peers.queue(
        table,
        placeOf(here),
        () ->
            new PeerQueue(
                here.getRegionInfo().getEncodedName(),
                new LocalWriter(here, rows -> queue(connection, self).send(rows)),
                peers.threads(),
                peers.threads().blocking(),
                peers.threads().blocking(),
                metrics,
                System::nanoTime));
  }

  private PeerQueue queue(AsyncConnection connection, ServerName server) {
    return peers.queue(
        table,
        server.getAddress(),
        () ->
            new PeerQueue(
                server.toString(),
                new RemoteWriter(connection, table, peers.threads().sending()),
                peers.threads(),
                Runnable::run,
                peers.threads().sending(),
                metrics,
                System::nanoTime));
  }

  /** The region, if it is open on this server; HBase still names it for a while when it is not. */
  public Region here(HRegionLocation location) {
    Region region =
        self.equals(location.getServerName())
            ? regions.getRegion(location.getRegion().getEncodedName())
            : null;
    return region == null || region.isClosing() || region.isClosed() ? null : region;
  }

  /**
   * Ends the use by a region of this server that has closed. With the last one of the table its
   * queues are forgotten.
   */
  public void leave(Region region) throws IOException {
    try {
      peers.forget(table, placeOf(region));
      if (regions.getRegions(table).stream().allMatch(other -> other == region)) {
        peers.forget(table);
      }
    } finally {
      peers.leave();
    }
  }

  /** Identifies an opening of a region: its name alone may be closed here and opened again. */
  private static String placeOf(Region region) {
    return region.getRegionInfo().getEncodedName() + "@" + System.identityHashCode(region);
  }

  /**
   * Reads a row.
   *
   * @param millis how long to wait, at most
   * @throws IOException when it cannot be read in time; clients retry unless it is final
   */
  public Result get(Get get, long millis) throws IOException {
    return reader.get(get, millis);
  }

  /** Whether it is of no use to try again. */
  public boolean isFinal(Throwable failure) {
    return peers.isFinal(failure);
  }
}
