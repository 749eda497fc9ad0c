package io.rowguard.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The outcome of the bulk loads of a table. Of a load that has failed the rows of one user, which
 * lie in one region, are there all or none. Thread-safe.
 */
final class BulkLoads {
  /** So many loads of one sort without any that has come to its end are no test. */
  private static final int TRIES = 10;

  private final AtomicInteger tried = new AtomicInteger();
  private final AtomicInteger taken = new AtomicInteger();
  private final AtomicInteger badTried = new AtomicInteger();
  private final AtomicInteger badRefused = new AtomicInteger();
  private final ConcurrentLinkedQueue<FailedGroup> failed = new ConcurrentLinkedQueue<>();

  /** The keys of one user in a load that has failed. */
  private record FailedGroup(String load, String user, List<String> keys) {}

  /** Counts how many of some keys are there. */
  interface Presence {
    int of(List<String> keys) throws IOException;
  }

  /** Says that a load was taken. */
  void taken() {
    tried.incrementAndGet();
    taken.incrementAndGet();
  }

  /**
   * Says that a load has failed, wholly or in some regions.
   *
   * @param load names it
   * @param keys its keys, by user
   */
  void failed(String load, Map<String, List<String>> keys) {
    tried.incrementAndGet();
    keys.forEach((user, some) -> failed.add(new FailedGroup(load, user, List.copyOf(some))));
  }

  /** Says what became of a load with a row that does not fit. */
  void badLoad(boolean wasRefused) {
    badTried.incrementAndGet();
    if (wasRefused) {
      badRefused.incrementAndGet();
    }
  }

  /**
   * All that is wrong.
   *
   * @param mayBeRefused whether the layout changes, so that there may be no time to load
   */
  List<String> violations(String table, boolean mayBeRefused, Presence presence)
      throws IOException {
    List<String> violations = new ArrayList<>();
    for (FailedGroup group : failed) {
      int present = presence.of(group.keys);
      if (present != 0 && present != group.keys.size()) {
        violations.add(
            String.format(
                "%s has left %d of %d rows of %s",
                group.load, present, group.keys.size(), group.user));
      }
    }
    if (!mayBeRefused && tried.get() >= TRIES && taken.get() == 0) {
      violations.add("no bulk load of " + table + " was taken, tried=" + tried);
    }
    if (badTried.get() >= TRIES && badRefused.get() == 0) {
      violations.add("no bulk load of bad rows into " + table + " was refused, tried=" + badTried);
    }
    return violations;
  }

  @Override
  public String toString() {
    return String.format(
        "bulk loads taken=%d of %d, of bad rows refused=%d of %d",
        taken.get(), tried.get(), badRefused.get(), badTried.get());
  }
}
