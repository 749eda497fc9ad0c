package io.rowguard.observer;

import static io.rowguard.observer.Writes.delete;
import static io.rowguard.observer.Writes.put;
import static io.rowguard.observer.Writes.together;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.util.ExceptionUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call that the handler has given up, without a server. */
class RowSenderTest {
  private static final TableName TABLE = TableName.valueOf("given-up");
  private static final int ROWS_APART = 20;
  private static final int ROWS_AT_ONCE = 8;

  private final CountDownLatch end = new CountDownLatch(1);
  private final AtomicInteger tried = new AtomicInteger();

  /** The client may be on its second try by then: what is written late could win over newer. */
  @Test
  @Timeout(60) // only a call that waits for the rows that hang reaches it
  void write_interruptedInTheBatch_leavesTheOtherRowsAlone() throws Exception {
    ForwardThreads threads = ForwardThreads.of(new ConcurrentHashMap<>());
    RowSender sender = new RowSender(connection(), TABLE, threads, 600_000, SampleLog.own());
    List<Row> actions = new ArrayList<>();
    actions.add(put("00-alice"));
    for (int i = 0; i < ROWS_APART; i++) {
      actions.add(together(delete("01-bob" + i), put("01-bob" + i)));
    }

    IOException failure = sender.write(actions, new Object[actions.size()]);

    assertTrue(ExceptionUtil.isInterrupt(failure), "" + failure);
    end.countDown();
    threads.senders().shutdown();
    assertTrue(threads.senders().awaitTermination(30, TimeUnit.SECONDS));
    assertTrue(tried.get() <= ROWS_AT_ONCE, "tried: " + tried.get());
  }

  private Connection connection() {
    RegionLocator locator =
        Proxies.of(
            RegionLocator.class,
            Map.of("getRegionLocation", (self, row) -> null, "close", (self, none) -> null));
    Proxies.Answer set = (self, millis) -> self;
    TableBuilder builder =
        Proxies.of(
            TableBuilder.class,
            Map.of(
                "setOperationTimeout", set,
                "setRpcTimeout", set,
                "setReadRpcTimeout", set,
                "setWriteRpcTimeout", set,
                "build", (self, none) -> table()));
    return Proxies.of(
        Connection.class,
        Map.of(
            "getRegionLocator", (self, table) -> locator,
            "getTableBuilder", (self, table) -> builder,
            "isClosed", (self, none) -> false));
  }

  private Table table() {
    return Proxies.of(
        Table.class,
        Map.of(
            "batch",
            (self, arguments) -> {
              // As HBase 3.0 does: the interrupt is the failure of one row, and its mark is gone.
              ((Object[]) arguments[1])[0] = new InterruptedIOException();
              throw new RetriesExhaustedException("Failed after attempts=1");
            },
            "mutateRow",
            (self, row) -> {
              tried.incrementAndGet();
              end.await();
              return Result.EMPTY_RESULT;
            },
            "close",
            (self, none) -> null));
  }
}
