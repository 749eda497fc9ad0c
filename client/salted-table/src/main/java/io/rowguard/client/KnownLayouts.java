package io.rowguard.client;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The layouts of a table as its client knows them now; they are read anew when a server says that
 * they have changed. Thread-safe.
 *
 * <p>At the end of a change nobody says so: who still looks for rows under both layouts finds all
 * of them. So while one is going on they are read again once a minute, by whoever comes by.
 */
final class KnownLayouts {
  /** How long a change is believed to go on without asking. */
  static final long NANOS_OF_CHANGE = TimeUnit.MINUTES.toNanos(1);

  /** Reads what the table declares at the moment. */
  interface Source {
    TableLayouts read() throws IOException;
  }

  /** Waits, while regions reopen. */
  interface Pause {
    void sleep(long millis) throws InterruptedException;
  }

  private final Source source;
  private final Pause pause;
  private final ReentrantLock reading = new ReentrantLock();
  private volatile TableLayouts now;
  private volatile long readAt;

  /**
   * @param source null where the layout is given by hand
   */
  KnownLayouts(TableLayouts first, Source source) {
    this(first, source, Thread::sleep);
  }

  KnownLayouts(TableLayouts first, Source source, Pause pause) {
    this.now = first;
    this.source = source;
    this.pause = pause;
    this.readAt = System.nanoTime();
  }

  void pause(long millis) throws InterruptedException {
    pause.sleep(millis);
  }

  /** What to plan with. */
  TableLayouts now() {
    TableLayouts known = now;
    if (known.isChanging() && System.nanoTime() - readAt > NANOS_OF_CHANGE) {
      readOnceInAWhile(known);
      return now;
    }
    return known;
  }

  private void readOnceInAWhile(TableLayouts known) {
    if (reading.tryLock()) {
      try {
        readAt = System.nanoTime();
        take(known, source.read());
      } catch (IOException e) {
        // The master may be away. What is known is right until a region server says otherwise.
        readAt = System.nanoTime();
      } finally {
        reading.unlock();
      }
    }
  }

  /**
   * What to plan with after a refusal: read from the table unless another thread has done so.
   *
   * @param refused what was planned with; the answer is the same object where nothing has changed
   */
  TableLayouts after(TableLayouts refused) throws IOException {
    reading.lock();
    try {
      if (now == refused) {
        take(refused, source.read());
        readAt = System.nanoTime();
      }
      return now;
    } finally {
      reading.unlock();
    }
  }

  private void take(TableLayouts known, TableLayouts read) {
    if (!read.isSameAs(known)) {
      now = read;
    }
  }
}
