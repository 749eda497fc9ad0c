package io.rowguard.client;

import static io.rowguard.client.Tables.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rowguard.config.StaleLayoutException;
import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
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
    assertNull(rounds.results()[1]);
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
    assertEquals("broken", assertInstanceOf(IOException.class, rounds.results()[0]).getMessage());
    assertInstanceOf(Result.class, rounds.results()[1]);
  }
}
