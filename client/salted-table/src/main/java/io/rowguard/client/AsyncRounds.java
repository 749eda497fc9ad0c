package io.rowguard.client;

import io.rowguard.readdressing.ReaddressedResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Row;

/**
 * Sends actions on bare keys in the rounds of {@link BatchRounds}, and waits for none: an answer
 * completes the future of its action as soon as it comes. Those that a server refuses are sent
 * again when all of their round have been answered. Thread-safe.
 *
 * @param <R> the kind of action
 */
final class AsyncRounds<R extends Row> {
  /** Sends actions on salted rows, as a method of HBase's table does. */
  interface Sender<R extends Row> {
    List<? extends CompletableFuture<?>> send(List<R> salted);

    /** Sends each action by itself. */
    static <R extends Row> Sender<R> ofOne(Function<R, CompletableFuture<?>> sender) {
      return salted -> {
        List<CompletableFuture<?>> answers = new ArrayList<>(salted.size());
        salted.forEach(action -> answers.add(sender.apply(action)));
        return answers;
      };
    }
  }

  private final BatchRounds<R> rounds;
  private final List<CompletableFuture<Object>> futures;
  private final Sender<R> sender;
  private final FetchThreads threads;

  private AsyncRounds(
      LayoutCache layouts,
      long timeoutMillis,
      FetchThreads threads,
      List<? extends R> given,
      Sender<R> sender) {
    this.rounds = new BatchRounds<>(layouts, timeoutMillis, given);
    this.sender = sender;
    this.threads = threads;
    this.futures = new ArrayList<>(given.size());
    for (int i = 0; i < given.size(); i++) {
      futures.add(new CompletableFuture<>());
    }
  }

  /**
   * Sends actions.
   *
   * @param timeoutMillis how long to go on after the first refusal
   * @param threads where the table's descriptor is read after a refusal
   * @return for each its answer, with its bare key, as HBase's own table would give it. Where an
   *     action is none of bare keys, all of them fail, and nothing is sent
   * @throws RuntimeException what the sender throws at once
   */
  static <R extends Row> List<CompletableFuture<Object>> send(
      LayoutCache layouts,
      long timeoutMillis,
      FetchThreads threads,
      List<? extends R> given,
      Sender<R> sender) {
    AsyncRounds<R> all = new AsyncRounds<>(layouts, timeoutMillis, threads, given, sender);
    List<R> salted;
    try {
      salted = all.rounds.next();
    } catch (IOException e) {
      all.fail(e);
      return all.futures;
    }
    all.send(salted);
    return all.futures;
  }

  private void send(List<R> salted) {
    List<? extends CompletableFuture<?>> answers = sender.send(salted);
    AtomicInteger left = new AtomicInteger(answers.size());
    for (int at = 0; at < answers.size(); at++) {
      int index = at;
      Futures.then(
          answers.get(at),
          (answer, failure) -> {
            answered(index, salted.get(index), failure == null ? answer : failure);
            if (left.decrementAndGet() == 0) {
              endRound();
            }
          },
          this::fail);
    }
  }

  private void answered(int at, Row sent, Object answer) {
    int index = rounds.indexOf(at);
    Object result = answer;
    // Without the lock where it can be: each of HBase's threads would wait here for the others.
    if (!rounds.isResult(answer)) {
      synchronized (rounds) {
        try {
          if (!rounds.take(at, sent, answer)) {
            return;
          }
          result = rounds.answerOf(at, answer);
        } catch (IOException | RuntimeException | Error e) {
          result = e;
        }
      }
    }
    if (result instanceof Throwable) {
      futures.get(index).completeExceptionally((Throwable) result);
    } else {
      futures.get(index).complete(ReaddressedResult.of(result, rounds.bareKeyOf(index)));
    }
  }

  private void endRound() throws IOException {
    boolean refused;
    synchronized (rounds) {
      refused = rounds.isRefused();
    }
    if (refused) {
      // To read the descriptor takes a while, and this is one of HBase's own few threads.
      threads.run(this::planNext, this::fail);
    } else {
      planNext();
    }
  }

  private void planNext() throws IOException {
    long pauseMillis;
    synchronized (rounds) {
      pauseMillis = rounds.endRound();
      if (rounds.isOver()) {
        return;
      }
    }
    threads.runLater(this::sendNext, pauseMillis, this::fail);
  }

  private void sendNext() throws IOException {
    List<R> salted;
    synchronized (rounds) {
      salted = rounds.next();
    }
    send(salted);
  }

  /** Fails what has no answer yet. */
  private void fail(Throwable failure) {
    for (CompletableFuture<Object> future : futures) {
      future.completeExceptionally(failure);
    }
  }
}
