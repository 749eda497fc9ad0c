package io.rowguard.observer.peers;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.exceptions.ClientExceptionsUtil;

/**
 * The peers that do not answer, servers or regions, so that they do not hold up all handlers of all
 * other servers. Thread-safe.
 *
 * <p>A peer that owes an answer and has given none for a second is silent. Then one attempt at a
 * time, the one that waits longest, is let wait on to see when that ends; the others give up, and
 * new calls are rejected, but for one a second: where just one answer takes long, the next one ends
 * the silence. So it is, too, where the last that waited has given up or failed.
 */
public final class PeerHealth {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Time after the last attempt after which a failing peer is forgotten. */
  private static final long FORGOTTEN_NANOS = TimeUnit.SECONDS.toNanos(30);

  private static final int MOST_IDLE = 1_000;

  private final LongSupplier clock;
  private final Map<Object, Peer> peers = new HashMap<>();

  /** A server or region that calls go to. */
  private static final class Peer {
    private final ArrayDeque<Attempt> waiting = new ArrayDeque<>(2);
    private long lastBegan;
    private long lastHeard;
    private long lastLeft;
    private boolean failing;

    boolean isSilent(long now) {
      return !waiting.isEmpty()
          && (failing || now - Math.max(waiting.peek().began, lastHeard) > LIMIT_NANOS);
    }

    boolean rejects(long now) {
      return isSilent(now) && now - lastBegan <= LIMIT_NANOS;
    }

    boolean isForgotten(long now) {
      return waiting.isEmpty() && (!failing || now - lastLeft > FORGOTTEN_NANOS);
    }
  }

  /** Creates a tracker with no peers. */
  public PeerHealth() {
    this(System::nanoTime);
  }

  PeerHealth(LongSupplier clock) {
    this.clock = clock;
  }

  /** An attempt to peers, a server and one of its regions say, until it has ended. */
  public final class Attempt {
    private final Object[] to;
    private final long began;

    private Attempt(Object[] to, long began) {
      this.to = to;
      this.began = began;
    }

    /** Whether it is of use to wait on. */
    public boolean mayWait() {
      synchronized (PeerHealth.this) {
        long now = clock.getAsLong();
        for (Object key : to) {
          Peer peer = peers.get(key);
          // A peer is forgotten with its last attempt, which may be this one that ends just now.
          if (peer != null && peer.isSilent(now) && peer.waiting.peek() != this) {
            return false;
          }
        }
        return true;
      }
    }

    /**
     * Ends with an answer, or an error in its place.
     *
     * @param error null for an answer; one that no other try would change is an answer, too, and
     *     where the first peer could be connected to, the failure is that of the others
     */
    public void ended(Throwable error) {
      if (error == null || error instanceof DoNotRetryIOException) {
        answered();
      } else {
        failed(ClientExceptionsUtil.isConnectionException(error) ? 0 : 1);
      }
    }

    void answered() {
      end(true, to.length);
    }

    /**
     * It has failed.
     *
     * @param first from which of the peers on it is their failure; those before have been heard
     */
    void failed(int first) {
      end(true, first);
    }

    /** Gives up the wait for an answer. */
    public void givenUp() {
      end(false, 0);
    }

    private void end(boolean heard, int first) {
      synchronized (PeerHealth.this) {
        long now = clock.getAsLong();
        for (int i = 0; i < to.length; i++) {
          Peer peer = peers.get(to[i]);
          if (peer == null) {
            continue;
          }
          boolean wasNext = peer.waiting.peek() == this;
          boolean wasSilent = peer.isSilent(now);
          boolean waited = peer.waiting.remove(this);
          if (heard && i < first) { // also when this very answer is not waited for any more
            peer.lastHeard = now;
            peer.failing = false;
          } else if (waited && (heard || (wasNext && wasSilent))) {
            peer.failing = true;
          }
          peer.lastLeft = now;
          if (!peer.failing && peer.waiting.isEmpty()) {
            peers.remove(to[i]);
          }
        }
      }
    }
  }

  /** An attempt begins; null where it is better not made. */
  public synchronized Attempt begin(Object... to) {
    long now = clock.getAsLong();
    for (Object key : to) {
      Peer peer = peers.get(key);
      if (peer != null && peer.rejects(now)) {
        return null;
      }
    }
    forget(now);
    Attempt attempt = new Attempt(to, now);
    for (Object key : to) {
      Peer peer = peers.computeIfAbsent(key, absent -> new Peer());
      peer.waiting.add(attempt);
      peer.lastBegan = now;
    }
    return attempt;
  }

  private void forget(long now) {
    if (peers.size() > MOST_IDLE) {
      for (Iterator<Peer> all = peers.values().iterator(); all.hasNext(); ) {
        if (all.next().isForgotten(now)) {
          all.remove();
        }
      }
    }
  }

  /** The number of peers known; for tests. */
  synchronized int size() {
    return peers.size();
  }
}
