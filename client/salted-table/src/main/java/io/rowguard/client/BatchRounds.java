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
 * not done are sent, each as {@link LayoutCalls} sends it when it is alone. Not thread-safe.
 *
 * @param <R> the kind of action
 */
final class BatchRounds<R extends Row> {
  /** Makes of an action on a bare key one on a salted row. */
  interface Translation<R extends Row> {
    R salted(SaltedActions actions, R given) throws IOException;
  }

  /** Sends actions on salted rows, in a list that it may change. */
  interface Sender<R extends Row> {
    void send(List<R> salted, Object[] answers) throws IOException, InterruptedException;
  }

  /** The stand-in for the answer of a write that has none. */
  private static final Object DONE = Result.EMPTY_RESULT;

  private static final int READS = 3;

  private final KnownLayouts layouts;
  private final long timeoutMillis;
  private final List<? extends R> given;
  private final Translation<R> translation;
  private final Object[] results;
  private final String[] servers;
  // For a read, the number of rows that have shown nothing; for a write, whether it goes to the
  // other row.
  private final int[] steps;
  private List<Integer> pending = new ArrayList<>();
  private Replanning replanning;
  private TableLayouts plan;

  /**
   * @param timeoutMillis how long to wait for regions that have not reopened
   */
  BatchRounds(
      KnownLayouts layouts,
      long timeoutMillis,
      List<? extends R> given,
      Translation<R> translation) {
    this.layouts = layouts;
    this.timeoutMillis = timeoutMillis;
    this.given = new ArrayList<>(given);
    this.translation = translation;
    this.results = new Object[given.size()];
    this.servers = new String[given.size()];
    this.steps = new int[given.size()];
    this.plan = layouts.now();
    for (int i = 0; i < results.length; i++) {
      pending.add(i);
    }
  }

  /**
   * Takes a round into account that another class has sent, with all actions on their home rows.
   *
   * @param planned what it was planned with
   * @param salted what was sent
   * @param answers what is known; filled from the failure where that has more
   */
  void begin(TableLayouts planned, Row[] salted, Object[] answers, IOException failure)
      throws IOException {
    plan = planned;
    fill(salted, answers, failure);
    judge(salted, answers, null);
  }

  /**
   * Sends what is not done until all is.
   *
   * @param callback is told each result on the row that it came from, with its region; null for
   *     nobody
   */
  void run(Sender<R> sender, Callback callback) throws IOException, InterruptedException {
    while (!pending.isEmpty()) {
      List<R> salted = new ArrayList<>(pending.size());
      for (int i : pending) {
        salted.add(translation.salted(actions(i), given.get(i)));
      }
      Row[] sent = salted.toArray(new Row[0]);
      Object[] answers = new Object[sent.length];
      try {
        sender.send(salted, answers);
      } catch (IOException e) {
        fill(sent, answers, e);
      }
      judge(sent, answers, callback);
    }
  }

  /** Is told the result of one action. */
  interface Callback {
    /**
     * Takes the result.
     *
     * @param salted the row that it was sent to
     * @param shown the result, with its bare key
     */
    void update(byte[] salted, byte[] bareKey, Object shown);
  }

  private SaltedActions actions(int i) {
    if (given.get(i) instanceof Get) {
      return steps[i] == 1 ? plan.onLeaving() : plan.onCurrent();
    }
    return steps[i] == 1 ? plan.away() : plan.home();
  }

  /** Puts the failures that HBase 2 throws in the places of the actions that failed. */
  private void fill(Row[] sent, Object[] answers, IOException failure) throws IOException {
    if (failure instanceof InterruptedIOException) {
      // The time is over: what has no answer is neither done nor failed.
      throw failure;
    }
    if (failure instanceof RetriesExhaustedWithDetailsException) {
      RetriesExhaustedWithDetailsException e = (RetriesExhaustedWithDetailsException) failure;
      IdentityHashMap<Row, Integer> places = new IdentityHashMap<>();
      for (int i = 0; i < sent.length; i++) {
        places.put(sent[i], i);
      }
      for (int i = 0; i < e.getNumExceptions(); i++) {
        Integer place = places.get(e.getRow(i));
        if (place != null) {
          answers[place] = e.getCause(i);
          servers[pending.get(place)] = e.getHostnamePort(i);
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

  private void judge(Row[] sent, Object[] answers, Callback callback) throws IOException {
    List<Integer> again = new ArrayList<>();
    Throwable refusal = null;
    for (int place = 0; place < sent.length; place++) {
      int i = pending.get(place);
      Object answer = answers[place];
      if (isRefusal(answer)) {
        again.add(i);
        boolean other =
            plan.isChanging()
                && steps[i] == 0
                && !(given.get(i) instanceof Get)
                && LayoutFailures.isOtherPlaceIn((Throwable) answer);
        steps[i] = other ? 1 : 0;
        refusal = other ? refusal : (Throwable) answer;
      } else if (given.get(i) instanceof Get && isToBeReadOn(i, answer)) {
        again.add(i);
        steps[i]++;
      } else {
        results[i] = answer == null ? DONE : answer;
        if (callback != null && !(answer instanceof Throwable)) {
          byte[] key = given.get(i).getRow();
          callback.update(sent[place].getRow(), key, ReaddressedResult.of(results[i], key));
        }
      }
    }
    pending = again;
    if (refusal != null) {
      planAnew(refusal);
    }
  }

  private static boolean isRefusal(Object answer) {
    return answer instanceof Throwable && LayoutFailures.isIn((Throwable) answer);
  }

  private boolean isToBeReadOn(int i, Object answer) throws IOException {
    return plan.isChanging()
        && steps[i] < READS - 1
        && answer instanceof Result
        && showsNothing((Result) answer)
        && LayoutCalls.hasTwoRows(plan, given.get(i).getRow());
  }

  /** Whether a Get has found no row. */
  static boolean showsNothing(Result result) {
    return result.getExists() == null ? result.isEmpty() : !result.getExists();
  }

  private void planAnew(Throwable refusal) throws IOException {
    if (replanning == null) {
      replanning = new Replanning(layouts, timeoutMillis);
    }
    TableLayouts next =
        replanning.next(
            plan,
            refusal instanceof IOException ? (IOException) refusal : new IOException(refusal));
    if (next != plan) {
      plan = next;
      for (int i : pending) {
        steps[i] = 0;
      }
    }
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
