package io.rowguard.observer;

import static io.rowguard.observer.Writes.bytes;
import static io.rowguard.observer.Writes.put;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.TableConfig;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.util.StringUtils;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a handler does and answers where nothing can be forwarded, without a server. */
class ForwarderTest {
  private static final TableName TABLE = TableName.valueOf("forwarded");
  private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE).build();
  private static final int ROWS = 10;

  private final AtomicInteger requestsRead = new AtomicInteger();

  /** Nothing arrives. */
  private final ServerForwards forwards =
      new ServerForwards(
          () -> {
            CompletableFuture<AsyncConnection> none = new CompletableFuture<>();
            none.completeExceptionally(new IOException("no connection"));
            return none;
          });

  private long began = EnvironmentEdgeManager.currentTime();

  @AfterEach
  void unsetCall() {
    RpcServer.unsetCurrentCall();
    forwards.close();
  }

  /** To tell the kind of a batch is a walk through its whole request. */
  @Test
  void forward_everyRowFails_readsTheRequestOnce() throws IOException {
    RpcServer.setCurrentCall(callOf(batchRequest()));
    MiniBatchOperationInProgress<Mutation> batch = bareBatch(ROWS);

    forwarder().forward(batch, REGION);

    assertEquals(1, requestsRead.get());
    for (int i = 0; i < ROWS; i++) {
      assertEquals(
          OperationStatusCode.STORE_TOO_BUSY, batch.getOperationStatus(i).getOperationStatusCode());
    }
    assertTrue(forwards.take(1, 1), "bytes are still counted");
  }

  /** HBase adds a stack trace to each status, and sends that of an exception with each row. */
  @Test
  void forward_manyRowsFail_answersWithoutStackTraces() {
    RpcServer.setCurrentCall(callOf(batchRequest()));

    RegionTooBusyException busy =
        assertThrows(
            RegionTooBusyException.class, () -> forwarder().forward(bareBatch(1_516), REGION));

    assertTrue(StringUtils.stringifyException(busy).length() < 600, busy.toString());
    assertTrue(busy.getMessage().contains("rows=1516"), busy.toString());
    assertTrue(forwards.take(1, 1), "bytes are still counted");
  }

  @Test
  void batch_beyondTheBound_isSentBackWithWhatToDo() {
    Forwarder forwarder = forwarder("rowguard.salt.max.bytes", "1000");
    assertTrue(forwards.take(1_500, 1000), "one may go beyond it");

    RegionTooBusyException busy =
        assertThrows(RegionTooBusyException.class, () -> forwarder.requireRoom(1));
    assertEquals(
        "Too much is being forwarded from this server, try again later. table=forwarded"
            + " rowguard.salt.max.bytes=1000",
        busy.getMessage());
    assertEquals(0, busy.getStackTrace().length);
    assertThrows(RegionTooBusyException.class, () -> forwarder.forward(bareBatch(1), REGION));

    forwards.give(501);
    assertDoesNotThrow(() -> forwarder.requireRoom(1));
  }

  /** A handler carries out the parts of a request one after the other: they have one limit. */
  @Test
  void request_whoseTimeIsOver_isSentBack() {
    began = EnvironmentEdgeManager.currentTime() - 10_000;
    RpcServer.setCurrentCall(callOf(batchRequest()));

    RegionTooBusyException busy =
        assertThrows(RegionTooBusyException.class, () -> forwarder().requireRoom(1));
    assertTrue(busy.getMessage().contains("rowguard.salt.timeout.ms=10000"), busy.getMessage());
    assertThrows(RegionTooBusyException.class, () -> forwarder().forward(bareBatch(1), REGION));
  }

  @Test
  void millisLeft_areThoseOfTheWholeRequest() {
    assertEquals(10_000, CurrentRequest.millisLeft(10_000), "no request");
    RpcServer.setCurrentCall(callOf(batchRequest()));
    began = EnvironmentEdgeManager.currentTime() + 5_000;
    assertEquals(10_000, CurrentRequest.millisLeft(10_000), "the clock was set back");
    began -= 9_000;
    assertTrue(CurrentRequest.millisLeft(10_000) <= 6_000);
  }

  private static MultiRequest batchRequest() {
    RegionSpecifier region =
        RegionSpecifier.newBuilder()
            .setType(RegionSpecifierType.REGION_NAME)
            .setValue(UnsafeByteOperations.unsafeWrap(REGION.getRegionName()))
            .build();
    return MultiRequest.newBuilder()
        .addRegionAction(RegionAction.newBuilder().setRegion(region))
        .build();
  }

  private RpcCall callOf(MultiRequest request) {
    return Proxies.of(
        RpcCall.class,
        Map.of(
            "getParam",
            (self, arguments) -> {
              requestsRead.incrementAndGet();
              return request;
            },
            "getStartTime",
            (self, arguments) -> began));
  }

  private static MiniBatchOperationInProgress<Mutation> bareBatch(int rows) {
    Mutation[] puts = new Mutation[rows];
    OperationStatus[] statuses = new OperationStatus[rows];
    for (int i = 0; i < rows; i++) {
      puts[i] = put("user" + i + "|0001");
      statuses[i] = new ForwardStatus(bytes("07-user" + i + "|0001"));
    }
    return new MiniBatchOperationInProgress<>(puts, statuses, new WALEdit[rows], 0, rows, rows);
  }

  private Forwarder forwarder(String... keysAndValues) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setValue("rowguard.layout", SaltedGuard.LAYOUT.toString());
    for (int i = 0; i < keysAndValues.length; i += 2) {
      table.setValue(keysAndValues[i], keysAndValues[i + 1]);
    }
    TableConfig config = TableConfig.of(table.build(), new Configuration(false));
    SampleLog log = SampleLog.own();
    WriteMetrics metrics = Metrics.of(TABLE);
    RowSender sender = new RowSender(TABLE, null, null, forwards, metrics, log);
    return new Forwarder(sender, forwards, TABLE, config, metrics, log);
  }
}
