package io.rowguard.observer;

import static io.rowguard.observer.SaltedGuard.salted;
import static io.rowguard.observer.Writes.delete;
import static io.rowguard.observer.Writes.put;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A server that stops closes its connection while some regions still forward: HBase's client calls
 * that final, but another server will do it.
 */
@ExtendWith(MiniCluster.class)
class RowSenderIT {
  private static final String ROW = salted("alice|0001");

  private final HBaseTestingUtility hbase;

  RowSenderIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void closedConnection_isNoReasonToGiveUp() throws Exception {
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      Connection connection = ConnectionFactory.createConnection(hbase.getConfiguration());
      ConcurrentMap<String, Object> shared = new ConcurrentHashMap<>();
      RowSender sender =
          new RowSender(
              connection,
              guarded.name(),
              ForwardThreads.of(shared),
              60_000,
              SampleLog.of(shared, guarded.name().getNameAsString()));
      connection.close();

      for (List<Row> rows : List.<List<Row>>of(List.of(put(ROW)), List.of(delete(ROW)))) {
        Object[] results = new Object[rows.size()];
        IOException failure = sender.write(rows, results);
        Throwable error = RowSender.errorOf(results[0], failure);
        assertInstanceOf(DoNotRetryIOException.class, error);
        assertFalse(sender.isFinal(error));
      }
      IOException unread =
          assertThrows(IOException.class, () -> sender.get(new Get(Bytes.toBytes(ROW))));
      assertFalse(unread instanceof DoNotRetryIOException, unread.toString());
    }
  }
}
