package io.rowguard.observer.peers;

import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.replicated;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Metrics;
import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Row;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The rows that travel together, and those that a hanging or failing peer holds up. */
@Timeout(60) // only a row that is never sent or never ends reaches it
class PeerQueueTest {
  private static final long LONG_MILLIS = 600_000;
  private static final int MOST_CALLS = 16;
  private static final long LEAST_PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long MOST_PACE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final PeerThreads threads = new PeerThreads();
  private final AtomicLong clock = new AtomicLong();
  private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    threads.close();
  }

  /** A call that has begun, and which the test ends. */
  private record Sent(List<ForwardedRow> rows, PeerQueue.Transfer call) {
    void end(Throwable error) {
      rows.forEach(row -> call.ended(row, error));
    }
  }

  @Test
  void send_whileCallsAreUnderWay_travelsInOneCallAfterwards() throws Exception {
    PeerQueue queue = queue();
    List<Sent> hanging = hang(queue, 1);
    List<ForwardedRow> waiting = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      List<ForwardedRow> rows = rows(2);
      waiting.addAll(rows);
      queue.send(rows);
    }
    assertTrue(sent.isEmpty());

    hanging.get(0).end(null);

    Sent next = sent.take();
    assertEquals(waiting, next.rows());
    next.end(null);
    assertTrue(waiting.stream().allMatch(ForwardedRow::isStored));
  }

  /** HBase would ship all of a call, or none, to where its first row has come from. */
  @Test
  void send_rowsOfOtherClusters_travelApartFromThoseOfClients() throws Exception {
    PeerQueue queue = queue();
    Sent hanging = hang(queue, 1).get(0);
    List<List<ForwardedRow>> waiting =
        List.of(rows(2), replicatedRows(1), replicatedRows(2), rows(1));
    waiting.forEach(queue::send);

    List<List<ForwardedRow>> calls = new ArrayList<>();
    for (Sent last = hanging; calls.size() < 3; ) {
      clock.addAndGet(MOST_PACE_NANOS);
      last.end(null);
      last = sent.take();
      calls.add(last.rows());
    }

    List<ForwardedRow> replicated = new ArrayList<>(waiting.get(1));
    replicated.addAll(waiting.get(2));
    assertEquals(List.of(waiting.get(0), replicated, waiting.get(3)), calls);
  }

  @Test
  void send_whileOneCallHangs_isNotHeldUpForGood() throws Exception {
    PeerQueue queue = queue();
    queue.send(rows(1));
    Sent hanging = sent.take();
    List<ForwardedRow> rows = rows(1);
    queue.send(rows);
    assertTrue(sent.isEmpty());

    clock.addAndGet(LEAST_PACE_NANOS);

    assertEquals(rows, sent.take().rows());
    assertFalse(hanging.rows().get(0).isStored());
  }

  /** A peer whose log is slow would otherwise get many small calls side by side. */
  @Test
  void send_whereCallsUsuallyTakeLong_waitsLongerForTheNext() throws Exception {
    PeerQueue queue = queue();
    for (int i = 0; i < 50; i++) {
      queue.send(rows(1));
      Sent call = sent.take();
      clock.addAndGet(5 * LEAST_PACE_NANOS);
      call.end(null);
    }
    queue.send(rows(1));
    sent.take();

    clock.addAndGet(9 * LEAST_PACE_NANOS);
    queue.send(rows(1));
    assertTrue(sent.isEmpty());
    clock.addAndGet(LEAST_PACE_NANOS);

    assertEquals(1, sent.take().rows().size());
  }

  /** One call that hung for long must not make the queue wait as long for each later one. */
  @Test
  void send_afterACallThatHung_waitsSoLongAndNoLonger() throws Exception {
    PeerQueue queue = queue();
    queue.send(rows(1));
    Sent hanging = sent.take();
    clock.addAndGet(TimeUnit.MINUTES.toNanos(2));
    hanging.end(null);
    queue.send(rows(1));
    sent.take();
    queue.send(rows(1));
    assertTrue(sent.isEmpty());

    clock.addAndGet(MOST_PACE_NANOS);

    assertEquals(1, sent.take().rows().size());
  }

  @Test
  void call_whoseFirstRowIsAnswered_letsTheNextBegin() throws Exception {
    PeerQueue queue = queue();
    List<Sent> hanging = hang(queue, 2);
    List<ForwardedRow> rows = rows(1);
    queue.send(rows);
    assertTrue(sent.isEmpty());

    Sent one = hanging.get(3);
    one.call().ended(one.rows().get(1), null);

    assertEquals(rows, sent.take().rows());
  }

  @Test
  void send_toAPlaceWhereAllFails_isRefusedAtOnceWhileItIsTried() throws Exception {
    PeerQueue queue = queue();
    queue.send(rows(2));
    sent.take().end(new IOException("gone"));
    queue.send(rows(1));
    Sent probe = sent.take();

    List<ForwardedRow> refused = rows(3);
    queue.send(refused);
    for (ForwardedRow row : refused) {
      assertTrue(
          row.failure().getMessage().contains("It does not answer. place=there"),
          "" + row.failure());
    }

    probe.end(null);
    List<ForwardedRow> rows = rows(1);
    queue.send(rows);
    assertEquals(rows, sent.take().rows());
  }

  /** A refusal is an answer, so the peer is not taken for gone. */
  @Test
  void send_toAPlaceThatRefusesRows_goesOn() throws Exception {
    PeerQueue queue = queue();
    queue.send(rows(2));
    sent.take().end(new DoNotRetryIOException("no such family"));
    queue.send(rows(1));
    sent.take();
    clock.addAndGet(LEAST_PACE_NANOS);
    List<ForwardedRow> rows = rows(1);
    queue.send(rows);
    assertEquals(rows, sent.take().rows());
  }

  /** One call at a time is let through, to see whether it is still silent. */
  @Test
  void send_toAPlaceThatIsSilent_isRefusedButForOneCall() throws Exception {
    PeerQueue queue = queue();
    queue.send(rows(1));
    sent.take();
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(LONG_MILLIS / 4 + 1));
    List<ForwardedRow> probe = rows(1);
    queue.send(probe);
    assertEquals(probe, sent.take().rows());

    List<ForwardedRow> refused = rows(1);
    queue.send(refused);

    assertInstanceOf(IOException.class, refused.get(0).failure());
    assertFalse(probe.get(0).isStored());
  }

  /** Where no further call may begin, none can be let through to see. */
  @Test
  void send_toAPlaceWhereAllCallsHang_isRefusedForAsLong() throws Exception {
    PeerQueue queue = queue();
    List<Sent> hanging = hang(queue, 1);
    clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(LONG_MILLIS / 2));
    List<ForwardedRow> refused = rows(1);

    queue.send(refused);

    assertInstanceOf(IOException.class, refused.get(0).failure());
    hanging.get(0).end(null);
    List<ForwardedRow> rows = rows(1);
    queue.send(rows);
    assertEquals(rows, sent.take().rows());
  }

  @Test
  void rows_thatNobodyWaitsForAnyMore_areNotSent() throws Exception {
    PeerQueue queue = queue();
    queue.send(rows(1));
    Sent hanging = sent.take();
    List<ForwardedRow> late = rows(1, 0);
    queue.send(late);
    List<ForwardedRow> rows = rows(1);
    queue.send(rows);

    hanging.end(null);

    assertEquals(rows, sent.take().rows());
    assertFalse(late.get(0).isStored());
    assertTrue(late.get(0).failure().getMessage().contains("not sent in time"));
  }

  /** Another coprocessor's hook that refuses one row fails all that HBase writes with it. */
  @Test
  void rows_refusedTogetherWithAnotherBatchs_areSentByThemselves() throws Exception {
    PeerQueue queue = queue();
    List<Sent> hanging = hang(queue, 1);
    List<ForwardedRow> bad = rows(2);
    List<ForwardedRow> good = rows(2);
    queue.send(bad);
    queue.send(good);
    hanging.get(0).end(null);
    DoNotRetryIOException refusal = new DoNotRetryIOException("not bob");
    sent.take().end(refusal);

    // Side by side, in any order.
    for (Sent apart : List.of(sent.take(), sent.take())) {
      assertTrue(apart.rows().equals(bad) || apart.rows().equals(good));
      apart.end(apart.rows().equals(bad) ? refusal : null);
    }

    bad.forEach(row -> assertSame(refusal, row.failure()));
    assertTrue(good.stream().allMatch(ForwardedRow::isStored));
  }

  @Test
  void call_thatCannotBegin_failsItsRows() {
    PeerQueue queue =
        new PeerQueue(
            "there",
            (rows, call) -> {
              throw new NoSuchMethodError("batch");
            },
            threads,
            Runnable::run,
            threads.sending(),
            Metrics.of(TableName.valueOf("queue")),
            clock::get);
    List<ForwardedRow> rows = rows(2);
    queue.send(rows);
    rows.forEach(row -> assertInstanceOf(NoSuchMethodError.class, row.failure()));
  }

  /** HBase's client may forget rows, where memory runs out say; the queue goes on all the same. */
  @Test
  void call_whoseRowsEndElsewhere_letsTheNextBegin() throws Exception {
    PeerQueue queue = queue();
    List<Sent> forgotten = hang(queue, 2);
    List<ForwardedRow> rows = rows(1);
    queue.send(rows);
    assertTrue(sent.isEmpty());

    forgotten.get(0).rows().get(0).batch().fail(new IOException("forgotten"));

    assertEquals(rows, sent.take().rows());
    forgotten.get(0).end(null);
    assertFalse(forgotten.get(0).rows().get(0).isStored());
  }

  @Test
  void rows_thatEverybodyForgets_endWithTheirBatch() {
    List<ForwardedBatch> over = new CopyOnWriteArrayList<>();
    ForwardedBatch batch = new ForwardedBatch(List.of(put("00-alice")), 1, 0, over::add);
    ServerPeers forwards = new ServerPeers(CompletableFuture::new);
    try {
      forwards.watch(batch);

      Eventually.isTrue("the batch is over", () -> over.equals(List.of(batch)));

      Throwable failure = batch.rows().get(0).failure();
      assertTrue(failure.getMessage().contains("It was forgotten"), "" + failure);
    } finally {
      forwards.close();
    }
  }

  @Test
  void row_endsOnce() {
    ForwardedRow row = rows(1).get(0);
    row.stored();
    row.failed(new IOException("late"));
    assertNull(row.failure());
    assertTrue(row.isStored());
  }

  /** As many calls as there may be, of so many rows each. */
  private List<Sent> hang(PeerQueue queue, int rows) throws InterruptedException {
    List<Sent> hanging = new ArrayList<>();
    for (int i = 0; i < MOST_CALLS; i++) {
      queue.send(rows(rows));
      hanging.add(sent.take());
      clock.addAndGet(MOST_PACE_NANOS);
    }
    return hanging;
  }

  private PeerQueue queue() {
    return new PeerQueue(
        "there",
        (rows, call) -> sent.add(new Sent(rows, call)),
        threads,
        Runnable::run,
        threads.sending(),
        Metrics.of(TableName.valueOf("queue")),
        clock::get);
  }

  private static List<ForwardedRow> rows(int count) {
    return rows(count, LONG_MILLIS);
  }

  private static List<ForwardedRow> replicatedRows(int count) {
    List<Row> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      puts.add(replicated(put("00-bob" + i)));
    }
    return rows(puts, LONG_MILLIS);
  }

  private static List<ForwardedRow> rows(int count, long millis) {
    List<Row> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      puts.add(put("00-alice" + i));
    }
    return rows(puts, millis);
  }

  private static List<ForwardedRow> rows(List<Row> puts, long millis) {
    return new ForwardedBatch(puts, puts.size(), TimeUnit.MILLISECONDS.toNanos(millis), over -> {})
        .rows();
  }
}
