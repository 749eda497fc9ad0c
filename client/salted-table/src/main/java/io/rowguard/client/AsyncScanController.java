package io.rowguard.client;

import java.util.Optional;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanController;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer.ScanResumer;
import org.apache.hadoop.hbase.client.Cursor;

/**
 * The means of a consumer to suspend or end its scan during one call, and the way back afterwards.
 * The call's own thread has it; its resumer may go to any other, and come back before the call has
 * ended.
 */
final class AsyncScanController implements ScanController {
  /** The next thing after a call. */
  enum Next {
    /** The next call. */
    GO_ON,
    /** Nothing, until the scan is resumed. */
    WAIT,
    /** The end. */
    END
  }

  private final Thread thread = Thread.currentThread();
  private final Runnable resume;
  private boolean isSuspended;
  private boolean isResumed;
  private boolean isTerminated;
  private boolean isLeft;

  /**
   * @param resume goes on with a scan whose call has ended
   */
  AsyncScanController(Runnable resume) {
    this.resume = resume;
  }

  private void requireUnused() {
    if (isLeft || isSuspended || isTerminated || Thread.currentThread() != thread) {
      throw new IllegalStateException(
          "A scan can be suspended or terminated once in a call of onNext, from its own thread."
              + " suspended="
              + isSuspended
              + " terminated="
              + isTerminated
              + " callEnded="
              + isLeft);
    }
  }

  @Override
  public synchronized ScanResumer suspend() {
    requireUnused();
    isSuspended = true;
    return this::resumed;
  }

  private void resumed() {
    synchronized (this) {
      if (isResumed) {
        return;
      }
      isResumed = true;
      if (!isLeft) {
        return;
      }
    }
    resume.run();
  }

  @Override
  public synchronized void terminate() {
    requireUnused();
    isTerminated = true;
  }

  /** None, as a cursor is a place in one bucket. */
  @Override
  public Optional<Cursor> cursor() {
    return Optional.empty();
  }

  /** Ends the call. */
  synchronized Next leave() {
    isLeft = true;
    if (isTerminated) {
      return Next.END;
    }
    return isSuspended && !isResumed ? Next.WAIT : Next.GO_ON;
  }
}
