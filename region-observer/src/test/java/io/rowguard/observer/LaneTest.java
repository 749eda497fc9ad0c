package io.rowguard.observer;

import static io.rowguard.observer.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which rows travel together, and what a place that hangs or fails holds up. */
@Timeout(60) // only a row that is never sent or never ends reaches it
class LaneTest {
  private static final long LONG_MILLIS = 600_000;
  private static final int MOST_CALLS = 16;

  private final ForwardThreads threads = new ForwardThreads();
  private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();

  @AfterEach
  void close() {
    threads.close();
  }

  /** A call that has begun, and which the test ends. */
  private record Sent(List<ForwardedRow> rows, Lane.Call call) {
    void end(Throwable error) {
      rows.forEach(row -> call.ended(row, error));
    }
  }

  @Test
  void send_whileCallsAreUnderWay_travelsInOneCallAfterwards() throws Exception {
    Lane lane = lane(LONG_MILLIS);
    List<Sent> hanging = new ArrayList<>();
    for (int i = 0; i < MOST_CALLS; i++) {
      lane.send(rows(1));
      hanging.add(sent.take());
    }
    List<ForwardedRow> waiting = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      List<ForwardedRow> rows = rows(2);
      waiting.addAll(rows);
      lane.send(rows);
    }
    assertTrue(sent.isEmpty());

    hanging.get(0).end(null);

    Sent next = sent.take();
    assertEquals(waiting, next.rows());
    next.end(null);
    assertTrue(waiting.stream().allMatch(ForwardedRow::isStored));
  }

  @Test
  void send_whileOneCallHangs_isNotHeldUpForGood() throws Exception {
    Lane lane = lane(LONG_MILLIS);
    lane.send(rows(1));
    Sent hanging = sent.take();

    List<ForwardedRow> rows = rows(1);
    lane.send(rows);

    assertEquals(rows, sent.take().rows());
    assertFalse(hanging.rows().get(0).isStored());
  }

  @Test
  void call_whoseFirstRowIsAnswered_letsTheNextBegin() throws Exception {
    Lane lane = lane(LONG_MILLIS);
    List<Sent> hanging = new ArrayList<>();
    for (int i = 0; i < MOST_CALLS; i++) {
      lane.send(rows(2));
      hanging.add(sent.take());
    }
    List<ForwardedRow> rows = rows(1);
    lane.send(rows);
    assertTrue(sent.isEmpty());

    Sent one = hanging.get(3);
    one.call().ended(one.rows().get(1), null);

    assertEquals(rows, sent.take().rows());
  }

  @Test
  void send_toAPlaceWhereAllFails_isRefusedAtOnceWhileItIsTried() throws Exception {
    Lane lane = lane(LONG_MILLIS);
    lane.send(rows(2));
    sent.take().end(new IOException("gone"));
    lane.send(rows(1));
    Sent probe = sent.take();

    List<ForwardedRow> refused = rows(3);
    lane.send(refused);
    for (ForwardedRow row : refused) {
      assertTrue(
          row.failure().getMessage().contains("It does not answer. place=there"),
          "" + row.failure());
    }

    probe.end(null);
    List<ForwardedRow> rows = rows(1);
    lane.send(rows);
    assertEquals(rows, sent.take().rows());
  }

  /** That is an answer, and no reason to think that the place is gone. */
  @Test
  void send_toAPlaceThatRefusesRows_goesOn() throws Exception {
    Lane lane = lane(LONG_MILLIS);
    lane.send(rows(2));
    sent.take().end(new DoNotRetryIOException("no such family"));
    lane.send(rows(1));
    sent.take();
    List<ForwardedRow> rows = rows(1);
    lane.send(rows);
    assertEquals(rows, sent.take().rows());
  }

  @Test
  void send_toAPlaceThatIsSilent_isRefusedAtOnce() throws Exception {
    Lane lane = lane(0);
    lane.send(rows(1));
    sent.take();

    List<ForwardedRow> refused = rows(1);
    lane.send(refused);

    assertInstanceOf(IOException.class, refused.get(0).failure());
  }

  @Test
  void rows_thatNobodyWaitsForAnyMore_areNotSent() throws Exception {
    Lane lane = lane(LONG_MILLIS);
    List<Sent> hanging = new ArrayList<>();
    for (int i = 0; i < MOST_CALLS; i++) {
      lane.send(rows(1));
      hanging.add(sent.take());
    }
    List<ForwardedRow> late = rows(1, 0);
    lane.send(late);
    List<ForwardedRow> rows = rows(1);
    lane.send(rows);

    hanging.get(0).end(null);

    assertEquals(rows, sent.take().rows());
    assertFalse(late.get(0).isStored());
    assertTrue(late.get(0).failure().getMessage().contains("not sent in time"));
  }

  /** Another coprocessor's hook that refuses one row fails all that HBase writes with it. */
  @Test
  void rows_refusedTogetherWithAnotherBatchs_areSentByThemselves() throws Exception {
    Lane lane = lane(LONG_MILLIS);
    List<Sent> hanging = new ArrayList<>();
    for (int i = 0; i < MOST_CALLS; i++) {
      lane.send(rows(1));
      hanging.add(sent.take());
    }
    List<ForwardedRow> bad = rows(2);
    List<ForwardedRow> good = rows(2);
    lane.send(bad);
    lane.send(good);
    hanging.get(0).end(null);
    DoNotRetryIOException refusal = new DoNotRetryIOException("not bob");
    sent.take().end(refusal);

    Sent apart = sent.take();
    assertEquals(bad, apart.rows());
    apart.end(refusal);
    apart = sent.take();
    assertEquals(good, apart.rows());
    apart.end(null);

    bad.forEach(row -> assertSame(refusal, row.failure()));
    assertTrue(good.stream().allMatch(ForwardedRow::isStored));
  }

  @Test
  void call_thatCannotBegin_failsItsRows() {
    Lane lane =
        new Lane(
            "there",
            (rows, call) -> {
              throw new NoSuchMethodError("batch");
            },
            threads,
            Runnable::run,
            threads::execute,
            LONG_MILLIS,
            Metrics.of(TableName.valueOf("lane")));
    List<ForwardedRow> rows = rows(2);
    lane.send(rows);
    rows.forEach(row -> assertInstanceOf(NoSuchMethodError.class, row.failure()));
  }

  @Test
  void row_endsOnce() {
    ForwardedRow row = rows(1).get(0);
    assertTrue(row.stored());
    assertFalse(row.failed(new IOException("late")));
    assertNull(row.failure());
    assertTrue(row.isStored());
  }

  private Lane lane(long timeoutMillis) {
    return new Lane(
        "there",
        (rows, call) -> sent.add(new Sent(rows, call)),
        threads,
        Runnable::run,
        threads::execute,
        timeoutMillis,
        Metrics.of(TableName.valueOf("lane")));
  }

  private static List<ForwardedRow> rows(int count) {
    return rows(count, LONG_MILLIS);
  }

  private static List<ForwardedRow> rows(int count, long millis) {
    ForwardedRow.Batch batch =
        new ForwardedRow.Batch(count, TimeUnit.MILLISECONDS.toNanos(millis), () -> {});
    return IntStream.range(0, count)
        .mapToObj(i -> new ForwardedRow(put("00-alice" + i), batch))
        .toList();
  }
}
