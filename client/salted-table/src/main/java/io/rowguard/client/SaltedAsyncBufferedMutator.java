package io.rowguard.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * A buffer of mutations on bare keys over HBase's own of the salted table: each row is completed
 * when it is added, and HBase's buffer sends them as it always does. Of a list with a row that is
 * no bare key nothing is added, and all of its futures fail. Thread-safe.
 *
 * <p>What a server refuses since the layout of the table has changed goes past the buffer: all that
 * was refused in the meantime is one batch of the {@link SaltedAsyncTable}.
 */
final class SaltedAsyncBufferedMutator implements AsyncBufferedMutator {
  private final AsyncBufferedMutator salted;
  private final LayoutCache layouts;
  private final AsyncTable<?> table;
  private final Queue<Refused> refused = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isSending = new AtomicBoolean();

  /**
   * @param salted HBase's own buffer, which is closed with this
   * @param table takes bare keys
   */
  SaltedAsyncBufferedMutator(
      AsyncBufferedMutator salted, LayoutCache layouts, AsyncTable<?> table) {
    this.salted = salted;
    this.layouts = layouts;
    this.table = table;
  }

  /** A mutation that is to be sent again. */
  private static final class Refused {
    final FailedMutation mutation;
    final CompletableFuture<Void> future;

    Refused(FailedMutation mutation, CompletableFuture<Void> future) {
      this.mutation = mutation;
      this.future = future;
    }
  }

  @Override
  public List<CompletableFuture<Void>> mutate(List<? extends Mutation> mutations) {
    List<CompletableFuture<Void>> shown = new ArrayList<>(mutations.size());
    TableLayouts plan = layouts.now();
    List<Mutation> onSalted = new ArrayList<>(mutations.size());
    List<Integer> rows = new ArrayList<>(mutations.size());
    try {
      for (Mutation mutation : mutations) {
        shown.add(new CompletableFuture<>());
        int before = onSalted.size();
        plan.addOnRows(mutation, onSalted);
        rows.add(onSalted.size() - before);
      }
    } catch (IOException e) {
      while (shown.size() < mutations.size()) {
        shown.add(new CompletableFuture<>());
      }
      shown.forEach(future -> future.completeExceptionally(e));
      return shown;
    }
    List<CompletableFuture<Void>> sent = salted.mutate(onSalted);
    int at = 0;
    for (int i = 0; i < shown.size(); i++) {
      CompletableFuture<?>[] all = new CompletableFuture<?>[rows.get(i)];
      for (int row = 0; row < all.length; row++, at++) {
        all[row] = settled(plan, onSalted.get(at), sent.get(at));
      }
      Futures.pass(CompletableFuture.allOf(all), shown.get(i));
    }
    return shown;
  }

  /** Completes when a mutation is written, maybe sent again, or has failed for good. */
  private CompletableFuture<Void> settled(
      TableLayouts plan, Mutation mutation, CompletableFuture<Void> sent) {
    CompletableFuture<Void> future = new CompletableFuture<>();
    Futures.then(
        sent,
        (done, failure) -> {
          if (failure == null) {
            future.complete(null);
          } else {
            failed(plan, mutation, failure, future);
          }
        },
        future::completeExceptionally);
    return future;
  }

  private void failed(
      TableLayouts plan, Mutation mutation, Throwable cause, CompletableFuture<Void> future) {
    if (!plan.isStamped() || !LayoutRetry.isRefusal(cause)) {
      future.completeExceptionally(cause);
      return;
    }
    refused.add(new Refused(new FailedMutation(mutation, plan, cause, null), future));
    if (isSending.compareAndSet(false, true)) {
      FetchThreads.shared().run(this::sendAgain, failure -> fail(takeRefused(), failure));
    }
  }

  private List<Refused> takeRefused() {
    // Before the queue is read: what is added from here on has a call of its own.
    isSending.set(false);
    List<Refused> taken = new ArrayList<>();
    for (Refused one = refused.poll(); one != null; one = refused.poll()) {
      taken.add(one);
    }
    return taken;
  }

  private static void fail(List<Refused> some, Throwable failure) {
    some.forEach(one -> one.future.completeExceptionally(failure));
  }

  /** The layouts to plan with: read anew where a server knows others, if the master answers. */
  private TableLayouts next() {
    for (Refused one : refused) {
      if (!LayoutRetry.isOtherRow(one.mutation.cause())) {
        try {
          return layouts.after(one.mutation.plan());
        } catch (IOException e) {
          // The table's batch asks again, until its time is over.
          break;
        }
      }
    }
    return layouts.now();
  }

  private void sendAgain() {
    // Before they are taken: mutations that are refused meanwhile need no thread of their own.
    TableLayouts plan = next();
    List<Refused> again = takeRefused();
    try {
      List<Refused> sent = new ArrayList<>(again.size());
      List<Mutation> bare = new ArrayList<>(again.size());
      for (Refused one : again) {
        Mutation mutation = one.mutation.bare();
        try {
          plan.primaryRow(mutation.getRow());
          sent.add(one);
          bare.add(mutation);
        } catch (DoNotRetryIOException e) {
          // No bare key of the table that has been made anew: it would fail the whole batch.
          one.future.completeExceptionally(e);
        }
      }
      if (bare.isEmpty()) {
        return;
      }
      List<CompletableFuture<Object>> answers = table.batch(bare);
      for (int i = 0; i < answers.size(); i++) {
        Futures.pass(answers.get(i).thenApply(answer -> null), sent.get(i).future);
      }
    } catch (IOException | RuntimeException | Error e) {
      fail(again, e);
    }
  }

  @Override
  public void flush() {
    salted.flush();
  }

  @Override
  public void close() {
    salted.close();
  }

  @Override
  public TableName getName() {
    return salted.getName();
  }

  @Override
  public Configuration getConfiguration() {
    return salted.getConfiguration();
  }

  @Override
  public long getWriteBufferSize() {
    return salted.getWriteBufferSize();
  }

  @Override
  public long getPeriodicalFlushTimeout(TimeUnit unit) {
    return salted.getPeriodicalFlushTimeout(unit);
  }

  /** See {@link MaxMutations}. */
  @SuppressWarnings("MissingOverride") // compiles against releases that lack it
  public int getMaxMutations() {
    return MaxMutations.get(salted);
  }

  /** HBase has this method from 2.6 on. */
  @SuppressWarnings("MissingOverride") // 2.5 lacks it
  public Map<String, byte[]> getRequestAttributes() {
    return salted.getRequestAttributes();
  }
}
