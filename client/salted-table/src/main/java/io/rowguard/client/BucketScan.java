package io.rowguard.client;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;

/**
 * One sub-scan, read piece by piece and a piece ahead: while one is consumed, the next is fetched
 * on another thread. At most two pieces are in memory.
 *
 * <p>One thread consumes ({@link #head}, {@link #advance}); {@link #close} and {@link #renewLease}
 * come from it too. HBase's scanner is no thread-safe object, so whoever uses it holds {@link
 * #scannerLock}.
 */
final class BucketScan {
  private final Table table;
  private final SubScan subScan;
  private final FetchThreads threads;
  private final int caching;
  private final int pieceRows;
  private final long pieceBytes;
  private final LongAdder notConforming;

  private final ReentrantLock scannerLock = new ReentrantLock();
  private ResultScanner scanner;
  private Scan scan;
  private boolean exhausted;
  private ScanMetrics earlierMetrics;
  // Where there is a limit, each row is one result.
  private int limitOfScanner;
  private long rowsRead;
  private long rowsGiven;
  private Result lastRead;

  // The consumer's own.
  private ArrayDeque<Result> piece = new ArrayDeque<>();
  private Fetch ahead;

  private volatile boolean closed;

  /**
   * @param threads where to fetch ahead; null to fetch nothing before it is needed
   * @param caching the most rows of one piece, 1 or more
   * @param pieceBytes after so many bytes a piece ends, too
   * @param notConforming counts rows that do not conform
   */
  BucketScan(
      Table table,
      SubScan subScan,
      FetchThreads threads,
      int caching,
      long pieceBytes,
      LongAdder notConforming)
      throws IOException {
    this.table = table;
    this.subScan = subScan;
    this.threads = threads;
    this.limitOfScanner = subScan.scan().getLimit();
    this.caching = caching;
    this.pieceRows = limitOfScanner > 0 ? Math.min(caching, limitOfScanner) : caching;
    this.pieceBytes = pieceBytes;
    this.notConforming = notConforming;
    this.scan = new Scan(subScan.scan()).setCaching(pieceRows).setMaxResultSize(pieceBytes);
  }

  /** Begins to fetch what comes next. */
  void fetchAhead() {
    ahead = new Fetch();
    if (threads != null) {
      threads.offer(ahead);
    }
  }

  /** The result that {@link #advance} went to; null before the first and after the last. */
  Result head() {
    return piece.peek();
  }

  /**
   * Goes to the next result, waiting for it where it must.
   *
   * @return whether there is one
   */
  boolean advance() throws IOException {
    piece.poll();
    while (piece.isEmpty() && ahead != null) {
      Fetch fetch = ahead;
      fetch.await();
      // A failure stays where it is, for whoever asks again.
      fetch.throwFailure(subScan);
      piece = fetch.results;
      ahead = null;
      if (!fetch.last) {
        fetchAhead();
      }
    }
    return !piece.isEmpty();
  }

  /** Closes HBase's scanner: now, or as soon as the fetch ends that is under way. Does not wait. */
  void close() {
    closed = true;
    closeScannerUnlessBusy();
  }

  private void closeScannerUnlessBusy() {
    if (scannerLock.tryLock()) {
      try {
        if (scanner != null && !exhausted) {
          exhausted = true;
          scanner.close();
        }
      } finally {
        scannerLock.unlock();
      }
    }
  }

  /** Whether the scanner will live for another while; a fetch under way renews the lease, too. */
  boolean renewLease() {
    if (!scannerLock.tryLock()) {
      return true;
    }
    try {
      return exhausted || (scanner != null && scanner.renewLease());
    } finally {
      scannerLock.unlock();
    }
  }

  /** Adds what HBase has counted so far. */
  void addMetricsTo(SaltedScanMetrics total) {
    scannerLock.lock();
    try {
      total.add(earlierMetrics);
      total.add(scanner == null ? null : scanner.getScanMetrics());
    } finally {
      scannerLock.unlock();
    }
  }

  /** Fetches one piece, on whichever thread comes first. */
  private final class Fetch implements Runnable {
    private final AtomicBoolean begun = new AtomicBoolean();
    private final CountDownLatch done = new CountDownLatch(1);
    // Written before, read after the latch.
    private final ArrayDeque<Result> results = new ArrayDeque<>();
    private boolean last;
    private Throwable failure;

    @Override
    public void run() {
      if (begun.compareAndSet(false, true)) {
        fetch();
      }
    }

    /** Returns when it is done; does it here when no other thread has begun. */
    void await() throws InterruptedIOException {
      run();
      try {
        done.await();
      } catch (InterruptedException e) {
        throw (InterruptedIOException)
            new InterruptedIOException("Interrupted while waiting for a bucket").initCause(e);
      }
    }

    void throwFailure(SubScan of) throws IOException {
      if (failure == null) {
        return;
      }
      if (failure.getSuppressed().length == 0) {
        failure.addSuppressed(new IOException("It was the scan of a bucket that failed: " + of));
      }
      if (failure instanceof IOException) {
        throw (IOException) failure;
      }
      if (failure instanceof Error) {
        throw (Error) failure;
      }
      throw (RuntimeException) failure;
    }

    private void fetch() {
      scannerLock.lock();
      try {
        last = !closed && !fill(results);
        last |= closed;
      } catch (Throwable e) {
        // Whatever it is, the consumer has to see it, not this thread.
        failure = e;
      } finally {
        scannerLock.unlock();
        done.countDown();
        if (closed) {
          closeScannerUnlessBusy();
        }
      }
    }
  }

  /** Reads one piece; answers whether there may be another. */
  private boolean fill(ArrayDeque<Result> results) throws IOException {
    long bytes = 0;
    while (results.size() < pieceRows && bytes < pieceBytes && !closed) {
      Result salted = next();
      if (salted == null) {
        exhausted = true;
        return false;
      }
      for (Cell cell : salted.rawCells()) {
        bytes += cell.heapSize();
      }
      Result bare = subScan.bare(salted, notConforming);
      rowsRead++;
      lastRead = salted;
      if (bare != null) {
        rowsGiven++;
        results.add(bare);
      }
    }
    return true;
  }

  /** The next result with its salted row, or null at the end. */
  private Result next() throws IOException {
    while (true) {
      if (scanner == null) {
        scanner = table.getScanner(scan);
      }
      Result result = scanner.next();
      if (result != null) {
        return result;
      }
      scanner.close();
      if (limitOfScanner <= 0 || rowsRead < limitOfScanner || rowsGiven >= limitOfScanner) {
        return null;
      }
      goOnAfterLastRow();
    }
  }

  /**
   * The limit of the whole scan is also that of each sub-scan, so that servers stop by themselves.
   * Where rows were read that do not count, there may be many of them: so the next scan has no
   * limit, and fetches as many rows at a time as it may.
   */
  private void goOnAfterLastRow() throws IOException {
    earlierMetrics = SaltedScanMetrics.sum(earlierMetrics, scanner.getScanMetrics());
    limitOfScanner = -1;
    scan =
        new Scan(scan)
            .withStartRow(lastRead.getRow(), false)
            .setLimit(limitOfScanner)
            .setCaching(caching);
    scanner = null;
  }
}
