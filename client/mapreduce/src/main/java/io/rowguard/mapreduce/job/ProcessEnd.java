package io.rowguard.mapreduce.job;

import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the end of the process, by Ctrl-C too, apart from the making of files: what has begun is
 * made to its end, so that it is known and removed, and nothing is begun after. Then it runs what
 * it was told to, and after that Hadoop closes the file systems, whose end takes the temporary
 * directories with it. Thread-safe.
 */
final class ProcessEnd implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessEnd.class);

  /** Hadoop closes the file systems at 10 ({@code FileSystem.SHUTDOWN_HOOK_PRIORITY}). */
  private static final int BEFORE_FILE_SYSTEMS = 30;

  private static final long LONGEST_WAIT_SECONDS = 10;

  private final Semaphore making = new Semaphore(1);
  private final Runnable hook = this::end;
  private volatile Runnable last = () -> {};

  private ProcessEnd() {}

  /**
   * Begins to wait for the end of the process.
   *
   * @throws IOException when it is ending already
   */
  static ProcessEnd awaited() throws IOException {
    ProcessEnd end = new ProcessEnd();
    try {
      ShutdownHookManager.get().addShutdownHook(end.hook, BEFORE_FILE_SYSTEMS);
    } catch (IllegalStateException e) {
      throw new IOException("The process is ending.", e);
    }
    return end;
  }

  /** To be called before files are made; waits for ever when the process ends. */
  void beginMaking() {
    making.acquireUninterruptibly();
  }

  /** To be called when they are made. */
  void endMaking() {
    making.release();
  }

  /** Says what is to be done at the end, when no more files are made. */
  void setLast(Runnable action) {
    last = action;
  }

  private void end() {
    try {
      // Not given back: from now on nothing is made any more.
      if (!making.tryAcquire(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("Files are still being made as the process ends; some may stay.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    last.run();
  }

  /** Whether the process is ending, which removes the directories. */
  boolean isHere() {
    return ShutdownHookManager.get().isShutdownInProgress();
  }

  /** Does not wait any more. */
  @Override
  public void close() {
    if (!isHere()) {
      ShutdownHookManager.get().removeShutdownHook(hook);
    }
  }
}
