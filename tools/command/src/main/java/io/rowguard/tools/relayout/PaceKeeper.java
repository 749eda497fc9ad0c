package io.rowguard.tools.relayout;

import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.NoAnswer;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Keeps a run to the pace that a {@link PaceController} finds, in a thread of its own, from {@link
 * #begin} until it is closed: sends probe reads, has all movers rest, sets the limit, also of the
 * keys that are read to find rows to move. Thread-safe.
 */
final class PaceKeeper implements AutoCloseable {
  private static final long IDLE_MILLIS = 100;

  /** Keys that are read for as much as one row that moves, which takes seeks and syncs of logs. */
  private static final int KEYS_PER_ROW = 50;

  private final MovePace pace;
  private final MovePace ofKeys = MovePace.of(0);
  private final PaceController controller;
  private final Connection connection;
  private final TableName table;
  private final ProbeRows rows = new ProbeRows(new Random());
  private final Thread thread = new Thread(this::work, "pace-keeper");
  private volatile Pace latest;
  private volatile Throwable failure;

  private PaceKeeper(
      MovePace pace, PaceController controller, Connection connection, TableName table) {
    this.pace = pace;
    this.controller = controller;
    this.connection = connection;
    this.table = table;
  }

  /**
   * Begins: nothing moves before it has learned how long reads take at rest.
   *
   * @param pace of those who move rows
   * @param controller null to keep no pace: whatever this has allowed is allowed
   */
  static PaceKeeper begin(
      MovePace pace, PaceController controller, Connection connection, TableName table) {
    PaceKeeper keeper = new PaceKeeper(pace, controller, connection, table);
    if (controller != null) {
      pace.rest(true);
      keeper.ofKeys.rest(true);
      keeper.thread.setDaemon(true);
      keeper.thread.start();
    }
    return keeper;
  }

  /** Rows of the table for probe reads: nothing moves while there are none. */
  ProbeRows rows() {
    return rows;
  }

  /** Waits until so many more keys may be read to look for old rows; not where no pace is kept. */
  void awaitKeys(int keys) {
    if (controller == null) {
      return;
    }
    try {
      ofKeys.await(keys);
      ofKeys.done();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // which whoever reads finds
    }
  }

  /** The pace at present; null where none is kept. */
  Pace latest() {
    return latest;
  }

  private void work() {
    try (ProbeReads reads = new ProbeReads(connection, table)) {
      while (!Thread.currentThread().isInterrupted() && !pace.isOver()) {
        byte[] row = rows.next();
        if (row == null || pace.isPaused()) {
          controller.learn();
          TimeUnit.MILLISECONDS.sleep(IDLE_MILLIS);
        } else {
          step(reads, row);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | RuntimeException | Error e) {
      failure = e;
      pace.end(); // rather than go on without a pace
    } finally {
      ofKeys.end();
    }
  }

  private void step(ProbeReads reads, byte[] row) throws InterruptedException {
    long began = System.nanoTime();
    controller.tick(pace.rows() + ofKeys.rows() / KEYS_PER_ROW, pace.busyAnswers(), pace.isIdle());
    latest = controller.pace();
    pace.slowTo(latest.rowsPerSecond());
    ofKeys.slowTo(latest.rowsPerSecond() * KEYS_PER_ROW);
    pace.rest(controller.isResting());
    ofKeys.rest(controller.isResting());
    long took = reads.read(row);
    if (took < 0) {
      controller.unanswered();
    } else {
      controller.read(took);
    }
    TimeUnit.NANOSECONDS.sleep(controller.gapNanos() - (System.nanoTime() - began));
  }

  /**
   * Returns if the thread has not failed. Once it has, the pace is over, and this says why.
   *
   * @throws CommandFailure if it has
   */
  void requireHealthy() {
    if (failure != null) {
      throw new CommandFailure(
          "The thread that keeps the pace has failed. table="
              + table
              + " why=\""
              + NoAnswer.reason(failure)
              + "\". No row is lost: give the command again; --debug shows where it failed.",
          failure);
    }
  }

  /** Ends the thread, which sends no read after the one under way. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
