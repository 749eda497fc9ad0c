package io.rowguard.tools.relayout;

import io.rowguard.config.Mode;
import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.mapreduce.relayout.RowMover;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.RegionKeys;
import io.rowguard.tools.cluster.TableRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * Moves all old rows of a table in relayout: reads the keys of all regions that can have some, side
 * by side, and has each old one pulled. Regions in which something could not be moved are read
 * again, until nothing is left or nothing helps.
 *
 * <p>It holds no state that anybody needs: it may be stopped or killed, and run twice at once.
 */
final class Mover {
  /** How many old rows are read before they are moved, with no scanner open meanwhile. */
  private static final int PIECE = 5_000;

  private static final int MOST_VAIN_PASSES = 6;
  private static final long FIRST_PAUSE_MILLIS = 1_000;

  private final Connection connection;
  private final TableName table;
  private final TableConfig config;
  private final int threads;
  private final MovePace pace;
  private final StepListener listener;
  private final List<RowMover> movers = new ArrayList<>();
  private volatile String why;
  private volatile IOException fatal;

  /**
   * @param config of the table, in relayout and moving
   * @param pace shared with who wants to stop it
   */
  Mover(
      Connection connection,
      TableName table,
      TableConfig config,
      int threads,
      MovePace pace,
      StepListener listener) {
    this.connection = connection;
    this.table = table;
    this.config = config;
    this.threads = threads;
    this.pace = pace;
    this.listener = listener;
  }

  /** The part of the table that one thread reads at a time. */
  private static final class Part {
    private final RegionInfo region;
    private volatile boolean isToBeReadAgain;

    Part(RegionInfo region) {
      this.region = region;
    }
  }

  /**
   * Moves.
   *
   * @param expected how many rows may have to move; for the progress only
   * @throws IOException when it makes no sense to go on: no permission
   */
  MoveOutcome move(long expected) throws IOException {
    long began = System.nanoTime();
    List<Part> parts = parts();
    int vain = 0;
    while (!parts.isEmpty() && !pace.isOver() && end() == null && vain < MOST_VAIN_PASSES) {
      long before = done();
      why = null;
      pass(parts, expected);
      parts = parts.stream().filter(part -> part.isToBeReadAgain).toList();
      parts = parts.stream().map(part -> new Part(part.region)).toList();
      vain = done() > before ? 0 : vain + 1;
      if (!parts.isEmpty()) {
        pause(FIRST_PAUSE_MILLIS << Math.max(0, vain - 1));
      }
    }
    boolean isStopped = pace.isOver();
    String reason = end() != null ? end() : why;
    return new MoveOutcome(
        moved(),
        movers.stream().mapToLong(RowMover::unmoved).sum(),
        failures(),
        parts.isEmpty() && !isStopped && end() == null,
        isStopped,
        parts.isEmpty() || isStopped ? end() : reason,
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
  }

  private List<Part> parts() throws IOException {
    Relayout relayout = config.relayout();
    LayoutBoundaries old = LayoutBoundaries.of(relayout.change().from(), null);
    List<Part> parts = new ArrayList<>();
    for (HRegionLocation each : TableRegions.of(connection, table)) {
      RegionInfo region = each.getRegion();
      if (old.isReachable(region.getStartKey(), region.getEndKey())) {
        parts.add(new Part(region));
      }
    }
    return parts;
  }

  private void pass(List<Part> parts, long expected) throws IOException {
    Queue<Part> queue = new ConcurrentLinkedQueue<>(parts);
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < Math.min(threads, parts.size()); i++) {
      RowMover mover =
          new RowMover(
              connection, table, config.relayout().change(), config.relayout().generation(), pace);
      movers.add(mover);
      Thread worker = new Thread(() -> work(queue, mover), "mover-" + i);
      workers.add(worker);
      worker.start();
    }
    try {
      for (Thread worker : workers) {
        while (worker.isAlive()) {
          worker.join(200);
          listener.counting("rows moved", moved(), expected);
        }
      }
    } catch (InterruptedException e) {
      pace.end();
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
    if (fatal != null) {
      throw fatal;
    }
  }

  private void work(Queue<Part> queue, RowMover mover) {
    try (RowMover closed = mover) {
      Part part = queue.poll();
      while (part != null && !pace.isOver() && mover.end() == null) {
        moveOut(part, closed);
        part = queue.poll();
      }
    } catch (IOException e) {
      fatal = e;
      pace.end();
    }
  }

  /** Moves the old rows of one region, as far as it goes. */
  private void moveOut(Part part, RowMover mover) throws IOException {
    RegionKeys keys = new RegionKeys(connection, part.region, config.mode() == Mode.SALT);
    long failuresBefore = mover.failed();
    boolean goesOn = true;
    while (goesOn && !pace.isOver() && mover.end() == null) {
      List<byte[]> old = new ArrayList<>();
      try {
        goesOn =
            keys.read(
                row -> {
                  if (mover.isOld(row, 0, row.length)) {
                    old.add(row);
                  }
                  return old.size() >= PIECE || pace.isOver();
                });
      } catch (IOException e) {
        why = "a region cannot be read: " + NoAnswer.reason(e);
        part.isToBeReadAgain = true;
        goesOn = false;
      }
      for (byte[] row : old) {
        mover.add(row);
      }
    }
    mover.flush();
    if (mover.failed() > failuresBefore || pace.isOver()) {
      why = mover.failure();
      part.isToBeReadAgain = true;
    }
  }

  private void pause(long millis) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    try {
      while (!pace.isOver() && System.nanoTime() < until) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
  }

  /** Why nothing more can be moved; null while it can. */
  private String end() {
    for (RowMover mover : movers) {
      if (mover.end() != null) {
        return mover.end();
      }
    }
    return null;
  }

  private long moved() {
    return movers.stream().mapToLong(RowMover::moved).sum();
  }

  private long done() {
    return moved() + movers.stream().mapToLong(RowMover::unmoved).sum();
  }

  private long failures() {
    return movers.stream().mapToLong(RowMover::failed).sum();
  }
}
