package io.rowguard.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;

/**
 * A buffer of mutations on bare keys over HBase's own of the salted table: each row is completed
 * when it is added, so a list with a row that is no bare key is refused whole, and HBase's buffer
 * sends them as it always does. As thread-safe as that.
 *
 * <p>What a server refuses since the layout of the table has changed is planned anew and sent
 * again, in the call that learns of it, until the operation timeout is over; then, as any other
 * failure, it comes to the listener. HBase 3 tells of what its timer has sent in the next call
 * only. The mutations of a failure have bare keys; they are copies of those that were added.
 */
final class SaltedBufferedMutator implements BufferedMutator {
  /** Makes HBase's own buffer. */
  interface Opener {
    BufferedMutator open(BufferedMutatorParams params) throws IOException;
  }

  /** Whether this release knows request attributes: from 2.6 on. */
  private static final boolean HAS_ATTRIBUTES = hasAttributes();

  private final Opener opener;
  private final BufferedMutatorParams params;
  private final LayoutCache layouts;
  private final PlansInUse plans = new PlansInUse();
  private final ExceptionListener listener;
  private final BufferedMutator salted;
  private final Queue<FailedMutation> failed = new ConcurrentLinkedQueue<>();
  // The threads that are in a call of this object, and so send again afterwards.
  private final Set<Thread> inside = ConcurrentHashMap.newKeySet();
  // Held for reading by threads that have taken mutations to send them again.
  private final ReadWriteLock resending = new ReentrantReadWriteLock();
  // Whether a thread could not send again all that it had taken: it was interrupted.
  private volatile boolean unsent;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile long timeoutMillis;

  /**
   * @param params of the user's, which stay as they are
   * @param timeoutMillis how long to go on after a refusal
   */
  SaltedBufferedMutator(
      Opener opener, BufferedMutatorParams params, LayoutCache layouts, long timeoutMillis)
      throws IOException {
    this.opener = opener;
    this.params = copy(params).listener((failure, buffer) -> collect(failure));
    this.layouts = layouts;
    this.listener = params.getListener();
    this.timeoutMillis = timeoutMillis;
    this.salted = opener.open(copy(this.params));
  }

  /** HBase's clone leaves out the timeouts, and request attributes before 2.6.3 (HBASE-29204). */
  private static BufferedMutatorParams copy(BufferedMutatorParams params) {
    BufferedMutatorParams copy =
        params
            .clone()
            .rpcTimeout(params.getRpcTimeout())
            .operationTimeout(params.getOperationTimeout());
    if (HAS_ATTRIBUTES) {
      params.getRequestAttributes().forEach(copy::setRequestAttribute);
    }
    return copy;
  }

  private static boolean hasAttributes() {
    return Arrays.stream(BufferedMutatorParams.class.getMethods())
        .anyMatch(method -> method.getName().equals("getRequestAttributes"));
  }

  /** HBase's buffer calls this at the end of a flush in which something has failed. */
  private void collect(RetriesExhaustedWithDetailsException failure)
      throws RetriesExhaustedWithDetailsException {
    for (int i = 0; i < failure.getNumExceptions(); i++) {
      Mutation mutation = (Mutation) failure.getRow(i);
      failed.add(
          new FailedMutation(
              mutation, plans.of(mutation), failure.getCause(i), failure.getHostnamePort(i)));
    }
    if (inside.contains(Thread.currentThread())) {
      return;
    }
    // HBase 3 calls its listener in calls only, under a lock, in which nothing is to be waited for;
    // HBase 2 also from a timer, under no lock.
    try {
      call(() -> {});
    } catch (RetriesExhaustedWithDetailsException e) {
      throw e;
    } catch (IOException e) {
      // Unsettled mutations have stayed where they were; the next call goes on with them.
    }
  }

  @Override
  public void mutate(Mutation mutation) throws IOException {
    mutate(Collections.singletonList(mutation));
  }

  @Override
  public void mutate(List<? extends Mutation> mutations) throws IOException {
    TableLayouts plan = layouts.now();
    List<Mutation> onSalted = new ArrayList<>(mutations.size());
    for (Mutation mutation : mutations) {
      plan.addOnRows(mutation, onSalted);
    }
    plans.add(plan);
    call(() -> salted.mutate(onSalted));
  }

  /** Also waits for other threads that send again what was refused: HBase's timer may be one. */
  @Override
  public void flush() throws IOException {
    try {
      call(salted::flush);
    } finally {
      locked(resending.writeLock(), () -> {});
    }
    if (unsent) {
      unsent = false;
      call(salted::flush);
    }
  }

  private static void locked(Lock lock, BufferCall call) throws IOException {
    try {
      lock.lockInterruptibly();
    } catch (InterruptedException e) {
      throw ListSender.interrupted(e);
    }
    try {
      call.run();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws IOException {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      // Mutations that are sent again need the buffer open.
      flush();
    } finally {
      inside.add(Thread.currentThread());
      try {
        salted.close();
      } finally {
        inside.remove(Thread.currentThread());
        report(taken());
      }
    }
  }

  private List<FailedMutation> taken() {
    List<FailedMutation> taken = new ArrayList<>();
    for (FailedMutation one = failed.poll(); one != null; one = failed.poll()) {
      taken.add(one);
    }
    return taken;
  }

  /** A call to HBase's buffer. */
  private interface BufferCall {
    void run() throws IOException;
  }

  /** Calls, sends again what was refused for its layout, and reports what else has failed. */
  private void call(BufferCall call) throws IOException {
    List<FailedMutation> lost = new ArrayList<>();
    boolean outermost = inside.add(Thread.currentThread());
    try {
      call.run();
      if (outermost && !failed.isEmpty()) {
        locked(resending.readLock(), () -> sendAgain(lost));
      }
    } catch (IOException | RuntimeException e) {
      failed.addAll(lost);
      if (closed.get()) {
        // No later call goes on with them.
        report(taken());
      }
      throw e;
    } finally {
      if (outermost) {
        inside.remove(Thread.currentThread());
      }
    }
    // Not inside any more: the listener may add what it is told of, and that may fail, too.
    report(lost);
  }

  private void sendAgain(List<FailedMutation> lost) throws IOException {
    LayoutRetry retry = null;
    List<FailedMutation> refused = refused(lost);
    try {
      while (!refused.isEmpty()) {
        retry = retry == null ? new LayoutRetry(layouts, timeoutMillis) : retry;
        send(refused, retry, lost);
        refused = refused(lost);
      }
    } catch (IOException | RuntimeException | Error e) {
      unsent = true;
      throw e;
    }
  }

  /** Sends what was refused, planned anew; where that cannot begin all of it stays refused. */
  private void send(List<FailedMutation> refused, LayoutRetry retry, List<FailedMutation> lost)
      throws IOException {
    List<Mutation> again;
    try {
      again = plannedAnew(refused, retry, lost);
    } catch (IOException | RuntimeException e) {
      keep(refused, lost);
      throw e;
    }
    try {
      salted.mutate(again);
    } catch (RuntimeException e) {
      // None of them is in the buffer: it is closed, as where HBase's timer had sent them before.
      if (!closed.get()) {
        keep(refused, lost);
        throw e;
      }
      sendApart(again, refused, lost);
      return;
    }
    salted.flush();
  }

  private void sendApart(
      List<Mutation> again, List<FailedMutation> refused, List<FailedMutation> lost)
      throws IOException {
    boolean isSent = false;
    try {
      try (BufferedMutator apart = opener.open(copy(params))) {
        apart.mutate(again);
      }
      isSent = true;
    } finally {
      if (!isSent) {
        keep(refused, lost);
      }
    }
  }

  private void keep(List<FailedMutation> refused, List<FailedMutation> lost) {
    lost.removeAll(refused);
    failed.addAll(refused);
  }

  /** Takes what has failed so far, and answers what may be sent again of it. */
  private List<FailedMutation> refused(List<FailedMutation> lost) {
    List<FailedMutation> refused = new ArrayList<>();
    for (FailedMutation one : taken()) {
      boolean again = LayoutRetry.isRefusal(one.cause()) && one.plan() != null;
      (again ? refused : lost).add(one);
    }
    return refused;
  }

  /**
   * Plans anew what was refused: on the other row of its key where the server has said so, else
   * with the layouts of the moment.
   *
   * @param lost takes what cannot be planned, or not in time
   */
  private List<Mutation> plannedAnew(
      List<FailedMutation> refused, LayoutRetry retry, List<FailedMutation> lost)
      throws IOException {
    List<Mutation> again = new ArrayList<>(refused.size());
    List<FailedMutation> stale = new ArrayList<>();
    for (FailedMutation one : refused) {
      Mutation onCounterpart = onCounterpart(one);
      if (onCounterpart == null) {
        stale.add(one);
      } else {
        again.add(onCounterpart);
      }
    }
    if (stale.isEmpty()) {
      return again;
    }
    TableLayouts next;
    try {
      next = retry.next(stale.get(0).plan(), stale.get(0).failure());
    } catch (IOException e) {
      // A SocketTimeoutException, of a master that does not answer, is no interrupt.
      if (LayoutRetry.isInterruption(e)) {
        throw e;
      }
      lost.addAll(stale);
      return again;
    }
    plans.add(next);
    for (FailedMutation one : stale) {
      try {
        if (next == one.plan() && next.hasChoice()) { // chosen once
          again.add(next.actions().on(one.mutation().getRow(), one.bare()));
        } else {
          next.addOnRows(one.bare(), again);
        }
      } catch (DoNotRetryIOException e) {
        // Its row is no bare key of the table that has been made anew.
        lost.add(new FailedMutation(one.mutation(), one.plan(), e, one.host()));
      }
    }
    return again;
  }

  /** The same mutation on the other row of its key; null unless the server takes it there only. */
  private Mutation onCounterpart(FailedMutation one) throws IOException {
    if (!LayoutRetry.isOtherRow(one.cause())) {
      return null;
    }
    TableLayouts plan = one.plan();
    Mutation bare = one.bare();
    byte[] row = one.mutation().getRow();
    byte[] other =
        Arrays.equals(row, plan.primaryRow(bare.getRow())) ? plan.counterpart(row) : null;
    return other == null ? null : plan.actions().on(other, bare);
  }

  private void report(List<FailedMutation> lost) throws IOException {
    if (lost.isEmpty()) {
      return;
    }
    List<Throwable> causes = new ArrayList<>(lost.size());
    List<Row> actions = new ArrayList<>(lost.size());
    List<String> hosts = new ArrayList<>(lost.size());
    for (FailedMutation one : lost) {
      causes.add(one.cause());
      actions.add(one.bare());
      hosts.add(one.host());
    }
    RetriesExhaustedWithDetailsException failure =
        new RetriesExhaustedWithDetailsException(causes, actions, hosts);
    if (listener == null) {
      throw failure;
    }
    listener.onException(failure, this);
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
  public void setWriteBufferPeriodicFlush(long timeoutMillis) {
    salted.setWriteBufferPeriodicFlush(timeoutMillis);
  }

  @Override
  public void setWriteBufferPeriodicFlush(long timeoutMillis, long tickMillis) {
    salted.setWriteBufferPeriodicFlush(timeoutMillis, tickMillis);
  }

  @Override
  public void disableWriteBufferPeriodicFlush() {
    salted.disableWriteBufferPeriodicFlush();
  }

  @Override
  public long getWriteBufferPeriodicFlushTimeoutMs() {
    return salted.getWriteBufferPeriodicFlushTimeoutMs();
  }

  @Override
  public long getWriteBufferPeriodicFlushTimerTickMs() {
    return salted.getWriteBufferPeriodicFlushTimerTickMs();
  }

  @Override
  @Deprecated
  public void setRpcTimeout(int timeout) {
    salted.setRpcTimeout(timeout);
  }

  @Override
  @Deprecated
  public void setOperationTimeout(int timeout) {
    timeoutMillis = timeout;
    salted.setOperationTimeout(timeout);
  }

  /** HBase has this method from 2.6 on. */
  @SuppressWarnings("MissingOverride") // 2.5 lacks it
  public Map<String, byte[]> getRequestAttributes() {
    return salted.getRequestAttributes();
  }
}
