package io.rowguard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncConnectionImpl;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hbase.thirdparty.io.netty.util.HashedWheelTimer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A table's first opening through {@link SaltedAsyncConnection}, which waits for the master. */
@ExtendWith(MiniCluster.class)
class FirstOpenIT {
  @RegisterExtension private final PropertyClient client;
  private AsyncConnection connection;

  FirstOpenIT(HBaseTestingUtility hbase) {
    this.client = new PropertyClient(hbase);
  }

  @BeforeEach
  void connect() throws IOException {
    connection = client.asyncConnection();
  }

  @Test
  void getTable_absentOrWrongOrInACallback_isNotOpened() throws Exception {
    TableName absent = TableName.valueOf("absent");
    UncheckedIOException e =
        assertThrows(UncheckedIOException.class, () -> connection.getTable(absent));
    assertTrue(e.getCause() instanceof TableNotFoundException, "" + e);
    TableName wrong = client.create("{user:wrod}", null);
    e = assertThrows(UncheckedIOException.class, () -> connection.getBufferedMutator(wrong));
    assertTrue(e.getMessage().contains("{user:wrod}"), e.getMessage());

    AsyncTable<AdvancedScanResultConsumer> own = connection.getTable(client.create(null, null));
    TableName name = client.create(Tables.LAYOUT, null);
    IllegalStateException refusal =
        assertThrows(IllegalStateException.class, () -> openedInCallback(own, name));
    assertTrue(refusal.getMessage().contains("table=" + name), refusal.getMessage());
    assertThrows(IllegalStateException.class, () -> openedWhereTimeIsOver(name));
    connection.getTable(name);
    assertEquals(name, openedInCallback(own, name));
    assertEquals(name, openedWhereTimeIsOver(name));
  }

  /** Opens a table on the thread by which HBase ends operations that have taken too long. */
  private TableName openedWhereTimeIsOver(TableName name) throws Exception {
    Field field = AsyncConnectionImpl.class.getDeclaredField("RETRY_TIMER");
    field.setAccessible(true);
    CompletableFuture<TableName> opened = new CompletableFuture<>();
    ((HashedWheelTimer) field.get(null))
        .newTimeout(timeout -> open(name, opened), 1, TimeUnit.MILLISECONDS);
    return answer(opened);
  }

  private void open(TableName name, CompletableFuture<TableName> opened) {
    try {
      opened.complete(connection.getTable(name).getName());
    } catch (RuntimeException e) {
      opened.completeExceptionally(e);
    }
  }

  private static TableName answer(CompletableFuture<TableName> opened) throws Exception {
    try {
      return opened.get(1, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception failure ? failure : e;
    }
  }

  /** Opens a table at the end of a scan of HBase's own, on the thread of that. */
  private TableName openedInCallback(AsyncTable<AdvancedScanResultConsumer> own, TableName name)
      throws Exception {
    CompletableFuture<TableName> opened = new CompletableFuture<>();
    own.scan(
        new Scan(),
        new AdvancedScanResultConsumer() {
          @Override
          public void onNext(Result[] results, ScanController controller) {
            // There are none.
          }

          @Override
          public void onError(Throwable failure) {
            opened.completeExceptionally(failure);
          }

          @Override
          public void onComplete() {
            open(name, opened);
          }
        });
    return answer(opened);
  }
}
