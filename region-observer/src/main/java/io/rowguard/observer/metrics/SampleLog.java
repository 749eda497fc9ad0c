package io.rowguard.observer.metrics;

import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs one message per table and interval, with the number of those it left out: a client that
 * writes a million bad rows must not fill the server's disk. Thread-safe.
 */
public final class SampleLog {
  private static final Logger LOG = LoggerFactory.getLogger(SampleLog.class);
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final String NEXT_AT_KEY = "rowguard.sample-log.next-at.";
  private static final String LEFT_OUT_KEY = "rowguard.sample-log.left-out.";

  private final AtomicLong nextAt;
  private final LongAdder leftOut;

  private SampleLog(AtomicLong nextAt, LongAdder leftOut) {
    this.nextAt = nextAt;
    this.leftOut = leftOut;
  }

  /** A log that shares its intervals with no other. */
  public static SampleLog own() {
    return new SampleLog(new AtomicLong(System.nanoTime()), new LongAdder());
  }

  /**
   * The log of a table, the same for all of its regions on this server.
   *
   * @param shared the data that all instances of the coprocessor share; it gets nothing but the
   *     JDK's own classes, see {@link io.rowguard.observer.RegionClaim}
   */
  public static SampleLog of(ConcurrentMap<String, Object> shared, String table) {
    return new SampleLog(
        (AtomicLong)
            shared.computeIfAbsent(NEXT_AT_KEY + table, key -> new AtomicLong(System.nanoTime())),
        (LongAdder) shared.computeIfAbsent(LEFT_OUT_KEY + table, key -> new LongAdder()));
  }

  /** Logs the message, which is built only then, or counts it as left out. */
  public void sample(Supplier<String> message) {
    if (isDue()) {
      LOG.warn("{} leftOutSinceTheLastSample={}", message.get(), leftOut.sumThenReset());
    }
  }

  /** Logs the message likewise, as an error with its stack trace. */
  public void sample(Supplier<String> message, Throwable error) {
    if (isDue()) {
      LOG.error("{} leftOutSinceTheLastSample={}", message.get(), leftOut.sumThenReset(), error);
    }
  }

  private boolean isDue() {
    long due = nextAt.get();
    long now = System.nanoTime();
    if (now - due < 0 || !nextAt.compareAndSet(due, now + INTERVAL_NANOS)) {
      leftOut.increment();
      return false;
    }
    return true;
  }
}
