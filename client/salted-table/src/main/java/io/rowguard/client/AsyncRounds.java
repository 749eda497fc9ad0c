package io.rowguard.client;

import io.rowguard.readdressing.ReaddressedResult;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.hadoop.hbase.client.Row;

/**
 * Sends actions on bare keys in the rounds of {@link BatchRounds}, and waits for none. Those that a
 * server refuses are sent again when all of their round have been answered. Thread-safe.
 *
 * @param <R> the kind of action
 */
abstract class AsyncRounds<R extends Row> {
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

  final BatchRounds<R> rounds;
  private final Sender<R> sender;
  private final FetchThreads threads;

  private AsyncRounds(BatchRounds<R> rounds, FetchThreads threads, Sender<R> sender) {
    this.rounds = rounds;
    this.sender = sender;
    this.threads = threads;
  }

  /**
   * Sends actions of which each has a future: an answer completes it as soon as it comes.
   *
   * @param threads where the table's descriptor is read after a refusal
   * @return for each its answer, with its bare key, as HBase's own table would give it. Where an
   *     action is none of bare keys, all of them fail, and nothing is sent
   * @throws RuntimeException what the sender throws at once
   */
  static <R extends Row> List<CompletableFuture<Object>> send(
      BatchRounds<R> rounds, FetchThreads threads, Sender<R> sender) {
    OfEach<R> all = new OfEach<>(rounds, threads, sender);
    all.begin();
    return all.futures;
  }

  /**
   * Sends actions of which all have one future, with the answers in their order, as above. HBase's
   * threads only count the answers, and the last one looks at all of them. A future for each action
   * of a large batch costs as much as the rest of this class.
   */
  static <R extends Row> CompletableFuture<List<Object>> sendAll(
      BatchRounds<R> rounds, FetchThreads threads, Sender<R> sender) {
    OfAll<R> all = new OfAll<>(rounds, threads, sender);
    all.begin();
    return all.future;
  }

  /** Handles the answers of a round that is under way, and calls {@link #endRound} in the end. */
  abstract void handle(List<R> salted, List<? extends CompletableFuture<?>> answers);

  /** Is told that each action has its result. */
  abstract void over();

  /** Fails what has no answer yet. */
  abstract void fail(Throwable failure);

  final void begin() {
    List<R> salted;
    try {
      salted = rounds.next();
    } catch (IOException e) {
      fail(e);
      return;
    }
    send(salted);
  }

  private void send(List<R> salted) {
    handle(salted, sender.send(salted));
  }

  final void endRound() throws IOException {
    boolean refused;
    synchronized (rounds) {
      refused = rounds.isRefused();
    }
    if (refused) {
      // To read the descriptor takes a while, and this is one of HBase's own few threads.
      threads.run(() -> planNext(true), this::fail);
    } else {
      planNext(false);
    }
  }

  private void planNext(boolean isRefused) throws IOException {
    long pauseMillis;
    boolean isOver;
    synchronized (rounds) {
      pauseMillis = rounds.endRound();
      isOver = rounds.isOver();
    }
    if (isOver) {
      over(); // without the lock, since it runs what users have chained
    } else if (isRefused) {
      threads.runLater(this::sendNext, pauseMillis, this::fail);
    } else {
      // A row that is looked for in another place waits for none of those threads, which scans
      // have.
      sendNext();
    }
  }

  private void sendNext() throws IOException {
    List<R> salted;
    synchronized (rounds) {
      salted = rounds.next();
    }
    send(salted);
  }

  /** A future for each action. */
  private static final class OfEach<R extends Row> extends AsyncRounds<R> {
    private final List<CompletableFuture<Object>> futures;

    OfEach(BatchRounds<R> rounds, FetchThreads threads, Sender<R> sender) {
      super(rounds, threads, sender);
      this.futures = new ArrayList<>(rounds.size());
      for (int i = 0; i < rounds.size(); i++) {
        futures.add(new CompletableFuture<>());
      }
    }

    @Override
    void handle(List<R> salted, List<? extends CompletableFuture<?>> answers) {
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

    @Override
    void over() {}

    @Override
    void fail(Throwable failure) {
      for (CompletableFuture<Object> future : futures) {
        future.completeExceptionally(failure);
      }
    }
  }

  /** One future for all actions. */
  private static final class OfAll<R extends Row> extends AsyncRounds<R> {
    private final CompletableFuture<List<Object>> future = new CompletableFuture<>();

    OfAll(BatchRounds<R> rounds, FetchThreads threads, Sender<R> sender) {
      super(rounds, threads, sender);
    }

    @Override
    void handle(List<R> salted, List<? extends CompletableFuture<?>> answers) {
      Futures.then(
          CompletableFuture.allOf(answers.toArray(new CompletableFuture<?>[0])),
          (none, failure) -> {
            synchronized (rounds) {
              for (int at = 0; at < answers.size(); at++) {
                rounds.take(at, salted.get(at), Futures.outcome(answers.get(at)));
              }
            }
            endRound();
          },
          this::fail);
    }

    @Override
    void over() {
      List<Object> results = new ArrayList<>(Arrays.asList(rounds.results().shown()));
      for (Object result : results) {
        if (result instanceof Throwable) {
          fail((Throwable) result);
        }
      }
      future.complete(results); // no effect after a failure
    }

    @Override
    void fail(Throwable failure) {
      future.completeExceptionally(failure);
    }
  }
}
