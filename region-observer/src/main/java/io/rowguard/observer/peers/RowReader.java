package io.rowguard.observer.peers;

import io.rowguard.observer.request.InternalRpcCall;
import java.io.IOException;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * Reads rows of a table for handlers that wait. A region that answers nothing to any of them holds
 * one, and the others are told to try again ({@link PeerHealth}). Thread-safe.
 */
final class RowReader {
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final TableName table;
  private final ServerPeers peers;
  private final LocationRefresher locations;
  private final Function<HRegionLocation, Region> here;

  /**
   * @param here gives the region of this very server, null for any other
   */
  RowReader(
      TableName table,
      ServerPeers peers,
      LocationRefresher locations,
      Function<HRegionLocation, Region> here) {
    this.table = table;
    this.peers = peers;
    this.locations = locations;
    this.here = here;
  }

  /**
   * Reads a row.
   *
   * @param millis how long to wait, at most
   * @throws IOException when it cannot be read in time; clients retry unless it is final
   */
  Result get(Get get, long millis) throws IOException {
    AtomicReference<PeerHealth.Attempt> attempt = new AtomicReference<>();
    CompletableFuture<Result> answer =
        peers
            .connection()
            .thenCompose(
                connection ->
                    connection
                        .getRegionLocator(table)
                        .getRegionLocation(get.getRow())
                        .thenCompose(at -> get(connection, at, get, millis, attempt)));
    try {
      return await(answer, attempt, millis);
    } catch (InterruptedException e) {
      throw TablePeers.interrupted(e);
    } catch (TimeoutException e) {
      throw new RegionTooBusyException(
          "The salted row of a bare key could not be read in time. table=" + table);
    } catch (ExecutionException e) {
      Throwable error = PeerFailures.reasonOf(e.getCause());
      boolean isFinal = peers.isFinal(error);
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

  /** Waits for an answer, unless the peer gives none to any caller. */
  private static Result await(
      CompletableFuture<Result> answer, AtomicReference<PeerHealth.Attempt> attempt, long millis)
      throws InterruptedException, ExecutionException, TimeoutException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    try {
      while (true) {
        long left = until - System.nanoTime();
        try {
          return answer.get(Math.min(left, SLICE_NANOS), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
          PeerHealth.Attempt own = attempt.get();
          if (left <= SLICE_NANOS || (own != null && !own.mayWait())) {
            throw e;
          }
        }
      }
    } finally {
      PeerHealth.Attempt own = attempt.get();
      if (own != null) {
        own.givenUp(); // nothing where it has ended
      }
    }
  }

  private CompletableFuture<Result> get(
      AsyncConnection connection,
      HRegionLocation location,
      Get get,
      long millis,
      AtomicReference<PeerHealth.Attempt> attempt) {
    PeerHealth.Attempt own =
        peers.health().begin(location.getServerName(), location.getRegion().getEncodedName());
    if (own == null) {
      CompletableFuture<Result> none = new CompletableFuture<>();
      none.completeExceptionally(
          new RegionTooBusyException(
              "The region of the salted row of a bare key does not answer. table="
                  + table
                  + " region="
                  + location.getRegion().getEncodedName()
                  + " server="
                  + location.getServerName()));
      return none;
    }
    attempt.set(own);
    // In this order: who has an answer may ask again at once.
    return get(connection, here.apply(location), get, millis)
        .whenComplete(
            (result, error) -> own.ended(error == null ? null : PeerFailures.reasonOf(error)));
  }

  private CompletableFuture<Result> get(
      AsyncConnection connection, Region here, Get get, long millis) {
    if (here == null) {
      return RemoteWriter.open(connection, table, millis).get(get);
    }
    CompletableFuture<Result> answer = new CompletableFuture<>();
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    peers
        .threads()
        .blocking()
        .execute(
            () -> {
              if (System.nanoTime() - until >= 0) {
                answer.completeExceptionally(new IOException("It is not waited for any more."));
                return;
              }
              try {
                // Other coprocessors of the region may look at the request.
                answer.complete(
                    InternalRpcCall.run(millis, Collections.emptyList(), () -> here.get(get)));
              } catch (IOException e) {
                FutureUtils.addListener(
                    RemoteWriter.open(connection, table, millis).get(get),
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
}
