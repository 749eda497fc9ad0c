package io.rowguard.observer.relayout;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.regionserver.Region;

/**
 * How the region of new rows gets to those of their old rows, and what of the server it may use for
 * that. Thread-safe.
 */
public interface Wire {
  /**
   * Where a row is.
   *
   * @param anew whether what is remembered of it was wrong
   */
  CompletableFuture<HRegionLocation> locate(byte[] row, boolean anew);

  /** The region, if it is open on this very server; else null. */
  Region here(HRegionLocation location);

  /**
   * Asks the region of a row, wherever that is.
   *
   * @param millis how long somebody waits for it
   */
  CompletableFuture<Result> get(Get get, long millis);

  /** What the last try failed with. */
  Throwable reasonOf(Throwable error);

  /** Begins to look up anew where rows are that were not found where they should be. */
  void refresh(List<byte[]> rows);

  /** Which places do not answer, the same for all regions of the server. */
  Silence silence();

  /** Why this server cannot take more of what is moved now, a sentence; null while it can. */
  String obstacle();

  /** So many bytes more are held, or less. */
  void hold(long more);
}
