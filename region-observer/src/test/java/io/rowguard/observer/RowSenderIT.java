package io.rowguard.observer;

import static io.rowguard.observer.SaltedGuard.salted;
import static io.rowguard.observer.Writes.delete;
import static io.rowguard.observer.Writes.put;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The last region that forwards closes, and with it the connection, while a handler still forwards:
 * HBase's client calls that final, but another server will do it.
 */
@ExtendWith(MiniCluster.class)
class RowSenderIT {
  private static final String ROW = salted("alice|0001");
  private static final long MILLIS = 60_000;

  private final HBaseTestingUtility hbase;

  RowSenderIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void closedConnection_isNoReasonToGiveUp() throws Exception {
    HRegionServer server = hbase.getMiniHBaseCluster().getRegionServer(0);
    try (GuardedTable guarded = SaltedGuard.create(hbase)) {
      ServerForwards forwards =
          new ServerForwards(
              () -> ConnectionFactory.createAsyncConnection(hbase.getConfiguration()));
      RowSender sender =
          new RowSender(
              guarded.name(),
              server.getServerName(),
              server,
              forwards,
              (int) MILLIS,
              Metrics.of(guarded.name()),
              SampleLog.own());
      forwards.connection().get();
      forwards.close();

      List<Throwable> errors = sender.write(List.of(put(ROW), delete(ROW)), MILLIS, () -> {});
      for (Throwable error : errors) {
        assertNotNull(error);
        assertFalse(sender.isFinal(error), error.toString());
      }
      IOException unread =
          assertThrows(IOException.class, () -> sender.get(new Get(Bytes.toBytes(ROW)), MILLIS));
      assertFalse(unread instanceof DoNotRetryIOException, unread.toString());
    }
  }
}
