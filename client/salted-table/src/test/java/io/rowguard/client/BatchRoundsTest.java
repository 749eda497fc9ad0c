package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.bytes;
import static io.rowguard.client.Tables.put;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.StaleLayoutException;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** Rounds given answers of all kinds; no cluster. */
class BatchRoundsTest {
  private static final List<Put> PUTS = List.of(put("a|0001", "1"), put("b|0001", "2"));

  private static BatchRounds<Put> rounds() {
    FilterRules filters = new FilterRules(TableName.valueOf("t"), Set.of());
    TableLayouts layouts = TableLayouts.byHand(RowkeyLayout.parse(Tables.LAYOUT), 256, filters);
    return new BatchRounds<>(new LayoutCache(layouts, () -> layouts, Runnable::run), 0, PUTS);
  }

  /** HBase 2 throws so when the operation's time is over, and has filled what it knows. */
  @Test
  void run_timeIsOver_saysNothingOfWhatHasNoAnswer() {
    BatchRounds<Put> rounds = rounds();
    BatchRounds.Sender<Put> sender =
        (salted, answers) -> {
          answers[0] = new StaleLayoutException("stale");
          throw new SocketTimeoutException("time out");
        };
    assertThrows(SocketTimeoutException.class, () -> rounds.run(sender, null));
    assertNull(rounds.results().shown()[1]);
  }

  /** HBase 3 waits for the other actions first. */
  @Test
  void run_interruptionIsAnAnswer_endsWithoutAnotherRound() {
    BatchRounds<Put> rounds = rounds();
    BatchRounds.Sender<Put> sender =
        (salted, answers) -> {
          answers[0] = ListSender.interrupted(new InterruptedException());
          answers[1] = new StaleLayoutException("stale");
          throw new RetriesExhaustedException("2 actions");
        };
    assertThrows(InterruptedIOException.class, () -> rounds.run(sender, null));
  }

  /** HBase's own table leaves in the results what it has by then, and so the caller knows. */
  @Test
  void run_endsEarly_keepsWhatHasAnAnswer() {
    for (Exception end :
        List.of(new SocketTimeoutException("time out"), new InterruptedException())) {
      BatchRounds<Put> rounds = rounds();
      BatchRounds.Sender<Put> sender =
          (salted, answers) -> {
            answers[0] = Result.EMPTY_RESULT;
            if (end instanceof IOException e) {
              throw e;
            }
            throw (InterruptedException) end;
          };
      assertThrows(end.getClass(), () -> rounds.run(sender, null));
      assertInstanceOf(Result.class, rounds.results().shown()[0]);
      assertNull(rounds.results().shown()[1]);
    }
  }

  private static <R extends Row> BatchRounds<R> chosen(List<R> actions) {
    FilterRules filters = new FilterRules(TableName.valueOf("t"), Set.of());
    RowkeyLayout layout = RowkeyLayout.parse("{salt:digits(1)=any of 4}-{user:word}");
    TableLayouts layouts = TableLayouts.byHand(layout, 256, filters);
    return new BatchRounds<>(new LayoutCache(layouts, () -> layouts, Runnable::run), 0, actions);
  }

  private static List<String> rows(List<? extends Row> salted) {
    return salted.stream().map(row -> Bytes.toString(row.getRow())).toList();
  }

  @Test
  void run_writersChoose_getsAskAllRowsAndPutsTakeTurns() throws Exception {
    BatchRounds<Row> rounds =
        chosen(List.of(Tables.get("a"), new Put(bytes("b")), new Put(bytes("b")), Tables.get("c")));
    List<String> sent = new ArrayList<>();
    rounds.run(
        (salted, answers) -> {
          sent.addAll(rows(salted));
          for (int i = 0; i < answers.length; i++) {
            boolean there = sent.get(i).startsWith("2-a") || sent.get(i).startsWith("3-a");
            Put put = Tables.put(sent.get(i), sent.get(i));
            answers[i] = there ? Result.create(put.getFamilyCellMap().get(F)) : Result.EMPTY_RESULT;
          }
        },
        null);
    assertEquals(List.of("0-a", "1-a", "2-a", "3-a"), sent.subList(0, 4));
    assertEquals(List.of("0-c", "1-c", "2-c", "3-c"), sent.subList(6, 10));
    int first = sent.get(4).charAt(0) - '0';
    assertEquals((first + 1) % 4 + "-b", sent.get(5));
    Result merged = (Result) rounds.results().shown()[0];
    assertEquals(1, merged.size(), "both have the same time");
    assertArrayEquals(bytes("a"), merged.getRow());
    assertTrue(((Result) rounds.results().shown()[3]).isEmpty());
  }

  @Test
  void run_oneRowOfADeleteFails_theDeleteHasFailed() throws Exception {
    BatchRounds<Delete> rounds = chosen(List.of(new Delete(bytes("a")), new Delete(bytes("b"))));
    rounds.run(
        (salted, answers) -> {
          assertEquals(8, salted.size());
          answers[2] = new IOException("broken");
          throw new IOException("Some failed");
        },
        null);
    assertEquals(
        "broken", assertInstanceOf(IOException.class, rounds.results().shown()[0]).getMessage());
    assertInstanceOf(Result.class, rounds.results().shown()[1]);
  }

  @Test
  void run_oneFails_theOtherIsDone() throws Exception {
    BatchRounds<Put> rounds = rounds();
    rounds.run(
        (salted, answers) -> {
          answers[0] = new IOException("broken");
          throw new IOException("Some failed");
        },
        null);
    assertEquals(
        "broken", assertInstanceOf(IOException.class, rounds.results().shown()[0]).getMessage());
    assertInstanceOf(Result.class, rounds.results().shown()[1]);
  }
}
