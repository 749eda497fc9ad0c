package io.rowguard.mapreduce.relayout;

import io.rowguard.layout.FailureText;
import io.rowguard.layout.LayoutChange;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * Has old rows pulled to their new places: it touches the new row of each, in batches, one batch
 * for each region of new rows. It has no state that matters: what it is told of and does not get
 * done is found again by whoever looks for old rows next; so any number of these may work on one
 * table, and each may be killed at any time.
 *
 * <p>While the relayout is paused it waits; its pace says so.
 *
 * <p>Batches, and what waits for them, are bounded in rows and in bytes of keys, as a key may have
 * 32 kB. Cells do not come here: a region answers some words for each row that it was asked to
 * touch, and bounds by itself what it reads and writes for them at a time ({@code PullSource},
 * {@code Puller}).
 *
 * <p>Not thread-safe, but for the numbers, which others may read meanwhile.
 */
public final class RowMover implements Closeable {
  /** Rows in one request. */
  public static final int BATCH = 100;

  /** Bytes of keys after which a request is full; one has a key more at most. */
  private static final int BATCH_BYTES = 256 << 10;

  /** Rows that wait for their batch to be full, of all regions together. */
  private static final int MOST_WAITING = 20_000;

  private static final int MOST_WAITING_BYTES = 4 << 20;

  private final LayoutChange change;
  private final long generation;
  private final MovePace pace;
  private final Table table;
  private final RegionLocator locator;
  private final Map<String, Batch> batches = new HashMap<>();
  private final AtomicLong moved = new AtomicLong();
  private final AtomicLong unmoved = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private volatile String failure;
  private volatile String refusal;
  private volatile String end;
  private int waiting;
  private int waitingBytes;

  /** New rows of one region. */
  private static final class Batch {
    private final List<byte[]> rows = new ArrayList<>();
    private int bytes;

    void add(byte[] row) {
      rows.add(row);
      bytes += row.length;
    }

    boolean isFull() {
      return rows.size() >= BATCH || bytes >= BATCH_BYTES;
    }
  }

  /**
   * A mover for a table that is in relayout.
   *
   * @param generation of the relayout; where a region is in another one, nothing more is moved
   * @param pace may be shared
   */
  public RowMover(
      Connection connection, TableName table, LayoutChange change, long generation, MovePace pace)
      throws IOException {
    this.change = change;
    this.generation = generation;
    this.pace = pace;
    this.table = connection.getTable(table);
    this.locator = connection.getRegionLocator(table);
  }

  /** Whether a row stands at its old place. */
  public boolean isOld(byte[] row, int offset, int length) {
    return change.place(row, offset, length) == LayoutChange.Place.OLD;
  }

  /**
   * Has an old row pulled, now or with others; where that fails it is counted, and nothing else.
   *
   * @throws IOException when it makes no sense to go on: no permission, or an interruption
   */
  public void add(byte[] oldRow) throws IOException {
    byte[] newRow = change.toNew(oldRow);
    HRegionLocation location;
    try {
      location = locator.getRegionLocation(newRow);
    } catch (IOException e) {
      failed(1, e);
      return;
    }
    String region = location.getRegion().getEncodedName();
    Batch batch = batches.computeIfAbsent(region, name -> new Batch());
    batch.add(newRow);
    waiting++;
    waitingBytes += newRow.length;
    if (batch.isFull()) {
      send(region);
    } else if (waiting >= MOST_WAITING || waitingBytes >= MOST_WAITING_BYTES) {
      flush();
    }
  }

  /**
   * Has everything pulled that has been added.
   *
   * @throws IOException as {@link #add}
   */
  public void flush() throws IOException {
    for (String region : new ArrayList<>(batches.keySet())) {
      send(region);
    }
  }

  private void send(String region) throws IOException {
    Batch batch = batches.remove(region);
    List<byte[]> rows = batch.rows;
    waiting -= rows.size();
    waitingBytes -= batch.bytes;
    try {
      RelayoutResponse response;
      do {
        if (end != null || !pace.await(rows.size())) {
          return;
        }
        response = answer(rows);
      } while (response.isPaused());
      count(rows, response);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("Interrupted.").initCause(e);
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      if (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException)) {
        throw e;
      }
      failed(rows.size(), e);
      // A region may have moved, or be divided.
      lookUpAnew(rows.get(0));
    }
  }

  private RelayoutResponse answer(List<byte[]> rows) throws IOException {
    try {
      Get get = RelayoutRequest.touch(generation, rows).toGet(rows.get(0));
      RelayoutResponse response = RelayoutResponse.of(table.get(get));
      pace.answered(response.isPaused());
      return response;
    } finally {
      pace.done();
    }
  }

  private void failed(int rows, IOException e) {
    failed(rows, FailureText.of(e));
  }

  private void failed(int rows, String why) {
    failed.addAndGet(rows);
    failure = why;
    pace.busy();
  }

  private void lookUpAnew(byte[] row) {
    try {
      locator.getRegionLocation(row, true);
    } catch (IOException e) {
      failure = FailureText.of(e);
    }
  }

  private void count(List<byte[]> rows, RelayoutResponse response) {
    if (response.generation() != generation) {
      end =
          "the region of "
              + table.getName()
              + " that was asked is in another generation: "
              + response.generation()
              + ", not "
              + generation;
      return;
    }
    if (response.items().size() != rows.size()) {
      failed(
          rows.size(),
          "The answer of a region does not fit its request. table="
              + table.getName()
              + " asked="
              + rows.size()
              + " answered="
              + response.items().size());
      lookUpAnew(rows.get(0));
      return;
    }
    boolean isBusy = false;
    for (int i = 0; i < rows.size(); i++) {
      RelayoutResponse.Item item = response.items().get(i);
      switch (item.outcome()) {
        case DONE:
          moved.incrementAndGet();
          break;
        case UNMOVED:
          unmoved.incrementAndGet();
          break;
        case REFUSED:
          refused.incrementAndGet();
          failed.incrementAndGet();
          refusal = item.words();
          break;
        case NOT_HERE:
          failed.incrementAndGet();
          failure = "a region has been divided or merged meanwhile";
          lookUpAnew(rows.get(i));
          break;
        default:
          failed.incrementAndGet();
          failure = item.words().isEmpty() ? item.outcome().name() : item.words();
          isBusy = true;
          break;
      }
    }
    if (isBusy) {
      pace.busy();
    } else {
      pace.well();
    }
  }

  /** How many rows it has moved. */
  public long moved() {
    return moved.get();
  }

  /** How many rows were not there any more when they were touched: they had moved otherwise. */
  public long unmoved() {
    return unmoved.get();
  }

  /** How many rows could not be moved this time. */
  public long failed() {
    return failed.get();
  }

  /** How many of these a region has refused: it does not help to try again. */
  public long refused() {
    return refused.get();
  }

  /** Why one of those was refused, the last one; null when none was. */
  public String refusal() {
    return refusal;
  }

  /** Why one could not be moved that may be tried again, the last one; null when there is none. */
  public String failure() {
    return failure;
  }

  /**
   * Why nothing more is moved: the relayout has ended or has been turned; null while it has not.
   */
  public String end() {
    return end;
  }

  /** Closes the table; sends nothing. */
  @Override
  public void close() throws IOException {
    try {
      locator.close();
    } finally {
      table.close();
    }
  }
}
