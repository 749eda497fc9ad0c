package io.rowguard.client;

import io.rowguard.checker.Histories;
import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Clients of all kinds that work on a table without pause until they are stopped. Each has a
 * connection's tables of its own and its own random numbers; all write what they do to one {@link
 * Histories}.
 */
final class LiveTraffic implements AutoCloseable {
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> clients = new ArrayList<>();
  private final AtomicLong operations = new AtomicLong();
  private final AtomicInteger numbers = new AtomicInteger();
  private final AtomicLong longestNanos = new AtomicLong();
  private final ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final LiveTable table;
  private final Histories histories;
  private volatile boolean isOver;

  LiveTraffic(LiveTable table, Histories histories) {
    this.table = table;
    this.histories = histories;
  }

  LiveTable table() {
    return table;
  }

  Histories histories() {
    return histories;
  }

  /** Starts a client, which does one thing after the other. */
  void start(Callable<Void> next) {
    clients.add(
        threads.submit(
            () -> {
              while (!isOver) {
                next.call();
              }
              return null;
            }));
  }

  boolean isOver() {
    return isOver;
  }

  /** Counts an operation that has ended, by its kind. */
  void count(String kind, long nanos) {
    operations.incrementAndGet();
    note(kind);
    longestNanos.accumulateAndGet(nanos, Math::max);
  }

  /** Counts something else that happened. */
  void note(String what) {
    counts.computeIfAbsent(what, w -> new LongAdder()).increment();
  }

  /** Something was done to the table, as the histories say when something is wrong. */
  void happened(String what, long start) {
    histories.happened(what, start, System.nanoTime());
  }

  /** A number that no other operation has. */
  int number() {
    return numbers.incrementAndGet();
  }

  /** How many operations have ended. */
  long operations() {
    return operations.get();
  }

  /** Returns when so many more operations have ended; fails when a client has. */
  void awaitMore(int more) throws IOException {
    long goal = operations.get() + more;
    Eventually.isTrue(
        goal + " operations",
        () -> operations.get() >= goal || isOver || clients.stream().anyMatch(Future::isDone));
    for (Future<?> client : clients) {
      if (client.isDone()) {
        get(client);
      }
    }
  }

  /** Ends all clients; fails when one of them has failed. */
  void stop() throws IOException {
    isOver = true;
    for (Future<?> client : clients) {
      get(client);
    }
  }

  private static void get(Future<?> client) {
    try {
      client.get();
    } catch (ExecutionException e) {
      throw new AssertionError("A client failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("Interrupted while waiting for the clients", e);
    }
  }

  @Override
  public void close() {
    isOver = true;
    threads.shutdownNow();
  }

  @Override
  public String toString() {
    return operations
        + " operations, "
        + histories.unknown()
        + " of unknown outcome, the longest "
        + longestNanos.get() / 1_000_000
        + " ms\n  "
        + new TreeMap<>(counts).toString().replace(", ", "\n  ");
  }
}
