package io.rowguard.client;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * The layouts of a table as its client knows them now; they are read again when a server says that
 * they have changed. Thread-safe.
 *
 * <p>Not every server says so: none at the end of a change, since a client that still looks for
 * rows under both layouts finds all of them; and none of a table without region observer, which may
 * have been made anew. So they are read again once a minute as long as the table is used. A thread
 * in the background reads them, since the master may be away, without which HBase reads and writes.
 */
final class LayoutCache {
  /** How long layouts are believed without asking. */
  static final long NANOS_OF_BELIEF = TimeUnit.MINUTES.toNanos(1);

  /** The layouts that the table declares at the moment. */
  interface Declaration {
    TableLayouts read() throws IOException;
  }

  /** Waits, while regions reopen. */
  interface Pause {
    void sleep(long millis) throws InterruptedException;
  }

  private final Declaration declaration;
  private final Pause pause;
  private final Executor background;
  private final LongSupplier nanos;
  private final ReentrantLock reading = new ReentrantLock();
  private volatile TableLayouts now;
  private volatile long readAt;

  /**
   * @param declaration null where the layout is given by hand
   * @param background reads again, or drops that where it has no thread free
   */
  LayoutCache(TableLayouts first, Declaration declaration, Executor background) {
    this(first, declaration, background, Thread::sleep, System::nanoTime);
  }

  LayoutCache(
      TableLayouts first,
      Declaration declaration,
      Executor background,
      Pause pause,
      LongSupplier nanos) {
    this.now = first;
    this.declaration = declaration;
    this.background = background;
    this.pause = pause;
    this.nanos = nanos;
    this.readAt = nanos.getAsLong();
  }

  void pause(long millis) throws InterruptedException {
    pause.sleep(millis);
  }

  /** The layouts to plan with. */
  TableLayouts now() {
    long time = nanos.getAsLong();
    if (declaration != null && time - readAt > NANOS_OF_BELIEF) {
      readAt = time;
      background.execute(this::readInBackground);
    }
    return now;
  }

  private void readInBackground() {
    if (reading.tryLock()) {
      try {
        take(now, declaration.read());
      } catch (IOException e) {
        // The master may be away. Reading and writing go on without it, and a minute later it is
        // asked again.
      } finally {
        readAt = nanos.getAsLong();
        reading.unlock();
      }
    }
  }

  /**
   * The layouts to plan with after a refusal: read from the table unless another thread has done
   * so.
   *
   * @param refused the layouts of the plan that was refused; the answer is the same object where
   *     nothing has changed
   */
  TableLayouts after(TableLayouts refused) throws IOException {
    return after(refused, Long.MAX_VALUE);
  }

  /**
   * The same within a time: as {@code refused} where another thread still reads when it is over.
   *
   * @param millis how long to wait for another thread; a read by this one takes as long as HBase
   *     lets it
   */
  TableLayouts after(TableLayouts refused, long millis) throws IOException {
    try {
      if (!reading.tryLock(millis, TimeUnit.MILLISECONDS)) {
        return refused;
      }
    } catch (InterruptedException e) {
      throw ListSender.interrupted(e);
    }
    try {
      if (now == refused) {
        take(refused, declaration.read());
        readAt = nanos.getAsLong();
      }
      return now;
    } finally {
      reading.unlock();
    }
  }

  /** The layouts that the table declares, read from it: for requests that no server refuses. */
  TableLayouts declared() throws IOException {
    return declaration == null ? now : after(now);
  }

  private void take(TableLayouts known, TableLayouts read) {
    if (!read.isSameAs(known)) {
      now = read;
    }
  }
}
