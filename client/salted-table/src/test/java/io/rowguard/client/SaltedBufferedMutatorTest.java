package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.OtherRowException;
import io.rowguard.config.StaleLayoutException;
import io.rowguard.config.TableConfig;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mutations that servers refuse, over a buffer that fails as it is told. */
class SaltedBufferedMutatorTest {
  private static final TableName NAME = TableName.valueOf("t");

  private final TableLayouts first = layouts(Tables.LAYOUT);
  private TableLayouts declared = first;
  private boolean interrupted;
  private final List<String> reported = new ArrayList<>();

  /** The causes with which flushes fail, one after the other; null for none. */
  private final List<IOException> script = new ArrayList<>();

  private final List<String> sent = new ArrayList<>();
  private final List<String> written = new ArrayList<>();
  private List<Mutation> buffered = new ArrayList<>();
  private boolean isClosed;
  private BufferedMutator.ExceptionListener below;

  private final LayoutCache cache =
      new LayoutCache(first, () -> declared, Runnable::run, millis -> pause(), System::nanoTime);

  private static TableLayouts layouts(String layout) {
    return layouts(TableDescriptorBuilder.newBuilder(NAME).setValue("rowguard.layout", layout));
  }

  private static TableLayouts layouts(TableDescriptorBuilder table) {
    TableConfig config = TableConfig.ofClient(table.build(), new Configuration(false));
    return TableLayouts.declared(config, 256, new FilterRules(NAME, Set.of()));
  }

  /** Counted down when a thread pauses; then it waits for the other. Null for no wait. */
  private CountDownLatch paused;

  private final CountDownLatch goOn = new CountDownLatch(1);

  private void pause() throws InterruptedException {
    if (paused != null) {
      paused.countDown();
      goOn.await();
    }
    if (interrupted) {
      throw new InterruptedException("as a test");
    }
  }

  private SaltedBufferedMutator open(long timeoutMillis) throws IOException {
    BufferedMutatorParams params =
        new BufferedMutatorParams(NAME)
            .listener(
                (failure, mutator) -> {
                  for (int i = 0; i < failure.getNumExceptions(); i++) {
                    reported.add(Bytes.toString(failure.getRow(i).getRow()));
                  }
                });
    return new SaltedBufferedMutator(this::below, params, cache, timeoutMillis);
  }

  private BufferedMutator below(BufferedMutatorParams params) {
    below = params.getListener();
    isClosed = false;
    return (BufferedMutator)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {BufferedMutator.class},
            (proxy, method, args) -> {
              switch (method.getName()) {
                case "mutate":
                  if (isClosed) {
                    throw new IllegalStateException("closed");
                  }
                  ((List<?>) args[0]).forEach(one -> buffered.add((Mutation) one));
                  return null;
                case "close":
                  isClosed = true;
                  flush();
                  return null;
                case "flush":
                  flush();
                  return null;
                default:
                  throw new InvocationTargetException(null, method.getName());
              }
            });
  }

  private void flush() throws IOException {
    List<Mutation> flushed = buffered;
    buffered = new ArrayList<>();
    flushed.forEach(one -> sent.add(Bytes.toString(one.getRow())));
    IOException cause = script.isEmpty() || flushed.isEmpty() ? null : script.remove(0);
    if (cause == null) {
      flushed.forEach(one -> written.add(Bytes.toString(one.getRow())));
      return;
    }
    fail(flushed, cause);
  }

  private void fail(List<Mutation> flushed, IOException cause) throws IOException {
    int count = flushed.size();
    below.onException(
        new RetriesExhaustedWithDetailsException(
            new ArrayList<>(Collections.nCopies(count, cause)),
            new ArrayList<Row>(flushed),
            new ArrayList<>(Collections.nCopies(count, "somewhere"))),
        null);
  }

  private static List<String> salted(TableLayouts layouts, String... keys) throws IOException {
    List<String> rows = new ArrayList<>();
    for (String key : keys) {
      rows.add(Bytes.toString(layouts.primaryRow(bytes(key))));
    }
    return rows;
  }

  @Test
  void flush_refusedAndLayoutChanged_sendsUnderTheNewOne() throws IOException {
    SaltedBufferedMutator mutator = open(60_000);
    mutator.mutate(Tables.put("a|0001", "v"));
    mutator.mutate(Tables.put("b|0002", "v"));
    declared = layouts(Tables.LAYOUT.replace("%16", "%7"));
    script.add(new StaleLayoutException("stale"));
    mutator.flush();
    assertEquals(salted(declared, "a|0001", "b|0002"), written);
    assertEquals(List.of(), reported);
  }

  /** A region that has not reopened refuses the same again and again. */
  @Test
  void flush_refusedForLongerThanTheTimeout_reportsBareKeys() throws IOException {
    SaltedBufferedMutator mutator = open(0);
    mutator.mutate(Tables.put("a|0001", "v"));
    script.add(new StaleLayoutException("stale"));
    mutator.flush();
    assertEquals(List.of("a|0001"), reported);
    mutator.mutate(Tables.put("b|0002", "v"));
    mutator.close();
    assertEquals(salted(first, "b|0002"), written);
    assertEquals(List.of("a|0001"), reported);
  }

  /** Its region has reopened and that of the old row has not, then the other way round. */
  @Test
  void flush_refusedOnBothRowsWhileTheyMove_isBackOnTheFirst() throws IOException {
    TableDescriptorBuilder moving = TableDescriptorBuilder.newBuilder(NAME);
    TwoPlaces.declare(moving, Tables.LAYOUT, Tables.LAYOUT.replace("%16", "%64"), "moving", 2);
    declared = layouts(moving);
    SaltedBufferedMutator mutator = open(60_000);
    mutator.mutate(Tables.put("a|0001", "v"));
    script.add(new StaleLayoutException("stale"));
    script.add(new OtherRowException(OtherRowException.message("old")));
    script.add(new OtherRowException(OtherRowException.message("new")));

    mutator.flush();

    String old = salted(first, "a|0001").get(0);
    String fresh = salted(declared, "a|0001").get(0);
    assertEquals(List.of(old, fresh, old, fresh), sent);
    assertEquals(List.of(fresh), written);
    assertEquals(List.of(), reported);
  }

  @Test
  void flush_failsOtherwise_isReportedOnceAndNotSentAgain() throws IOException {
    SaltedBufferedMutator mutator = open(60_000);
    mutator.mutate(Tables.put("a|0001", "v"));
    script.add(new DoNotRetryIOException("for another reason"));
    mutator.flush();
    mutator.close();
    assertEquals(List.of("a|0001"), reported);
    assertEquals(List.of(), written);
  }

  @Test
  void flush_interruptedWhileItWaits_keepsWhatIsNotSent() throws IOException {
    SaltedBufferedMutator mutator = open(60_000);
    mutator.mutate(Tables.put("a|0001", "v"));
    script.add(new StaleLayoutException("stale"));
    interrupted = true;
    assertThrows(InterruptedIOException.class, mutator::flush);
    interrupted = false;
    mutator.flush();
    assertEquals(salted(first, "a|0001"), written);
    assertEquals(List.of(), reported);
  }

  /** HBase 2 flushes on a timer, in no call of the user's. */
  @Test
  void timer_refused_sendsAgainByItself() throws IOException {
    SaltedBufferedMutator mutator = open(60_000);
    mutator.mutate(Tables.put("a|0001", "v"));
    script.add(new StaleLayoutException("stale"));
    script.add(new StaleLayoutException("stale"));
    flush();
    assertEquals(salted(first, "a|0001"), written);
    mutator.close();
    assertEquals(1, written.size());
  }

  /** The timer has taken what was refused, and waits for the region to reopen. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void close_whileTheTimerSendsAgain_waitsForIt(boolean failsItself) throws Exception {
    BufferedMutatorParams params = new BufferedMutatorParams(NAME);
    SaltedBufferedMutator mutator = new SaltedBufferedMutator(this::below, params, cache, 60_000);
    mutator.mutate(Tables.put("a|0001", "v"));
    script.add(new StaleLayoutException("stale"));
    paused = new CountDownLatch(1);
    FutureTask<Void> timer = task(this::flush);
    new Thread(timer).start();
    paused.await();
    if (failsItself) {
      mutator.mutate(Tables.put("b|0002", "v"));
      script.add(new DoNotRetryIOException("for another reason"));
    }
    FutureTask<Void> closing = startedAndWaiting(mutator::close);
    goOn.countDown();
    if (failsItself) {
      ExecutionException e = assertThrows(ExecutionException.class, closing::get);
      assertTrue(e.getMessage().contains("for another reason"), e.getMessage());
    } else {
      closing.get();
    }
    assertEquals(salted(first, "a|0001"), written);
    timer.get();
  }

  /** HBase's timer had them on their way when close found nothing to send. */
  @Test
  void timer_refusedOnceClosed_sendsAllTheSame() throws IOException {
    SaltedBufferedMutator mutator = open(60_000);
    mutator.mutate(Tables.put("a|0001", "v"));
    List<Mutation> onTheWay = buffered;
    buffered = new ArrayList<>();
    mutator.close();
    fail(onTheWay, new StaleLayoutException("stale"));
    assertEquals(salted(first, "a|0001"), written);
    assertEquals(List.of(), reported);
  }

  /** The other thread has waited for the first, and goes on with its mutations. */
  @Test
  void flush_otherThreadIsInterrupted_sendsWhatThatHasLeft() throws Exception {
    SaltedBufferedMutator mutator = open(60_000);
    mutator.mutate(Tables.put("a|0001", "v"));
    script.add(new StaleLayoutException("stale"));
    paused = new CountDownLatch(1);
    FutureTask<Void> other = task(mutator::flush);
    Thread interruptedThread = new Thread(other);
    interruptedThread.start();
    paused.await();
    paused = null;
    FutureTask<Void> flushing = startedAndWaiting(mutator::flush);
    interruptedThread.interrupt();
    flushing.get();
    assertEquals(salted(first, "a|0001"), written);
    assertThrows(ExecutionException.class, other::get);
    assertEquals(List.of(), reported);
  }

  /** An alter of a family makes another plan, under which rows are the same. */
  @Test
  void plansInUse_twoOfOneStamp_answersTheNewest() throws IOException {
    PlansInUse plans = new PlansInUse();
    TableLayouts same = layouts(Tables.LAYOUT);
    plans.add(first);
    plans.add(same);
    assertSame(same, plans.of(first.onPrimary(Tables.put("a|0001", "v"))));
  }

  /** Returns when the step waits for another thread, or is over. */
  private static FutureTask<Void> startedAndWaiting(Step step) {
    FutureTask<Void> task = task(step);
    Thread thread = new Thread(task);
    thread.start();
    while (thread.getState() != Thread.State.WAITING && !task.isDone()) {
      Thread.onSpinWait();
    }
    return task;
  }

  private interface Step {
    void run() throws IOException;
  }

  private static FutureTask<Void> task(Step step) {
    return new FutureTask<>(
        () -> {
          step.run();
          return null;
        });
  }

  /** Whatever this release of HBase can be told. */
  @Test
  void open_paramsOfAllKinds_reachTheBufferBelow() throws Exception {
    BufferedMutatorParams params = new BufferedMutatorParams(NAME);
    int set = 0;
    for (Method method : BufferedMutatorParams.class.getMethods()) {
      List<Class<?>> types = List.of(method.getParameterTypes());
      if (method.getReturnType() != BufferedMutatorParams.class) {
        continue;
      }
      if (types.equals(List.of(int.class)) || types.equals(List.of(long.class))) {
        method.invoke(params, ++set);
      } else if (types.equals(List.of(String.class, byte[].class))) {
        method.invoke(params, "a", Q);
      }
    }
    assertTrue(set >= 6, "set=" + set);
    List<BufferedMutatorParams> below = new ArrayList<>();
    new SaltedBufferedMutator(
            given -> {
              below.add(given);
              return below(given);
            },
            params,
            cache,
            60_000)
        .close();
    assertEquals(getters(params), getters(below.get(0)));
  }

  private static Map<String, String> getters(BufferedMutatorParams params) throws Exception {
    Map<String, String> getters = new TreeMap<>();
    for (Method method : BufferedMutatorParams.class.getMethods()) {
      if (method.getName().startsWith("get") && !method.getName().equals("getListener")) {
        getters.put(method.getName(), String.valueOf(method.invoke(params)));
      }
    }
    return getters;
  }

  @Test
  void mutate_listWithARowThatIsNoKey_isRefusedWhole() throws IOException {
    SaltedBufferedMutator mutator = open(60_000);
    List<Mutation> mutations = List.of(Tables.put("a|0001", "v"), Tables.put("a", "v"));
    DoNotRetryIOException e =
        assertThrows(DoNotRetryIOException.class, () -> mutator.mutate(mutations));
    assertTrue(e.getMessage().contains("no literal"), e.getMessage());
    mutator.close();
    assertEquals(List.of(), written);
  }

  /** The plan of a mutation that waits is known through a few changes, then no more. */
  @Test
  void bare_afterManyChanges_isTheRowAsItWasSent() throws IOException {
    PlansInUse plans = new PlansInUse();
    plans.add(first);
    Mutation sent = first.onPrimary(Tables.put("a|0001", "v").setAttribute("user", Q));
    Mutation bare = bare(plans, sent);
    assertEquals("a|0001", Bytes.toString(bare.getRow()));
    assertEquals(Set.of("user"), bare.getAttributesMap().keySet());
    assertEquals(1, bare.getFamilyCellMap().get(F).size());
    for (int buckets = 2; buckets <= 9; buckets++) {
      plans.add(layouts(Tables.LAYOUT.replace("%16", "%" + buckets)));
    }
    assertEquals(sent.getRow(), bare(plans, sent).getRow());
  }

  private static Mutation bare(PlansInUse plans, Mutation sent) throws IOException {
    return new FailedMutation(sent, plans.of(sent), new IOException("as a test"), "here").bare();
  }

  /** As users do who try again by themselves. */
  @Test
  void flush_listenerAddsWhatHasFailed_isWrittenByClose() throws IOException {
    List<Mutation> again = new ArrayList<>();
    BufferedMutatorParams params =
        new BufferedMutatorParams(NAME)
            .listener(
                (failure, mutator) -> {
                  again.add((Mutation) failure.getRow(0));
                  try {
                    mutator.mutate(again.get(again.size() - 1));
                  } catch (IOException e) {
                    throw new AssertionError(e);
                  }
                });
    SaltedBufferedMutator mutator = new SaltedBufferedMutator(this::below, params, cache, 60_000);
    mutator.mutate(Tables.put("a|0001", "v"));
    script.add(new DoNotRetryIOException("for another reason"));
    mutator.flush();
    assertEquals(List.of(), written);
    mutator.close();
    assertEquals(salted(first, "a|0001"), written);
    assertEquals(1, again.size());
  }
}
