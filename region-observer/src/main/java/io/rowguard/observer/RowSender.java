package io.rowguard.observer;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Writes and reads rows of a table, wherever they are, from a server, within a time limit: in a
 * region of this very server directly, else through HBase's client. Thread-safe.
 *
 * <p>What cannot be done directly, since the region has just gone say, goes through the client,
 * which looks for the region until the time is over.
 */
final class RowSender {
  private final TableName table;
  private final ServerName self;
  private final OnlineRegions regions;
  private final ServerForwards forwards;
  private final WriteMetrics metrics;
  private final LocationRefresher locations;

  /**
   * @param self the server that this runs on, and its regions
   */
  RowSender(
      TableName table,
      ServerName self,
      OnlineRegions regions,
      ServerForwards forwards,
      WriteMetrics metrics,
      SampleLog log) {
    this.table = table;
    this.self = self;
    this.regions = regions;
    this.forwards = forwards;
    this.metrics = metrics;
    this.locations = new LocationRefresher(forwards, table, log);
  }

  /** Those of the server that this runs on. */
  OnlineRegions regions() {
    return regions;
  }

  /**
   * Writes rows, each of which carries a priority, and waits for them.
   *
   * @return why each row was not stored, null where it was, in the order of the batch
   */
  List<Throwable> write(ForwardedBatch batch) {
    forwards.watch(batch);
    try {
      FutureUtils.addListener(
          forwards.connection(), (connection, error) -> dispatch(connection, error, batch));
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
      failures.add(failure == null ? null : Failures.reasonOf(failure));
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

  private static IOException interrupted(InterruptedException e) {
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

  /** Sends rows, which are in their order, to the lanes of where they belong. */
  private void dispatch(AsyncConnection connection, List<ForwardedRow> rows) {
    AsyncTableRegionLocator locator = connection.getRegionLocator(table);
    Map<Lane, List<ForwardedRow>> byLane = new LinkedHashMap<>();
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
        ofLatest = byLane.computeIfAbsent(lane(connection, latest), lane -> new ArrayList<>());
      }
      ofLatest.add(row);
    }
    byLane.forEach(Lane::send);
  }

  /** Sends a row as soon as it is known where it belongs. */
  private void dispatch(
      AsyncConnection connection, ForwardedRow row, CompletableFuture<HRegionLocation> location) {
    FutureUtils.addListener(
        location,
        (found, error) -> {
          try {
            if (error == null) {
              lane(connection, found).send(Collections.singletonList(row));
            } else {
              row.failed(error);
            }
          } catch (Throwable e) {
            row.failed(e);
          }
        });
  }

  private Lane lane(AsyncConnection connection, HRegionLocation location) {
    Region here = here(location);
    if (here == null) {
      return lane(connection, location.getServerName());
    }
    return forwards.lane(
        table,
        placeOf(here),
        () ->
            new Lane(
                here.getRegionInfo().getEncodedName(),
                new RegionCarrier(here, rows -> lane(connection, self).send(rows)),
                forwards.threads(),
                forwards.threads().blocking(),
                forwards.threads().blocking(),
                metrics,
                System::nanoTime));
  }

  private Lane lane(AsyncConnection connection, ServerName server) {
    return forwards.lane(
        table,
        server.getAddress(),
        () ->
            new Lane(
                server.toString(),
                new ClientCarrier(connection, table, forwards.threads().sending()),
                forwards.threads(),
                Runnable::run,
                forwards.threads().sending(),
                metrics,
                System::nanoTime));
  }

  /** The region, if it is open on this server; HBase still names it for a while when it is not. */
  Region here(HRegionLocation location) {
    Region region =
        self.equals(location.getServerName())
            ? regions.getRegion(location.getRegion().getEncodedName())
            : null;
    return region == null || region.isClosing() || region.isClosed() ? null : region;
  }

  /** A region of this server has closed; with the table's last one all its lanes are forgotten. */
  void closed(Region region) throws IOException {
    forwards.forget(table, placeOf(region));
    if (regions.getRegions(table).stream().allMatch(other -> other == region)) {
      forwards.forget(table);
    }
  }

  /** Not the region's name alone: it may close here, and be opened here again. */
  private static String placeOf(Region region) {
    return region.getRegionInfo().getEncodedName() + "@" + System.identityHashCode(region);
  }

  /**
   * Reads a row.
   *
   * @param millis how long to wait, at most
   * @throws IOException when it cannot be read in time; clients retry unless it is final
   */
  Result get(Get get, long millis) throws IOException {
    CompletableFuture<Result> answer =
        forwards
            .connection()
            .thenCompose(
                connection ->
                    connection
                        .getRegionLocator(table)
                        .getRegionLocation(get.getRow())
                        .thenCompose(location -> get(connection, here(location), get, millis)));
    try {
      return answer.get(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw interrupted(e);
    } catch (TimeoutException e) {
      throw Failures.busy("The salted row of a bare key could not be read in time. table=" + table);
    } catch (ExecutionException e) {
      Throwable error = Failures.reasonOf(e.getCause());
      boolean isFinal = isFinal(error);
      if (!isFinal && LocationRefresher.mayBeElsewhere(error)) {
        locations.refresh(Collections.singletonList(get.getRow()));
      }
      if (error instanceof LinkageError) {
        throw (LinkageError) error;
      }
      throw error instanceof IOException && (isFinal || !(error instanceof DoNotRetryIOException))
          ? (IOException) error
          : new IOException(error);
    }
  }

  private CompletableFuture<Result> get(
      AsyncConnection connection, Region here, Get get, long millis) {
    if (here == null) {
      return ClientCarrier.open(connection, table, millis).get(get);
    }
    CompletableFuture<Result> answer = new CompletableFuture<>();
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    forwards
        .threads()
        .blocking()
        .execute(
            () -> {
              if (System.nanoTime() - until >= 0) {
                return; // nobody waits for it any more
              }
              try {
                answer.complete(here.get(get));
              } catch (IOException e) {
                FutureUtils.addListener(
                    ClientCarrier.open(connection, table, millis).get(get),
                    (result, error) -> {
                      if (error == null) {
                        answer.complete(result);
                      } else {
                        answer.completeExceptionally(error);
                      }
                    });
              } catch (Throwable e) {
                answer.completeExceptionally(e);
              }
            });
    return answer;
  }

  /** Whether it is of no use to try again. */
  boolean isFinal(Throwable failure) {
    return Failures.isFinal(failure) && !forwards.isClosed();
  }
}
