package io.rowguard.tools.relayout;

import io.rowguard.mapreduce.job.RegionsJob;
import io.rowguard.mapreduce.relayout.MoveJob;
import io.rowguard.mapreduce.relayout.MoveJob.Count;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.relayout.StepOutcome.MoveOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * Moves rows by jobs. Where one fails for a server that is down, or leaves rows, there is another
 * one, until nothing is left or no row has moved for as long as the patience lasts: Hadoop tries
 * tasks again on YARN only, and not what comes before them.
 */
final class MoveJobs {
  private static final long POLL_MILLIS = 200;
  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final int MOST_DOUBLINGS = 5;

  private final Source source;
  private final LongFunction<ProgressWatch> watches;
  private final Patience patience;
  private final StepLines lines;
  private long generation;
  private long moved;
  private long unmoved;
  private long failed;
  private IOException failure;
  private boolean isForGood;

  /** Prepares jobs. */
  @FunctionalInterface
  interface Source {
    /** A job that has not been submitted. */
    MoveJob next() throws IOException;
  }

  /**
   * @param watches begins to watch the table in a generation of its relayout
   */
  MoveJobs(Source source, LongFunction<ProgressWatch> watches, Duration patience, StepLines lines) {
    this.source = source;
    this.watches = watches;
    this.patience = new Patience(patience, lines);
    this.lines = lines;
  }

  /**
   * Runs jobs.
   *
   * @throws IOException when the last one failed, with the reason
   */
  MoveOutcome run() throws IOException {
    long began = System.nanoTime();
    int vain = 0;
    while (true) {
      long before = moved;
      String why;
      try {
        failure = null;
        why = once();
      } catch (IOException e) {
        failure = e;
        isForGood = e instanceof AccessDeniedException;
        why = NoAnswer.reason(e);
      }
      vain = moved > before ? 0 : vain + 1;
      if (vain == 0) {
        patience.progress();
      }
      if (why == null || isForGood || (vain > 1 && patience.isOver())) {
        if (failure != null) {
          throw failure;
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
        return new MoveOutcome(moved, unmoved, failed, why == null, false, why, millis);
      }
      patience.because(why);
      pause(FIRST_PAUSE_MILLIS << Math.min(vain, MOST_DOUBLINGS));
    }
  }

  /** Runs one job; answers why it has left rows, null where it has not. */
  private String once() throws IOException {
    try (MoveJob job = source.next()) {
      if (generation == 0) {
        generation = job.generation();
      } else if (generation != job.generation()) {
        throw new CommandFailure(
            "The relayout has been turned, or is another one, since rows began to move. before="
                + generation
                + " now="
                + job.generation()
                + ". rowguard relayout status says how it stands.");
      }
      return resultOf(job);
    }
  }

  private String resultOf(MoveJob job) throws IOException {
    RegionsJob base = job.base();
    try (ProgressWatch watch = watches.apply(job.generation())) {
      base.submit();
      while (!base.isComplete()) {
        show(base, watch.latest());
        pause(POLL_MILLIS);
      }
      lines.end();
      moved += job.count(Count.MOVED);
      unmoved += job.count(Count.UNMOVED);
      failed += job.count(Count.FAILED);
      if (!base.job().isSuccessful()) {
        isForGood = base.isFailedForGood();
        String why = Objects.requireNonNullElse(base.failure(), "a task failed");
        failure = new IOException(why);
        return why;
      }
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
    long notMoved = job.count(Count.FAILED);
    isForGood = notMoved > 0 && job.count(Count.REFUSED) == notMoved;
    if (notMoved > 0) {
      return Objects.requireNonNullElse(base.note(), "some rows could not be moved");
    }
    return job.restarts() == 0 ? null : "a scan was begun again, and may have left a row out";
  }

  /** How far the table is, or the job where that is not known. */
  private void show(RegionsJob base, TableProgress progress) throws IOException {
    if (progress == null || progress.percent() == null) {
      long done = Math.round((double) base.progress() * base.regions());
      lines.counting("regions read", done, base.regions());
    } else {
      lines.moving(moved, progress, null);
    }
  }

  private static void pause(long millis) {
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static CommandFailure interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new CommandFailure("Interrupted.", e);
  }
}
