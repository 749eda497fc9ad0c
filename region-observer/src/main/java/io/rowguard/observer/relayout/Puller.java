package io.rowguard.observer.relayout;

import io.rowguard.layout.LayoutChange;
import io.rowguard.observer.metrics.RelayoutMetrics;
import io.rowguard.observer.peers.TablePeers;
import io.rowguard.observer.request.InternalMutations;
import io.rowguard.relayout.EmptiedRange;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Gets old rows to this region of their new ones before something is written there. The
 * specification is {@code PullSteps} of {@code testing/relayout-model}, whose steps are named here.
 * One per region instance; thread-safe.
 *
 * <p>Callers hold no row lock of HBase's. All of it is in the thread that calls, and ends in the
 * time that it is given, or when the region closes. A failure needs not be undone: the next pull
 * finds what there is.
 */
public final class Puller {
  /** Limit of rows that are pulled at a time. */
  public static final int MOST_ROWS = 1_024;

  private final HRegion region;
  private final LayoutChange change;
  private final long generation;
  private final TablePeers peers;
  private final GlobalMemstore memstore;
  private final RelayoutMetrics metrics;
  private final KeyLocks locks = new KeyLocks();
  private final PulledRows pulledRows = new PulledRows();
  private final EmptiedRanges emptied = new EmptiedRanges();
  private final PullClient client;
  private final Copies copies;
  private final ReadBack readBack;
  private final boolean anyOrder;

  /**
   * @param anyOrder whether edits arrive from other clusters in any order
   * @param own marks the copies as the region's own
   * @param readBack looks at copies before their old rows are deleted
   */
  public Puller(
      HRegion region,
      LayoutChange change,
      long generation,
      boolean anyOrder,
      TablePeers peers,
      GlobalMemstore memstore,
      InternalMutations own,
      ReadBack readBack,
      RelayoutMetrics metrics) {
    this.region = region;
    this.change = change;
    this.generation = generation;
    this.peers = peers;
    this.memstore = memstore;
    this.metrics = metrics;
    this.client = new PullClient(peers, region);
    this.copies = new Copies(region, own, metrics);
    this.readBack = readBack;
    this.anyOrder = anyOrder;
  }

  /** Whether a row is known to be pulled. Asks and waits for nothing. */
  public boolean isPulled(byte[] newRow) {
    return pulledRows.contains(newRow) || (isEmptied(newRow) && !locks.isLocked(newRow));
  }

  /**
   * Whether the old region has said so. Where a thread has the row's lock it may have read the old
   * row before that went, and be about to write its copy.
   */
  private boolean isEmptied(byte[] newRow) {
    return !emptied.isEmpty() && emptied.contains(change.toOld(newRow));
  }

  /**
   * Pulls rows.
   *
   * @param newRows each in this region and {@link LayoutChange.Place#NEW}, in any order
   * @param millis how long it may take
   * @param byTouch whether they are pulled without a write of them
   * @return what it came to for each row
   * @throws InterruptedIOException when HBase interrupts the thread, since the region closes
   */
  public List<Pulled> pull(List<byte[]> newRows, long millis, boolean byTouch)
      throws InterruptedIOException {
    long began = System.nanoTime();
    TreeSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (byte[] row : newRows) {
      if (!isPulled(row)) {
        rows.add(row);
      }
    }
    Work work = new Work(new ArrayList<>(rows), byTouch);
    if (!rows.isEmpty()) {
      try {
        work.run(began + TimeUnit.MILLISECONDS.toNanos(millis));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // which HBase wants to see afterwards too
        throw (InterruptedIOException)
            new InterruptedIOException("Interrupted while pulling").initCause(e);
      } finally {
        if (!byTouch) {
          metrics.blocked(System.nanoTime() - began);
        }
      }
    }
    List<Pulled> answers = new ArrayList<>(newRows.size());
    for (byte[] row : newRows) {
      answers.add(rows.contains(row) ? work.of(row) : Pulled.UNMOVED);
    }
    return answers;
  }

  /** Why this server cannot take more of what is moved now, a sentence; null while it can. */
  private String obstacle() {
    return peers.hasRoom() ? memstore.obstacle() : "Too much is being moved by this server.";
  }

  /** Rows that are pulled together. */
  private final class Work {
    private final List<byte[]> rows;
    private final Pulled[] results;
    private final boolean byTouch;

    Work(List<byte[]> sorted, boolean byTouch) {
      this.rows = sorted;
      this.results = new Pulled[sorted.size()];
      this.byTouch = byTouch;
    }

    Pulled of(byte[] row) {
      return results[Collections.binarySearch(rows, row, Bytes.BYTES_COMPARATOR)];
    }

    /** Steps 1 and 8; between them each round pulls what fits into one response. */
    void run(long until) throws InterruptedException {
      try (KeyLocks.Held held = locks.lock(rows, until - System.nanoTime())) {
        if (held == null) {
          fail(0, rows.size(), "Others are pulling the same rows.");
          return;
        }
        if (held.waited()) {
          metrics.waited();
        }
        List<Integer> left = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
          byte[] row = rows.get(i);
          if ((held.waited() && pulledRows.contains(row)) || isEmptied(row)) {
            results[i] = Pulled.UNMOVED;
          } else {
            left.add(i);
          }
        }
        while (!left.isEmpty()) {
          String obstacle = obstacle();
          left = obstacle == null ? round(left, until) : fail(left, obstacle);
        }
        if (!byTouch) { // else all rows of the table would be remembered, without a write
          remember();
        }
      }
    }

    /** Steps 2 to 7 for some rows; answers which are to be asked about again. */
    private List<Integer> round(List<Integer> indexes, long until) throws InterruptedException {
      List<byte[]> oldRows = new ArrayList<>(indexes.size());
      for (int index : indexes) {
        oldRows.add(change.toOld(rows.get(index)));
      }
      List<PullClient.Reply> items =
          client.ask(oldRows, some -> RelayoutRequest.ask(generation, pick(oldRows, some)), until);
      List<Integer> later = new ArrayList<>();
      List<Copy> found = new ArrayList<>();
      boolean progress = false;
      long bytes = 0;
      for (int i = 0; i < indexes.size(); i++) {
        int index = indexes.get(i);
        PullClient.Reply item = items.get(i);
        switch (item.outcome()) {
          case NOTHING:
            learn(EmptiedRange.of(item.item()));
            found.add(Copy.ofNothing(index, rows.get(index)));
            break;
          case CELLS:
            bytes += item.item().bytes().length;
            addCopy(found, index, oldRows.get(i), item);
            break;
          case LATER:
            later.add(index);
            continue;
          case NOT_YET:
            results[index] = Pulled.NOT_YET;
            break;
          default:
            fail(index, index + 1, item.item().words());
            break;
        }
        progress = true;
      }
      peers.hold(bytes);
      try {
        copies.write(found, until);
        readBack.check(found);
        drop(found, until);
      } finally {
        peers.give(bytes);
      }
      conclude(found);
      return later.isEmpty() || (progress && System.nanoTime() - until < 0)
          ? later
          : fail(later, "There is more to be moved than the time allows.");
    }

    private void learn(EmptiedRange range) {
      if (range != null) {
        emptied.add(range);
      }
    }

    private void addCopy(List<Copy> found, int index, byte[] oldRow, PullClient.Reply reply) {
      try {
        byte[] row = rows.get(index);
        found.add(
            Copy.of(index, row, oldRow, CellCodec.read(reply.item().bytes(), row), reply.clock()));
      } catch (IOException e) {
        fail(index, index + 1, "The cells of the old row cannot be read: " + PullClient.words(e));
      }
    }

    /** Steps 6 and 7, of what is copied. */
    private void drop(List<Copy> found, long until) throws InterruptedException {
      List<Copy> copied = new ArrayList<>();
      List<byte[]> oldRows = new ArrayList<>();
      for (Copy copy : found) {
        if (copy.isToBeDropped()) {
          copied.add(copy);
          oldRows.add(copy.oldRow());
        }
      }
      if (copied.isEmpty()) {
        return;
      }
      List<PullClient.Reply> items =
          client.ask(
              oldRows,
              some -> {
                List<Long> timestamps = new ArrayList<>(some.size());
                some.forEach(i -> timestamps.add(copied.get(i).upTo(anyOrder)));
                return RelayoutRequest.drop(generation, pick(oldRows, some), timestamps);
              },
              until);
      for (int i = 0; i < items.size(); i++) {
        PullClient.Reply item = items.get(i);
        if (item.outcome() != Outcome.DONE) {
          copied.get(i).fail("The copied row cannot be removed there: " + item.item().words());
        }
      }
    }

    private void conclude(List<Copy> found) {
      int moved = 0;
      for (Copy copy : found) {
        if (copy.failure() != null) {
          fail(copy.index(), copy.index() + 1, copy.failure());
        } else {
          results[copy.index()] = copy.isToBeDropped() ? Pulled.MOVED : Pulled.UNMOVED;
          moved += copy.isToBeDropped() ? 1 : 0;
        }
      }
      if (moved > 0) {
        metrics.moved(moved, byTouch);
      }
    }

    private void remember() {
      List<byte[]> pulled = new ArrayList<>(rows.size());
      for (int i = 0; i < results.length; i++) {
        if (results[i].isPulled()) {
          pulled.add(rows.get(i));
        }
      }
      pulledRows.add(pulled);
    }

    /** Answers which are left then: none. */
    private List<Integer> fail(List<Integer> indexes, String words) {
      indexes.forEach(index -> fail(index, index + 1, words));
      return Collections.emptyList();
    }

    private void fail(int from, int to, String words) {
      Pulled failed = Pulled.failed(words);
      Arrays.fill(results, from, to, failed);
      metrics.failed(to - from);
    }
  }

  private static List<byte[]> pick(List<byte[]> rows, List<Integer> indexes) {
    List<byte[]> some = new ArrayList<>(indexes.size());
    for (int index : indexes) {
      some.add(rows.get(index));
    }
    return some;
  }

  @Override
  public String toString() {
    return "generation=" + generation + " region=" + region.getRegionInfo().getEncodedName();
  }
}
