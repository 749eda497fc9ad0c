package io.rowguard.observer.relayout;

import io.rowguard.layout.LayoutChange;
import io.rowguard.relayout.Answer.Outcome;
import io.rowguard.relayout.Question;
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
 * Gets old rows to this region of their new ones, before something is written there. The
 * specification is {@code PullSteps} of {@code testing/relayout-model}, whose steps are named here.
 * One per region instance; thread-safe.
 *
 * <p>To be called by whoever holds no row lock of HBase's. All of it is in the thread that calls,
 * and ends in the time that it is given, or when the region closes. What fails needs not be undone:
 * the next pull finds what there is.
 */
public final class Puller {
  /** So many rows are pulled at a time, at most. */
  public static final int MOST_ROWS = 1_024;

  private final HRegion region;
  private final LayoutChange change;
  private final long generation;
  private final Wire wire;
  private final RelayoutMetrics metrics;
  private final KeyLocks locks = new KeyLocks();
  private final PulledRows pulledRows = new PulledRows();
  private final Questioner questioner;
  private final Copies copies;

  /**
   * @param own with what the region's hooks know the copies as its own
   */
  public Puller(
      HRegion region,
      LayoutChange change,
      long generation,
      Wire wire,
      OwnEdits own,
      RelayoutMetrics metrics) {
    this.region = region;
    this.change = change;
    this.generation = generation;
    this.wire = wire;
    this.metrics = metrics;
    this.questioner = new Questioner(wire, region);
    this.copies = new Copies(region, own, metrics);
  }

  /** Whether a row is known to be pulled, at no cost to speak of. */
  public boolean isPulled(byte[] newRow) {
    return pulledRows.contains(newRow);
  }

  /**
   * Pulls rows.
   *
   * @param newRows each in this region and {@link LayoutChange.Place#NEW}, in any order
   * @param millis how long it may take
   * @param byTouch whether nobody wants to write them
   * @return what it came to for each row
   * @throws InterruptedIOException when HBase interrupts the thread, since the region closes
   */
  public List<Pulled> pull(List<byte[]> newRows, long millis, boolean byTouch)
      throws InterruptedIOException {
    long began = System.nanoTime();
    TreeSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    rows.addAll(pulledRows.missing(newRows));
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

    /** Steps 1 and 8; between them each round pulls what fits into one answer. */
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
          if (held.waited() && pulledRows.contains(rows.get(i))) {
            results[i] = Pulled.UNMOVED;
          } else {
            left.add(i);
          }
        }
        while (!left.isEmpty()) {
          String obstacle = wire.obstacle();
          left = obstacle == null ? round(left, until) : fail(left, obstacle);
        }
        if (!byTouch) { // else all rows of the table would be remembered, and nobody writes them
          remember();
        }
      }
    }

    /** Steps 2 to 7 for some rows; answers which are to be asked about again. */
    private List<Integer> round(List<Integer> places, long until) throws InterruptedException {
      List<byte[]> oldRows = new ArrayList<>(places.size());
      for (int place : places) {
        oldRows.add(change.toOld(rows.get(place)));
      }
      List<Questioner.Said> items =
          questioner.ask(oldRows, some -> Question.ask(generation, pick(oldRows, some)), until);
      List<Integer> later = new ArrayList<>();
      List<Copy> found = new ArrayList<>();
      boolean progress = false;
      long bytes = 0;
      for (int i = 0; i < places.size(); i++) {
        int place = places.get(i);
        Questioner.Said item = items.get(i);
        switch (item.outcome()) {
          case NOTHING:
            found.add(Copy.ofNothing(place, rows.get(place)));
            break;
          case CELLS:
            bytes += item.item().bytes().length;
            addCopy(found, place, oldRows.get(i), item);
            break;
          case LATER:
            later.add(place);
            continue;
          case NOT_YET:
            results[place] = Pulled.NOT_YET;
            break;
          default:
            fail(place, place + 1, item.item().words());
            break;
        }
        progress = true;
      }
      wire.hold(bytes);
      try {
        copies.write(found, until);
        drop(found, until);
      } finally {
        wire.hold(-bytes);
      }
      conclude(found);
      return later.isEmpty() || (progress && System.nanoTime() - until < 0)
          ? later
          : fail(later, "There is more to be moved than the time allows.");
    }

    private void addCopy(List<Copy> found, int place, byte[] oldRow, Questioner.Said said) {
      try {
        byte[] row = rows.get(place);
        found.add(
            Copy.of(place, row, oldRow, CellCodec.read(said.item().bytes(), row), said.clock()));
      } catch (IOException e) {
        fail(place, place + 1, "The cells of the old row cannot be read: " + Questioner.words(e));
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
      List<Questioner.Said> items =
          questioner.ask(
              oldRows,
              some -> {
                List<Long> timestamps = new ArrayList<>(some.size());
                some.forEach(i -> timestamps.add(copied.get(i).newest()));
                return Question.drop(generation, pick(oldRows, some), timestamps);
              },
              until);
      for (int i = 0; i < items.size(); i++) {
        Questioner.Said item = items.get(i);
        if (item.outcome() != Outcome.DONE) {
          copied.get(i).fail("What is copied cannot be removed there: " + item.item().words());
        }
      }
    }

    private void conclude(List<Copy> found) {
      int moved = 0;
      for (Copy copy : found) {
        if (copy.failure() != null) {
          fail(copy.place(), copy.place() + 1, copy.failure());
        } else {
          results[copy.place()] = copy.isToBeDropped() ? Pulled.MOVED : Pulled.UNMOVED;
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
    private List<Integer> fail(List<Integer> places, String words) {
      places.forEach(place -> fail(place, place + 1, words));
      return Collections.emptyList();
    }

    private void fail(int from, int to, String words) {
      Pulled failed = Pulled.failed(words);
      Arrays.fill(results, from, to, failed);
      metrics.failed(to - from);
    }
  }

  private static List<byte[]> pick(List<byte[]> rows, List<Integer> places) {
    List<byte[]> some = new ArrayList<>(places.size());
    for (int place : places) {
      some.add(rows.get(place));
    }
    return some;
  }

  @Override
  public String toString() {
    return "generation=" + generation + " region=" + region.getRegionInfo().getEncodedName();
  }
}
