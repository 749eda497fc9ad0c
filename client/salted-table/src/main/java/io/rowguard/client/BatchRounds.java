package io.rowguard.client;

import io.rowguard.readdressing.ReaddressedResult;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Many actions at once on the rows of a table whose layout changes: in each round those that are
 * not done are sent, each to the row that {@link LayoutCalls} would send it to. Not thread-safe.
 *
 * <p>{@link #run} sends and waits. Whoever waits in another way calls {@link #next}, {@link #take}
 * for each answer, and {@link #endRound}, until all {@linkplain #isOver is over}.
 *
 * @param <R> the kind of action
 */
final class BatchRounds<R extends Row> {
  /** Sends actions on salted rows, in a list that it may change. */
  interface Sender<R extends Row> {
    void send(List<R> salted, Object[] answers) throws IOException, InterruptedException;
  }

  /** The stand-in for the answer of a write that has none. */
  private static final Object DONE = Result.EMPTY_RESULT;

  private final List<? extends R> given;
  private final Object[] results;
  private final String[] servers;
  // For a read, the number of rows that have shown nothing; for a write, 1 when it goes to the
  // counterpart of its primary row, else 0.
  private final int[] rowsTried;
  private List<Integer> pending = new ArrayList<>();
  private final LayoutRetry retry;
  // Of the round that is under way.
  private List<Integer> again = new ArrayList<>();
  private Throwable refusal;
  private TableLayouts plan;

  /**
   * @param timeoutMillis how long to wait for regions that have not reopened
   */
  BatchRounds(LayoutCache layouts, long timeoutMillis, List<? extends R> given) {
    this.retry = new LayoutRetry(layouts, timeoutMillis);
    this.given = new ArrayList<>(given);
    this.results = new Object[given.size()];
    this.servers = new String[given.size()];
    this.rowsTried = new int[given.size()];
    this.plan = layouts.now();
    for (int i = 0; i < results.length; i++) {
      pending.add(i);
    }
  }

  /**
   * Takes a round into account that another class has sent, with all actions on their primary rows.
   *
   * @param planned the layouts of that round's plan
   * @param salted the actions as they were sent
   * @param answers as far as they are known; filled from the failure where that has more
   */
  void begin(TableLayouts planned, Row[] salted, Object[] answers, IOException failure)
      throws IOException {
    plan = planned;
    fill(salted, answers, failure);
    judge(salted, answers, null);
  }

  /**
   * Sends the actions that are not done, until all are.
   *
   * @param listener is told each result; null for none
   */
  void run(Sender<R> sender, ResultListener listener) throws IOException, InterruptedException {
    while (!isOver()) {
      List<R> salted = next();
      Row[] sent = salted.toArray(new Row[0]);
      Object[] answers = new Object[sent.length];
      try {
        sender.send(salted, answers);
      } catch (IOException e) {
        fill(sent, answers, e);
      }
      judge(sent, answers, listener);
    }
  }

  /** Whether each action has its result. */
  boolean isOver() {
    return pending.isEmpty();
  }

  /**
   * The actions of the next round, on the salted rows that they are sent to; null for null, which
   * HBase's own methods are to refuse.
   */
  List<R> next() throws IOException {
    List<R> salted = new ArrayList<>(pending.size());
    for (int i : pending) {
      R action = given.get(i);
      salted.add(action == null ? null : plan.actions().on(row(i), action));
    }
    return salted;
  }

  /** The index among the given actions of one of this round. */
  int indexOf(int at) {
    return pending.get(at);
  }

  /** Is told the result of one action. */
  interface ResultListener {
    /**
     * Takes the result.
     *
     * @param salted the row that it was sent to
     * @param shown the result, with its bare key
     */
    void update(byte[] salted, byte[] bareKey, Object shown);
  }

  /** The salted row that an action is sent to next. */
  private byte[] row(int i) throws IOException {
    byte[] bareKey = given.get(i).getRow();
    if (given.get(i) instanceof Get) {
      return plan.rowsToRead(bareKey).get(rowsTried[i]);
    }
    byte[] row = plan.primaryRow(bareKey);
    return rowsTried[i] == 0 ? row : plan.counterpart(row);
  }

  /** Puts the failures that HBase 2 throws at the indexes of the actions that failed. */
  private void fill(Row[] sent, Object[] answers, IOException failure) throws IOException {
    if (failure instanceof InterruptedIOException) {
      // The time is over: an action without answer is neither done nor failed.
      throw failure;
    }
    if (failure instanceof RetriesExhaustedWithDetailsException) {
      RetriesExhaustedWithDetailsException e = (RetriesExhaustedWithDetailsException) failure;
      IdentityHashMap<Row, Integer> indexes = new IdentityHashMap<>();
      for (int i = 0; i < sent.length; i++) {
        indexes.put(sent[i], i);
      }
      for (int i = 0; i < e.getNumExceptions(); i++) {
        Integer at = indexes.get(e.getRow(i));
        if (at != null) {
          answers[at] = e.getCause(i);
          servers[pending.get(at)] = e.getHostnamePort(i);
        }
      }
    }
    for (Object answer : answers) {
      if (answer instanceof Throwable) {
        return;
      }
    }
    // It does not say what failed, so all may have.
    throw failure;
  }

  private void judge(Row[] sent, Object[] answers, ResultListener listener) throws IOException {
    for (int at = 0; at < sent.length; at++) {
      boolean hasResult = take(at, sent[at], answers[at]) && !(answers[at] instanceof Throwable);
      if (hasResult && listener != null) {
        byte[] key = given.get(indexOf(at)).getRow();
        Object shown = ReaddressedResult.of(results[indexOf(at)], key);
        listener.update(sent[at].getRow(), key, shown);
      }
    }
    retry.pause(endRound());
  }

  /**
   * Takes the answer to one action of the round.
   *
   * @param at its index in the round
   * @param sent the action as it was sent
   * @param answer the failure where it has failed
   * @return whether it is the last one; else the action is sent again
   */
  boolean take(int at, Row sent, Object answer) throws IOException {
    int i = pending.get(at);
    if (isRefusal(answer)) {
      again.add(i);
      boolean other =
          rowsTried[i] == 0
              && !(given.get(i) instanceof Get)
              && LayoutRetry.isOtherRow((Throwable) answer)
              && plan.counterpart(sent.getRow()) != null;
      rowsTried[i] = other ? 1 : 0;
      refusal = other ? refusal : (Throwable) answer;
      return false;
    }
    if (given.get(i) instanceof Get && isToBeReadOn(i, answer)) {
      again.add(i);
      rowsTried[i]++;
      return false;
    }
    results[i] = answer == null ? DONE : answer;
    return true;
  }

  /** Whether {@link #endRound} has to read the table's descriptor. */
  boolean isRefused() {
    return refusal != null;
  }

  /**
   * Ends a round of which all answers have been taken.
   *
   * @return how long to wait before the next one, in milliseconds
   * @throws IOException when there is no next one, as the time is over: some actions have no result
   */
  long endRound() throws IOException {
    pending = again;
    again = new ArrayList<>();
    Throwable reason = refusal;
    refusal = null;
    return reason == null ? 0 : planAnew(reason);
  }

  private static boolean isRefusal(Object answer) {
    return answer instanceof Throwable && LayoutRetry.isRefusal((Throwable) answer);
  }

  private boolean isToBeReadOn(int i, Object answer) throws IOException {
    return plan.isChanging()
        && answer instanceof Result
        && showsNothing((Result) answer)
        && rowsTried[i] < plan.rowsToRead(given.get(i).getRow()).size() - 1;
  }

  /** Whether a Get has found no row. */
  static boolean showsNothing(Result result) {
    return result.getExists() == null ? result.isEmpty() : !result.getExists();
  }

  private long planAnew(Throwable reason) throws IOException {
    LayoutRetry.NextTry next =
        retry.nextTry(
            plan, reason instanceof IOException ? (IOException) reason : new IOException(reason));
    if (next.layouts() != plan) {
      plan = next.layouts();
      for (int i : pending) {
        rowsTried[i] = 0;
      }
    }
    return next.pauseMillis();
  }

  /**
   * The result of each action with its bare key, or its failure; null where there is none, since
   * something else has failed before.
   */
  Object[] results() {
    Object[] shown = new Object[results.length];
    for (int i = 0; i < shown.length; i++) {
      shown[i] = ReaddressedResult.of(results[i], given.get(i).getRow());
    }
    return shown;
  }

  /** Leaves in a list that has all given actions those that have not succeeded. */
  void keepFailed(List<? extends R> list) {
    for (int i = results.length - 1; i >= 0; i--) {
      if (results[i] != null && !(results[i] instanceof Throwable)) {
        list.remove(i);
      }
    }
  }

  /** The first failure of an action, as it is; null where all have succeeded. */
  IOException firstFailure() {
    for (Object result : results) {
      if (result instanceof Throwable) {
        return result instanceof IOException
            ? (IOException) result
            : new IOException((Throwable) result);
      }
    }
    return null;
  }

  /** All failures, each naming its action, as HBase 2 throws them; null where there are none. */
  RetriesExhaustedWithDetailsException failuresWithDetails() {
    List<Throwable> causes = new ArrayList<>();
    List<Row> actions = new ArrayList<>();
    List<String> hosts = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      if (results[i] instanceof Throwable) {
        causes.add((Throwable) results[i]);
        actions.add(given.get(i));
        hosts.add(servers[i] == null ? "unknown" : servers[i]);
      }
    }
    return causes.isEmpty()
        ? null
        : new RetriesExhaustedWithDetailsException(causes, actions, hosts);
  }

  /** All failures, as HBase 3 throws them; null where there are none. */
  RetriesExhaustedException failures() {
    List<RetriesExhaustedException.ThrowableWithExtraContext> failures = new ArrayList<>();
    for (int i = 0; i < results.length; i++) {
      if (results[i] instanceof Throwable) {
        failures.add(
            new RetriesExhaustedException.ThrowableWithExtraContext(
                (Throwable) results[i],
                System.currentTimeMillis(),
                "Error when processing " + given.get(i)));
      }
    }
    return failures.isEmpty() ? null : new RetriesExhaustedException(failures.size(), failures);
  }

  /** Remembers in which region the rows of one round are. Thread-safe. */
  static final class Regions implements Batch.Callback<Object> {
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
