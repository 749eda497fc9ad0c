package io.rowguard.client;

import io.rowguard.layout.SaltBucket;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One sub-scan, read piece by piece and a piece ahead: while one is consumed, the next is fetched
 * on another thread, but for the first, whose successor is fetched when it is nearly consumed: many
 * scans end before. At most two pieces are in memory.
 *
 * <p>The first piece is a scan of its own with a limit, which the server closes in the same call:
 * so a scan that ends early leaves nothing open, and has nothing to close.
 *
 * <p>One thread consumes ({@link #head}, {@link #advance}); {@link #close} and {@link #renewLease}
 * come from it too. HBase's scanner is no thread-safe object, so whoever uses it holds {@link
 * #scannerLock}.
 */
final class BucketScan {
  private final SaltedRows rows;
  private final SubScan subScan;
  private final boolean readsAhead;
  private final PieceSizes sizes;
  private final int limit;
  private final LongAdder notConforming;

  private final ReentrantLock scannerLock = new ReentrantLock();
  private ResultScanner scanner;
  private Scan scan;
  private boolean exhausted;
  private ScanMetrics earlierMetrics;
  // With a limit, each row is one result.
  private int limitOfScanner;
  private long rowsOfScanner;
  private long rowsRead;
  private long rowsGiven;
  private Result lastRead;

  // The consumer's own.
  private ArrayDeque<Result> piece = new ArrayDeque<>();
  private byte[] rowArray;
  private int rowOffset;
  private int rowLength;
  private Fetch ahead;
  // With so many results left, or fewer, the next piece is fetched; negative at the end.
  private int aheadAt;
  private boolean withFirstPiece;

  private volatile boolean closed;

  /**
   * @param readsAhead whether to fetch before it is needed
   * @param notConforming counts rows that do not conform
   */
  BucketScan(
      SaltedRows rows,
      SubScan subScan,
      boolean readsAhead,
      PieceSizes sizes,
      LongAdder notConforming)
      throws IOException {
    this.rows = rows;
    this.subScan = subScan;
    this.readsAhead = readsAhead;
    this.sizes = sizes;
    this.limit = subScan.scan().getLimit();
    this.notConforming = notConforming;
    this.limitOfScanner = firstLimit();
    this.scan =
        new Scan(subScan.scan())
            .setLimit(limitOfScanner)
            .setCaching(sizes.firstRows())
            .setMaxResultSize(sizes.firstBytes());
  }

  /** A limit is set only where each row is one result. */
  private int firstLimit() {
    if (sizes.firstRows() == sizes.rows()) {
      return limit;
    }
    return limit > 0 ? Math.min(limit, sizes.firstRows()) : sizes.firstRows();
  }

  SaltBucket bucket() {
    return subScan.bucket();
  }

  /** Begins to fetch what comes next. */
  void fetchAhead() throws IOException {
    ahead = new Fetch();
    if (!readsAhead) {
      return;
    }
    if (rows.threads() != null) {
      rows.threads().offer(ahead.offered);
    } else {
      openAhead();
    }
  }

  /** Opens the scanner that the next fetch reads, which begins to read by itself. */
  private void openAhead() throws IOException {
    scannerLock.lock();
    try {
      if (closed || exhausted) {
        return;
      }
      if (scanner != null && isScannerAtItsLimit() && !isLimitReached()) {
        scanner.close();
        goOnAfterLastRow();
      }
      openUnlessOpen();
    } finally {
      scannerLock.unlock();
    }
  }

  /** The result that {@link #advance} went to; null before the first and after the last. */
  Result head() {
    return piece.peek();
  }

  /** The last result that is known already; there is one when there is a head. */
  Result lastKnown() {
    return piece.peekLast();
  }

  /** Whether what comes after the head, which there is, may have to come from a server first. */
  boolean mayWait() {
    return piece.size() < 2;
  }

  /** How the row of the head, which there is, compares with that of another's. */
  int compareRows(BucketScan other) {
    return Bytes.compareTo(
        rowArray, rowOffset, rowLength, other.rowArray, other.rowOffset, other.rowLength);
  }

  /**
   * Goes to the next result, waiting for it where it must.
   *
   * @return whether there is one
   */
  boolean advance() throws IOException {
    piece.poll();
    fetchAheadIfLow();
    while (piece.isEmpty() && ahead != null) {
      Fetch fetch = ahead;
      fetch.await();
      // A failure stays where it is, for whoever asks again.
      fetch.throwFailure(subScan);
      piece = fetch.results;
      ahead = null;
      aheadAt = fetch.last ? -1 : withFirstPiece ? piece.size() : piece.size() / 4;
      withFirstPiece = true;
      fetchAheadIfLow();
    }
    Result head = piece.peek();
    if (head != null) {
      // Asked of a cell each time that two are compared, these would be half of what a scan costs.
      Cell cell = head.rawCells()[0];
      rowArray = cell.getRowArray();
      rowOffset = cell.getRowOffset();
      rowLength = cell.getRowLength();
    }
    return head != null;
  }

  private void fetchAheadIfLow() throws IOException {
    if (ahead == null && piece.size() <= aheadAt) {
      fetchAhead();
    }
  }

  /**
   * What an executor holds of a fetch: no rows once it has begun, for where all threads wait for
   * servers this stays in their queue.
   */
  private static final class Offered implements Runnable {
    private final AtomicReference<Fetch> fetch;

    Offered(Fetch fetch) {
      this.fetch = new AtomicReference<>(fetch);
    }

    @Override
    public void run() {
      Fetch unbegun = fetch.getAndSet(null);
      if (unbegun != null) {
        unbegun.fetch();
      }
    }
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

  /**
   * Whether what is open will live for another while; a fetch under way renews the lease, too.
   * Between two scanners nothing is open, nor when one has come to its limit, which closes it.
   */
  boolean renewLease() {
    if (!scannerLock.tryLock()) {
      return true;
    }
    try {
      boolean open = scanner != null && !exhausted && !isScannerAtItsLimit();
      return !open || scanner.renewLease();
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
  private final class Fetch {
    private final Offered offered = new Offered(this);
    private final CountDownLatch done = new CountDownLatch(1);
    // Written before, read after the latch.
    private final ArrayDeque<Result> results = new ArrayDeque<>();
    private boolean last;
    private Throwable failure;

    /** Returns when it is done; does it here when no other thread has begun. */
    void await() throws InterruptedIOException {
      offered.run();
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
        // The consumer has to see any failure, not this thread.
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
    boolean first = rowsRead == 0;
    int mostRows = first ? sizes.firstRows() : sizes.rows();
    long mostBytes = first ? sizes.firstBytes() : sizes.bytes();
    long bytes = 0;
    while (results.size() < mostRows && bytes < mostBytes && !isLimitReached() && !closed) {
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
    return !isLimitReached();
  }

  private boolean isLimitReached() {
    return limit > 0 && rowsGiven >= limit;
  }

  /** The next result with its salted row, or null at the end. */
  private Result next() throws IOException {
    while (true) {
      openUnlessOpen();
      Result result = scanner.next();
      if (result != null) {
        rowsOfScanner++;
        return result;
      }
      scanner.close();
      if (!isScannerAtItsLimit()) {
        return null;
      }
      goOnAfterLastRow();
    }
  }

  private void openUnlessOpen() throws IOException {
    if (scanner == null) {
      scanner = rows.getScanner(scan);
      rowsOfScanner = 0;
    }
  }

  /** Whether the scanner has given all that it may; the server has closed it then. */
  private boolean isScannerAtItsLimit() {
    return limitOfScanner > 0 && rowsOfScanner >= limitOfScanner;
  }

  /**
   * The limit of the whole scan is also that of each sub-scan, so that servers stop by themselves.
   * After rows that do not count there may be many more of them, so the next scan has no limit
   * then.
   */
  private void goOnAfterLastRow() throws IOException {
    earlierMetrics = SaltedScanMetrics.sum(earlierMetrics, scanner.getScanMetrics());
    boolean allCount = rowsRead == rowsGiven;
    limitOfScanner = limit > 0 && allCount ? (int) (limit - rowsGiven) : -1;
    scan =
        new Scan(subScan.scan())
            .withStartRow(lastRead.getRow(), false)
            .setLimit(limitOfScanner)
            .setCaching(sizes.rows())
            .setMaxResultSize(sizes.bytes());
    scanner = null;
  }
}
