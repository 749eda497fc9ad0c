package io.rowguard.tools.cluster;

import io.rowguard.mapreduce.job.RegionsJob;
import io.rowguard.tools.cli.Interrupt;
import io.rowguard.tools.cli.ProgressLine;
import io.rowguard.tools.cli.Terminal;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** A job that a command starts and waits for. */
public final class JobRun {
  private static final long POLL_MILLIS = 100;

  private JobRun() {}

  /**
   * Starts a job, and shows how far it is until it ends. Where the process is asked to end, it does
   * so once it has said what that means.
   *
   * @param what goes on, for the progress line
   * @param stopped the meaning of an end before the job's
   * @return false where the process was asked to end
   * @throws IOException when the job failed, with the reason
   */
  @SuppressWarnings("try") // the interrupt only has the process wait
  public static boolean toItsEnd(RegionsJob job, Terminal terminal, String what, String stopped)
      throws IOException, InterruptedException {
    job.submit();
    AtomicLong done = new AtomicLong();
    Exception end;
    try (Interrupt interrupt = Interrupt.onExit()) {
      end = ProgressLine.during(terminal, what, job.regions(), done::get, () -> poll(job, done));
      if (job.isStopped()) {
        terminal.note(stopped);
      }
    }
    if (end instanceof InterruptedException interruption) {
      throw interruption;
    }
    if (end instanceof IOException failure) {
      throw failure;
    }
    if (job.isStopped()) {
      return false;
    }
    String failure = job.failure();
    if (failure != null) {
      throw new IOException(failure);
    }
    return true;
  }

  /** Answers what ended the waiting before the job's end; null when nothing did. */
  private static Exception poll(RegionsJob job, AtomicLong done) {
    try {
      while (!job.isStopped() && !job.isComplete()) {
        done.set(Math.round((double) job.progress() * job.regions()));
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
      return null;
    } catch (IOException | InterruptedException e) {
      return e;
    }
  }
}
