package io.rowguard.client;

import io.rowguard.readdressing.ReaddressedResult;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the lists of actions of a {@link SaltedTable}: at once, as long as each has one row, and
 * else in {@linkplain BatchRounds rounds}: while the layout changes, and where writers choose. As
 * thread-safe as the table of salted rows.
 */
final class SaltedLists {
  private static final Logger LOG = LoggerFactory.getLogger(SaltedLists.class);

  private final Table table;
  private final ListSender sender;
  private final LayoutCache layouts;
  private final LongSupplier timeoutMillis;

  /**
   * @param timeoutMillis how long one list may wait for regions that have not reopened
   */
  SaltedLists(Table table, LayoutCache layouts, LongSupplier timeoutMillis) {
    this.table = table;
    this.sender = ListSender.of(table);
    this.layouts = layouts;
    this.timeoutMillis = timeoutMillis;
  }

  /** Whether there is a row, for a table whose writers choose. */
  boolean exists(Get get) throws IOException {
    return !BatchRounds.showsNothing((Result) one(ofExistence(get), sender::batch));
  }

  /** One Get, for a table whose writers choose; the result has its bare key. */
  Result get(Get get) throws IOException {
    return (Result) one(get, sender::batch);
  }

  /** One delete, for a table whose writers choose. */
  void delete(Delete delete) throws IOException {
    one(delete, sender::batch);
  }

  private <R extends Row> Object one(R action, BatchRounds.Sender<R> how) throws IOException {
    BatchRounds<R> rounds = rounds(Collections.singletonList(action));
    try {
      rounds.run(how, null);
    } catch (InterruptedException e) {
      throw ListSender.interrupted(e);
    }
    throwIfAny(rounds.results().firstFailure());
    return rounds.results().shown()[0];
  }

  boolean[] exists(List<Get> gets) throws IOException {
    TableLayouts plan = layouts.now();
    if (!plan.needsRounds()) {
      SaltedBatch<Get> batch = new SaltedBatch<>(gets, plan);
      try {
        return table.exists(batch.salted());
      } catch (IOException e) {
        throwUnlessStale(plan, batch, e);
      }
    }
    List<Get> ofExistence = new ArrayList<>(gets.size());
    for (Get get : gets) {
      ofExistence.add(ofExistence(get));
    }
    Object[] results = run(rounds(ofExistence), sender::batch).results().shown();
    boolean[] exist = new boolean[results.length];
    for (int i = 0; i < exist.length; i++) {
      exist[i] = !BatchRounds.showsNothing((Result) results[i]);
    }
    return exist;
  }

  Result[] get(List<Get> gets) throws IOException {
    TableLayouts plan = layouts.now();
    if (!plan.needsRounds()) {
      SaltedBatch<Get> batch = new SaltedBatch<>(gets, plan);
      try {
        Result[] results = table.get(batch.salted());
        batch.strip(results, results);
        return results;
      } catch (IOException e) {
        throwUnlessStale(plan, batch, e);
      }
    }
    // All of them anew: no caller has seen what some have found.
    Object[] results = run(rounds(gets), sender::batch).results().shown();
    return Arrays.copyOf(results, results.length, Result[].class);
  }

  /** Asks whether a Get would give anything. */
  private static Get ofExistence(Get get) {
    return new Get(get).setCheckExistenceOnly(true);
  }

  void put(List<Put> puts) throws IOException {
    TableLayouts plan = layouts.now();
    BatchRounds<Put> rounds;
    if (plan.needsRounds()) {
      rounds = rounds(puts);
    } else {
      SaltedBatch<Put> batch = new SaltedBatch<>(puts, plan);
      Object[] answers = new Object[puts.size()];
      try {
        sender.put(batch.salted(), answers);
        return;
      } catch (IOException e) {
        throwUnlessStale(plan, batch, e);
        rounds = rounds(puts);
        rounds.begin(plan, batch.all(), answers, e);
      }
    }
    run(rounds, sender::put);
  }

  void delete(List<Delete> deletes) throws IOException {
    TableLayouts plan = layouts.now();
    BatchRounds<Delete> rounds;
    if (plan.needsRounds()) {
      rounds = rounds(deletes);
    } else {
      SaltedBatch<Delete> batch = new SaltedBatch<>(deletes, plan);
      Object[] answers = new Object[deletes.size()];
      boolean over = true;
      try {
        sender.delete(batch.salted(), answers);
        return;
      } catch (IOException e) {
        throwUnlessStale(plan, batch, e);
        rounds = rounds(deletes);
        rounds.begin(plan, batch.all(), answers, e);
        over = false;
      } finally {
        if (over) {
          batch.keepLeft(deletes);
        }
      }
    }
    try {
      run(rounds, sender::delete);
    } finally {
      sender.keepFailed(rounds.results(), deletes);
    }
  }

  List<CheckAndMutateResult> checkAndMutate(List<CheckAndMutate> checks) throws IOException {
    TableLayouts plan = layouts.now();
    BatchRounds<CheckAndMutate> rounds;
    if (plan.needsRounds()) {
      rounds = rounds(checks);
    } else {
      SaltedBatch<CheckAndMutate> batch = new SaltedBatch<>(checks, plan);
      Object[] answers = new Object[checks.size()];
      try {
        sender.check(batch.salted(), answers);
        batch.strip(answers, answers);
        return checked(answers);
      } catch (IOException e) {
        throwUnlessStale(plan, batch, e);
        rounds = rounds(checks);
        rounds.begin(plan, batch.all(), answers, e);
      }
    }
    return checked(run(rounds, sender::check).results().shown());
  }

  private static List<CheckAndMutateResult> checked(Object[] answers) {
    List<CheckAndMutateResult> results = new ArrayList<>(answers.length);
    for (Object answer : answers) {
      results.add((CheckAndMutateResult) answer);
    }
    return results;
  }

  void batch(List<? extends Row> actions, Object[] results)
      throws IOException, InterruptedException {
    batch(layouts.now(), actions, results, table::batch, null);
  }

  <R> void batchCallback(List<? extends Row> actions, Object[] results, Batch.Callback<R> callback)
      throws IOException, InterruptedException {
    TableLayouts plan = layouts.now();
    Batch.Callback<R> bare =
        (region, row, result) -> {
          byte[] bareKey = plan.bareKeyOf(row);
          @SuppressWarnings("unchecked") // results stay of their own class
          R shown = (R) ReaddressedResult.of((Object) result, bareKey);
          callback.update(region, bareKey, shown);
        };
    batch(
        plan,
        actions,
        results,
        (salted, answers) -> table.batchCallback(salted, answers, bare),
        callback);
  }

  /**
   * @param all sends all actions at once, as long as the layout does not change
   * @param callback is told the results of what is sent otherwise; null for none
   */
  private <R> void batch(
      TableLayouts plan,
      List<? extends Row> actions,
      Object[] results,
      BatchRounds.Sender<Row> all,
      Batch.Callback<R> callback)
      throws IOException, InterruptedException {
    SaltedBatch.requirePlaces(actions, results);
    if (plan.needsRounds()) {
      batchInRounds(rounds(actions), results, callback);
      return;
    }
    SaltedBatch<Row> batch = new SaltedBatch<>(actions, plan);
    Object[] saltedResults = new Object[actions.size()];
    BatchRounds<Row> rounds = null;
    try {
      all.send(batch.salted(), saltedResults);
    } catch (IOException e) {
      throwUnlessStale(plan, batch, e, saltedResults);
      BatchRounds<Row> begun = rounds(actions);
      begun.begin(plan, batch.all(), saltedResults, e);
      rounds = begun;
    } finally {
      if (rounds == null) {
        batch.strip(saltedResults, results);
      }
    }
    if (rounds != null) {
      batchInRounds(rounds, results, callback);
    }
  }

  private <R> void batchInRounds(
      BatchRounds<Row> rounds, Object[] results, Batch.Callback<R> callback)
      throws IOException, InterruptedException {
    try {
      if (callback == null) {
        rounds.run(table::batch, null);
      } else {
        Regions regions = new Regions();
        rounds.run(
            (salted, answers) -> table.batchCallback(salted, answers, regions),
            (salted, bareKey, shown) -> {
              @SuppressWarnings("unchecked") // as above
              R result = (R) shown;
              tell(callback, regions.of(salted), bareKey, result);
            });
      }
    } finally {
      if (results != null) {
        Object[] shown = rounds.results().shown();
        System.arraycopy(shown, 0, results, 0, shown.length);
      }
    }
    throwIfAny(sender.batchFailure(rounds.results()));
  }

  /** Passes over what the callback throws, as HBase 2 does: the others are to be told, too. */
  private <R> void tell(Batch.Callback<R> callback, byte[] region, byte[] bareKey, R result) {
    try {
      callback.update(region, bareKey, result);
    } catch (RuntimeException e) {
      LOG.error("A callback of batchCallback failed. table={}", table.getName(), e);
    }
  }

  /**
   * @param answers of a batch: of several failures HBase 3 throws one, whichever it is
   */
  private static void throwUnlessStale(
      TableLayouts plan, SaltedBatch<?> batch, IOException thrown, Object... answers)
      throws IOException {
    IOException e = ListSender.interruptionOr(thrown, answers);
    boolean stale = LayoutRetry.isRefusal(e);
    for (Object answer : answers) {
      stale |= answer instanceof Throwable && LayoutRetry.isRefusal((Throwable) answer);
    }
    if (!plan.isStamped() || !stale || e instanceof InterruptedIOException) {
      throw batch.named(e);
    }
  }

  private static void throwIfAny(IOException failure) throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  private <R extends Row> BatchRounds<R> rounds(List<? extends R> actions) {
    return new BatchRounds<>(layouts, timeoutMillis.getAsLong(), actions);
  }

  private <R extends Row> BatchRounds<R> run(BatchRounds<R> rounds, BatchRounds.Sender<R> how)
      throws IOException {
    try {
      rounds.run(how, null);
    } catch (InterruptedException e) {
      throw ListSender.interrupted(e);
    }
    throwIfAny(sender.listFailure(rounds.results()));
    return rounds;
  }

  /** Remembers in which region the rows of one round are. Thread-safe. */
  private static final class Regions implements Batch.Callback<Object> {
    private final Map<byte[], byte[]> regionOfRow =
        Collections.synchronizedMap(new TreeMap<>(Bytes.BYTES_COMPARATOR));

    @Override
    public void update(byte[] region, byte[] row, Object result) {
      regionOfRow.put(row, region);
    }

    byte[] of(byte[] row) {
      return regionOfRow.get(row);
    }
  }
}
