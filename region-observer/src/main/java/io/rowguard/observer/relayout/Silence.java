package io.rowguard.observer.relayout;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Which places do not answer, servers or regions, so that they do not hold up all handlers of all
 * other servers. Thread-safe.
 *
 * <p>A place that owes an answer and has given none for a second is silent. Then one call at a
 * time, the one that waits longest, is let wait on to see when that ends; the others give up, and
 * who comes is turned away. So it is, too, where the last that waited has given up or failed.
 */
public final class Silence {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** So long after the last call, a place is nothing special any more. */
  private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int MOST_IDLE = 1_000;

  private final LongSupplier clock;
  private final Map<Object, Place> places = new HashMap<>();

  /** Where calls go. */
  private static final class Place {
    private final ArrayDeque<Call> waiting = new ArrayDeque<>(2);
    private long lastHeard;
    private long lastLeft;
    private boolean failing;

    boolean isSilent(long now) {
      return !waiting.isEmpty()
          && (failing || now - Math.max(waiting.peek().began, lastHeard) > LIMIT_NANOS);
    }

    boolean isForgotten(long now) {
      return waiting.isEmpty() && (!failing || now - lastLeft > FORGOTTEN_NANOS);
    }
  }

  /** What nothing is known of yet. */
  public Silence() {
    this(System::nanoTime);
  }

  Silence(LongSupplier clock) {
    this.clock = clock;
  }

  /** A call to places, a server and one of its regions say, until it has ended. */
  final class Call {
    private final Object[] to;
    private final long began;

    private Call(Object[] to, long began) {
      this.to = to;
      this.began = began;
    }

    /** Whether it is of use to wait on. */
    boolean mayWait() {
      synchronized (Silence.this) {
        long now = clock.getAsLong();
        for (Object key : to) {
          Place place = places.get(key);
          if (place.isSilent(now) && place.waiting.peek() != this) {
            return false;
          }
        }
        return true;
      }
    }

    /** It has got its answer. */
    void answered() {
      end(true, to.length);
    }

    /**
     * It has failed.
     *
     * @param first from which of the places on it is their failure; those before have been heard
     */
    void failed(int first) {
      end(true, first);
    }

    /** Nobody waits for its answer any more. */
    void givenUp() {
      end(false, 0);
    }

    private void end(boolean heard, int first) {
      synchronized (Silence.this) {
        long now = clock.getAsLong();
        for (int i = 0; i < to.length; i++) {
          Place place = places.get(to[i]);
          if (place == null) {
            continue;
          }
          boolean wasNext = place.waiting.peek() == this;
          boolean wasSilent = place.isSilent(now);
          boolean waited = place.waiting.remove(this);
          if (heard && i < first) { // also when nobody waits for this very answer any more
            place.lastHeard = now;
            place.failing = false;
          } else if (waited && (heard || (wasNext && wasSilent))) {
            place.failing = true;
          }
          place.lastLeft = now;
          if (!place.failing && place.waiting.isEmpty()) {
            places.remove(to[i]);
          }
        }
      }
    }
  }

  /** A call begins; null where it is better not made. */
  synchronized Call begin(Object... to) {
    long now = clock.getAsLong();
    for (Object key : to) {
      Place place = places.get(key);
      if (place != null && place.isSilent(now)) {
        return null;
      }
    }
    forget(now);
    Call call = new Call(to, now);
    for (Object key : to) {
      places.computeIfAbsent(key, absent -> new Place()).waiting.add(call);
    }
    return call;
  }

  private void forget(long now) {
    if (places.size() > MOST_IDLE) {
      for (Iterator<Place> all = places.values().iterator(); all.hasNext(); ) {
        if (all.next().isForgotten(now)) {
          all.remove();
        }
      }
    }
  }

  /** For tests: how many places are known. */
  synchronized int size() {
    return places.size();
  }
}
