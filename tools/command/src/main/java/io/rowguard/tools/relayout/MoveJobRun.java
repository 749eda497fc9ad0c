package io.rowguard.tools.relayout;

import io.rowguard.mapreduce.job.RegionsJob;
import io.rowguard.mapreduce.relayout.MoveJob;
import io.rowguard.mapreduce.relayout.MoveJob.Count;
import io.rowguard.tools.cli.CommandFailure;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Waits for a job that moves rows. */
final class MoveJobRun {
  private static final long POLL_MILLIS = 200;

  private MoveJobRun() {}

  /**
   * Submits a job and waits for its end.
   *
   * @throws IOException when it failed, with the reason
   */
  static MoveOutcome of(MoveJob job, StepLines lines) throws IOException {
    RegionsJob base = job.base();
    long began = System.nanoTime();
    try {
      base.submit();
      while (!base.isComplete()) {
        long done = Math.round((double) base.progress() * base.regions());
        lines.counting("regions read", done, base.regions());
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
      lines.end();
      if (!base.job().isSuccessful()) {
        throw new IOException(base.failure());
      }
      long failed = job.count(Count.FAILED);
      return new MoveOutcome(
          job.count(Count.MOVED),
          job.count(Count.UNMOVED),
          failed,
          failed == 0,
          false,
          failed == 0 ? null : base.note(),
          TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
  }
}
