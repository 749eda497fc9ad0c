package io.rowguard.tools.relayout;

import io.rowguard.config.Mode;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.mapreduce.relayout.RowMover;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.RegionKeys;
import io.rowguard.tools.cluster.TableRegions;
import io.rowguard.tools.relayout.StepOutcome.MoveOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * Moves all old rows of a table in relayout: reads the keys of all regions that can have some, side
 * by side, and has each old one pulled. Regions in which something could not be moved are read
 * again, until nothing is left, nothing helps, or no row has moved for as long as its patience
 * lasts.
 *
 * <p>It holds no state that anybody needs: it may be stopped or killed, and run twice at once.
 */
final class RelayoutRunner {
  /** How many old rows are read before they are moved, with no scanner open meanwhile. */
  private static final int PIECE = 5_000;

  /** The same in bytes of keys. */
  private static final int PIECE_BYTES = 4 << 20;

  /** How many keys are read between two looks at the pace: about what a scan gets in one call. */
  private static final int KEYS_AT_ONCE = 1_000;

  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final int MOST_DOUBLINGS = 5;
  private static final long POLL_MILLIS = 200;

  private final Connection connection;
  private final TableName table;
  private final TableConfig config;
  private final int threads;
  private final MovePace pace;
  private final PaceKeeper keeper;
  private final StepListener listener;
  private final Patience patience;

  /** The same, of a pass: rows that are read again are no progress, but nothing hangs. */
  private final Patience activity;

  private final RunNotes notes;
  private final List<RowMover> movers = new ArrayList<>();
  private final AtomicLong read = new AtomicLong();
  private final AtomicReference<Throwable> thrown = new AtomicReference<>();

  /** Why nothing more can be moved: the relayout has ended or has been turned. */
  private volatile String end;

  /** Why something could not be moved in this pass. */
  private volatile String why;

  /** Why something cannot be moved at all. */
  private volatile String refusal;

  private volatile boolean isGivenUp;

  /**
   * @param config of the table, in relayout and moving
   * @param pace shared with who wants to stop it
   * @param keeper of that pace
   * @param patience how long to go on while no row moves
   */
  RelayoutRunner(
      Connection connection,
      TableName table,
      TableConfig config,
      int threads,
      MovePace pace,
      PaceKeeper keeper,
      Duration patience,
      StepListener listener) {
    this.connection = connection;
    this.table = table;
    this.config = config;
    this.threads = threads;
    this.pace = pace;
    this.keeper = keeper;
    this.patience = new Patience(patience, listener);
    this.activity = new Patience(patience, StepListener.none());
    this.listener = listener;
    this.notes = new RunNotes(table.getNameAsString(), pace, listener);
  }

  /**
   * Moves.
   *
   * @param watch tells how far the table is
   * @throws IOException when it makes no sense to go on: no permission
   * @throws CommandFailure when one of its threads fails
   */
  MoveOutcome move(ProgressWatch watch) throws IOException {
    long began = System.nanoTime();
    List<RegionInfo> left = null;
    int vain = 0;
    while ((left == null || !left.isEmpty()) && !isOver()) {
      long before = progress();
      int regionsBefore = left == null ? Integer.MAX_VALUE : left.size();
      left = left == null ? regions() : pass(left, watch, vain > 0);
      boolean isProgress = progress() > before || (left != null && left.size() < regionsBefore);
      vain = isProgress ? 0 : vain + 1;
      if (isProgress) {
        patience.progress();
      } else {
        // The time of a long pass is no waiting: there is a second one whatever the first has
        // taken.
        if (vain > 1 && patience.isOver()) {
          isGivenUp = true;
        }
        pause(FIRST_PAUSE_MILLIS << Math.min(vain, MOST_DOUBLINGS));
      }
    }
    return outcome(left != null && left.isEmpty(), System.nanoTime() - began);
  }

  private MoveOutcome outcome(boolean isAllRead, long nanos) {
    boolean isStopped = pace.isOver();
    boolean isDone = isAllRead && refusal == null && end == null && !isStopped;
    return new MoveOutcome(
        moved(),
        movers.stream().mapToLong(RowMover::unmoved).sum(),
        movers.stream().mapToLong(RowMover::failed).sum(),
        isDone,
        isStopped,
        isDone || (isStopped && end == null) ? null : reason(),
        TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  /** Why rows are left. */
  private String reason() {
    if (end != null) {
      return end;
    }
    return isGivenUp ? why + "; no row has moved for " + patience.limit() : refusal;
  }

  private boolean isOver() {
    return isGivenUp || pace.isOver() || end != null;
  }

  /** The regions that can have old rows; null where that cannot be found out for now. */
  private List<RegionInfo> regions() throws IOException {
    LayoutBoundaries old = LayoutBoundaries.of(config.relayout().change().from(), null);
    try {
      return TableRegions.of(connection, table).stream()
          .map(HRegionLocation::getRegion)
          .filter(region -> old.isReachable(region.getStartKey(), region.getEndKey()))
          .toList();
    } catch (AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      why = "the table's regions cannot be found: " + NoAnswer.reason(e);
      patience.because(why);
      return null;
    }
  }

  /**
   * Moves the old rows of some regions, as far as it goes.
   *
   * @param isRepeated whether these have been read in vain: then to read them is no progress
   * @return the regions that are to be read again
   */
  private List<RegionInfo> pass(List<RegionInfo> regions, ProgressWatch watch, boolean isRepeated)
      throws IOException {
    why = null;
    Queue<RegionInfo> queue = new ConcurrentLinkedQueue<>(regions);
    Queue<RegionInfo> again = new ConcurrentLinkedQueue<>();
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < Math.min(threads, regions.size()); i++) {
      RowMover mover =
          new RowMover(
              connection, table, config.relayout().change(), config.relayout().generation(), pace);
      movers.add(mover);
      Thread worker = new Thread(() -> work(queue, again, mover), "mover-" + i);
      workers.add(worker);
      worker.start();
    }
    long doneBefore = done();
    long readBefore = read.get();
    activity.progress();
    try {
      for (Thread worker : workers) {
        while (worker.isAlive()) {
          worker.join(POLL_MILLIS);
          notes.look(watch.latest(), keeper.latest());
          listener.moving(moved(), watch.latest(), keeper.latest());
          boolean isMoving = done() > doneBefore;
          boolean isReading = read.get() > readBefore;
          doneBefore = done();
          readBefore = read.get();
          boolean isPaused = notes.isPaused();
          watch(
              isMoving || (isReading && !isRepeated) || isPaused,
              isMoving || isReading || isPaused);
        }
      }
    } catch (InterruptedException e) {
      pace.end();
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
    notes.look(watch.latest(), keeper.latest());
    rethrow();
    return List.copyOf(again);
  }

  private void watch(boolean isProgress, boolean isActive) {
    if (isProgress) {
      patience.progress();
    } else if (why != null) {
      patience.because(why);
    }
    if (isActive) {
      activity.progress();
    } else if (why != null && activity.isOver()) {
      isGivenUp = true;
    }
  }

  private void rethrow() throws IOException {
    Throwable failure = thrown.get();
    if (failure instanceof IOException known) {
      throw known;
    }
    if (failure instanceof OutOfMemoryError known) {
      throw known;
    }
    if (failure != null) {
      throw new CommandFailure(
          "A thread that moves rows has failed. table="
              + table
              + " moved="
              + moved()
              + " why=\""
              + NoAnswer.reason(failure)
              + "\". No row is lost: give the command again; --debug shows where it failed.",
          failure);
    }
  }

  private void work(Queue<RegionInfo> queue, Queue<RegionInfo> again, RowMover mover) {
    try (RowMover closed = mover) {
      RegionInfo region = queue.poll();
      while (region != null && !isOver()) {
        if (!moveOut(region, closed)) {
          again.add(region);
        }
        region = queue.poll();
      }
      if (region != null) {
        again.add(region);
      }
    } catch (Throwable e) {
      thrown.compareAndSet(null, e);
      isGivenUp = true;
    }
  }

  /** Moves the old rows of one region; answers whether none is left that could still move. */
  private boolean moveOut(RegionInfo region, RowMover mover) throws IOException {
    RegionKeys keys =
        new RegionKeys(connection, region, config.mode() == Mode.SALT)
            .ofOldRows(config.takesAnyOrder());
    long retriedBefore = mover.failed() - mover.refused();
    long doneBefore = done(mover);
    boolean isRead = true;
    boolean goesOn = true;
    while (goesOn && !isOver()) {
      List<byte[]> old = new ArrayList<>();
      try {
        goesOn = readPiece(keys, mover, old);
      } catch (AccessDeniedException e) {
        throw e;
      } catch (IOException e) {
        why = "a region cannot be read: " + NoAnswer.reason(e);
        isRead = false;
        goesOn = false;
      }
      add(old, mover);
      if (mover.failed() - mover.refused() > retriedBefore && done(mover) == doneBefore) {
        isRead = false;
        goesOn = false; // the rest would only fail like this, slowly
      }
    }
    mover.flush();
    takeReasons(mover);
    return isRead && mover.failed() - mover.refused() == retriedBefore && !isOver();
  }

  private void add(List<byte[]> old, RowMover mover) throws IOException {
    for (byte[] row : old) {
      if (isOver()) {
        return;
      }
      mover.add(row);
      takeReasons(mover);
    }
  }

  private void takeReasons(RowMover mover) {
    if (mover.failure() != null) {
      why = mover.failure();
    }
    if (mover.refusal() != null) {
      refusal = mover.refusal();
    }
    if (mover.end() != null) {
      end = mover.end();
    }
  }

  private boolean readPiece(RegionKeys keys, RowMover mover, List<byte[]> old) throws IOException {
    long[] bytes = {0};
    return keys.read(
        row -> {
          if (read.incrementAndGet() % KEYS_AT_ONCE == 0) {
            keeper.awaitKeys(KEYS_AT_ONCE);
          }
          boolean isOld = mover.isOld(row, 0, row.length);
          if (keeper.rows().wantsNext()) {
            keeper.rows().add(isOld ? config.relayout().change().toNew(row) : row);
          }
          if (isOld) {
            old.add(row);
            bytes[0] += row.length;
          }
          return old.size() >= PIECE || bytes[0] >= PIECE_BYTES || isOver();
        });
  }

  private void pause(long millis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    try {
      while (!isOver() && System.nanoTime() < until) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
  }

  private long moved() {
    return movers.stream().mapToLong(RowMover::moved).sum();
  }

  /** Where edits come in any order, rows that have gone are touched again in each pass. */
  private long progress() {
    return config.takesAnyOrder() ? moved() : done();
  }

  private long done() {
    return movers.stream().mapToLong(RelayoutRunner::done).sum();
  }

  private static long done(RowMover mover) {
    return mover.moved() + mover.unmoved();
  }
}
