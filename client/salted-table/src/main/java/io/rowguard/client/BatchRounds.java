package io.rowguard.client;

import io.rowguard.readdressing.ReaddressedResult;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;

/**
 * Many actions at once on a table where one of them may need several rows: in each round those that
 * are not done are sent. While the layout changes each goes to the row that {@link LayoutCalls}
 * would send it to; where writers choose the bucket, to all that {@link TableLayouts#addOnRows}
 * names. Not thread-safe.
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

  private final List<? extends R> given;
  private final BatchResults results;
  // For a read, the number of rows that have shown nothing; for a write, 1 when it goes to the
  // counterpart of its primary row, else 0.
  private final int[] rowsTried;
  // The row that a write was sent to: as long as the layouts stay the same it is not chosen anew.
  private final byte[][] written;
  // The actions of the next round by their indexes; once it is sent, the action of each row.
  private int[] pending;
  private final LayoutRetry retry;
  // Of the round that is under way.
  private List<Integer> again = new ArrayList<>();
  private Throwable refusal;
  // By its index, the number of rows that an action was sent to.
  private final int[] rows;
  // The answers so far to an action that was sent to several.
  private final Map<Integer, List<Object>> parts = new HashMap<>();
  private TableLayouts plan;

  /**
   * @param timeoutMillis how long to wait for regions that have not reopened
   */
  BatchRounds(LayoutCache layouts, long timeoutMillis, List<? extends R> given) {
    this.retry = new LayoutRetry(layouts, timeoutMillis);
    this.given = new ArrayList<>(given);
    this.results = new BatchResults(this.given);
    this.rowsTried = new int[given.size()];
    this.rows = new int[given.size()];
    Arrays.fill(rows, 1);
    this.written = new byte[given.size()][];
    this.plan = layouts.now();
    this.pending = new int[given.size()];
    Arrays.setAll(pending, i -> i);
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
        send(sender, salted, sent, answers);
      } catch (IOException | InterruptedException e) {
        keep(sent, answers);
        throw e;
      }
      judge(sent, answers, listener);
    }
  }

  private void send(Sender<R> sender, List<R> salted, Row[] sent, Object[] answers)
      throws IOException, InterruptedException {
    try {
      sender.send(salted, answers);
    } catch (IOException e) {
      fill(sent, answers, e);
    }
  }

  /** Takes what has been answered of a round that is not waited for any more. */
  private void keep(Row[] sent, Object[] answers) throws IOException {
    for (int at = 0; at < sent.length; at++) {
      if (answers[at] != null) {
        take(at, sent[at], answers[at]);
      }
    }
  }

  /** Whether each action has its result. */
  boolean isOver() {
    return pending.length == 0;
  }

  /**
   * The actions of the next round, on the salted rows that they are sent to; null for null, which
   * HBase's own methods are to refuse.
   */
  List<R> next() throws IOException {
    List<R> salted = new ArrayList<>(pending.length);
    IntStream.Builder ofRows = plan.hasChoice() ? IntStream.builder() : null;
    for (int i : pending) {
      int before = salted.size();
      addOnRows(i, salted);
      rows[i] = salted.size() - before;
      for (int row = before; ofRows != null && row < salted.size(); row++) {
        ofRows.add(i);
      }
    }
    pending = ofRows == null ? pending : ofRows.build().toArray();
    return salted;
  }

  /** Adds the actions on single rows that one action becomes in the next round. */
  private void addOnRows(int i, List<R> salted) throws IOException {
    R action = given.get(i);
    if (action == null) {
      salted.add(null);
    } else if (!plan.hasChoice() || written[i] != null) {
      salted.add(plan.actions().on(row(i), action));
    } else {
      int before = salted.size();
      plan.addOnRows(action, salted);
      written[i] = salted.size() == before + 1 ? salted.get(before).getRow() : null;
    }
  }

  /** The index among the given actions of one of this round. */
  int indexOf(int at) {
    return pending[at];
  }

  /** What became of the given actions so far. */
  BatchResults results() {
    return results;
  }

  /** How many actions were given. */
  int size() {
    return given.size();
  }

  /** The bare key of a given action. */
  byte[] bareKeyOf(int index) {
    return given.get(index).getRow();
  }

  /**
   * Whether an answer is the result of its action, so that {@link #take} would change nothing of
   * what is sent next. For all threads while a round is under way.
   */
  boolean isResult(Object answer) {
    return !plan.needsRounds() && !(answer instanceof Throwable);
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
    byte[] row = plan.hasChoice() ? written[i] : plan.primaryRow(bareKey);
    return rowsTried[i] == 0 ? row : plan.counterpart(row);
  }

  /** Puts the failures that HBase 2 throws at the indexes of the actions that failed. */
  private void fill(Row[] sent, Object[] answers, IOException thrown) throws IOException {
    IOException failure = ListSender.interruptionOr(thrown, answers);
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
          results.setServer(pending[at], e.getHostnamePort(i));
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
      int i = pending[at];
      if (take(at, sent[at], answers[at]) && listener != null && !results.isFailure(i)) {
        byte[] key = given.get(i).getRow();
        listener.update(sent[at].getRow(), key, ReaddressedResult.of(results.get(i), key));
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
   * @return whether the action has its result now, {@link #answerOf}; else others of its rows have
   *     not answered, or it is sent again
   */
  boolean take(int at, Row sent, Object answer) throws IOException {
    int i = pending[at];
    if (rows[i] == 1) {
      return takeWhole(i, sent, answer);
    }
    List<Object> ofAction = parts.computeIfAbsent(i, none -> new ArrayList<>());
    ofAction.add(answer);
    return ofAction.size() == rows[i] && takeWhole(i, sent, joined(i, parts.remove(i)));
  }

  /**
   * The answer to an action that has its result.
   *
   * @param at the index in the round of the last of its rows that has answered
   * @param answer of that row
   */
  Object answerOf(int at, Object answer) {
    int i = pending[at];
    boolean ofOneRow = rows[i] == 1 || !(given.get(i) instanceof Get);
    return ofOneRow && !results.isFailure(i) ? answer : results.get(i);
  }

  private boolean takeWhole(int i, Row sent, Object answer) throws IOException {
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
    results.set(i, answer);
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
    pending = again.stream().mapToInt(i -> i).toArray();
    again = new ArrayList<>();
    Throwable reason = refusal;
    refusal = null;
    return reason == null ? 0 : planAnew(reason);
  }

  /** The answer to an action that was sent to all rows of its bare key. */
  private Object joined(int i, List<Object> answers) {
    Throwable failure = null;
    List<Result> found = new ArrayList<>();
    for (Object answer : answers) {
      if (answer instanceof Throwable && (failure == null || isRefusal(answer))) {
        failure = (Throwable) answer;
      } else if (answer instanceof Result) {
        found.add((Result) answer);
      }
    }
    if (failure != null) {
      return failure;
    }
    if (!(given.get(i) instanceof Get)) {
      return answers.get(0);
    }
    Get get = (Get) given.get(i);
    return found.size() < answers.size()
        ? new IOException("HBase has not answered for each row of the bare key. get=" + get)
        : RowMerge.of(get, plan.maxVersions()).of(get.getRow(), found);
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
        written[i] = null;
      }
    }
    return next.pauseMillis();
  }
}
