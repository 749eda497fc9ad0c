package io.rowguard.tools.relayout;

import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.tools.cli.CommandFailure;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Asks the regions of a table again and again how far they are, in a thread of its own, from {@link
 * #begin} until it is closed. Regions that have not counted their old rows count on when asked.
 * Thread-safe.
 */
final class ProgressWatch implements AutoCloseable {
  private static final long PAUSE_MILLIS = 5_000;
  private static final long COUNTING_PAUSE_MILLIS = 500;

  private final TablePoll poll;
  private final RelayoutRequest request;
  private final Thread thread = new Thread(this::watch, "progress-watch");
  private volatile TableProgress latest;

  private ProgressWatch(TablePoll poll, long generation) {
    this.poll = poll;
    this.request = RelayoutRequest.progress(generation);
  }

  /** Begins to ask. */
  static ProgressWatch begin(TablePoll poll, long generation) {
    ProgressWatch watch = new ProgressWatch(poll, generation);
    watch.thread.setDaemon(true);
    watch.thread.start();
    return watch;
  }

  /** The latest progress; null before the first answer, while none comes, and when it has ended. */
  TableProgress latest() {
    return latest;
  }

  private void watch() {
    long rows = 0;
    try {
      while (!Thread.currentThread().isInterrupted()) {
        TableProgress progress = asked();
        if (progress != null && progress.uncountedRegions() == 0) {
          progress = progress.ofAtLeast(rows);
          rows = progress.rows();
        }
        latest = progress;
        boolean isCounting = progress != null && progress.uncountedRegions() > 0;
        TimeUnit.MILLISECONDS.sleep(isCounting ? COUNTING_PAUSE_MILLIS : PAUSE_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      latest = null; // an old figure would look like a mover that stands still
    }
  }

  private TableProgress asked() throws InterruptedException {
    try {
      return TableProgress.of(poll.once(request));
    } catch (IOException e) {
      return null; // the mover meets the same, tells of it, and waits
    } catch (CommandFailure e) {
      throw new InterruptedException(e.getMessage());
    }
  }

  /** Ends the thread; waits for it no longer than for what it has asked. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
