package io.rowguard.observer;

import static io.rowguard.observer.Writes.bytes;
import static io.rowguard.observer.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What forwarding a batch costs the handler, without a server. */
class ForwarderTest {
  private static final TableName TABLE = TableName.valueOf("forwarded");
  private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE).build();
  private static final int ROWS = 10;

  private final AtomicInteger requestsRead = new AtomicInteger();

  @AfterEach
  void unsetCall() {
    RpcServer.unsetCurrentCall();
  }

  /** To tell the kind of a batch is a walk through its whole request. */
  @Test
  void forward_everyRowFails_readsTheRequestOnce() throws IOException {
    RpcServer.setCurrentCall(callOf(batchRequest()));
    MiniBatchOperationInProgress<Mutation> batch = bareBatch();

    forwarder().forward(batch, REGION);

    assertEquals(1, requestsRead.get());
    for (int i = 0; i < ROWS; i++) {
      assertEquals(
          OperationStatusCode.STORE_TOO_BUSY, batch.getOperationStatus(i).getOperationStatusCode());
    }
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
            }));
  }

  private static MiniBatchOperationInProgress<Mutation> bareBatch() {
    Mutation[] puts = new Mutation[ROWS];
    OperationStatus[] statuses = new OperationStatus[ROWS];
    for (int i = 0; i < ROWS; i++) {
      puts[i] = put("user" + i + "|0001");
      statuses[i] = new ForwardStatus(bytes("07-user" + i + "|0001"));
    }
    return new MiniBatchOperationInProgress<>(puts, statuses, new WALEdit[ROWS], 0, ROWS, ROWS);
  }

  /** Through a connection that is closed, so that nothing arrives. */
  private static Forwarder forwarder() {
    Connection closed = Proxies.of(Connection.class, Map.of("isClosed", (self, arguments) -> true));
    SampleLog log = SampleLog.own();
    RowSender sender =
        new RowSender(closed, TABLE, ForwardThreads.of(new ConcurrentHashMap<>()), 10_000, log);
    MetricRegistryInfo info = new MetricRegistryInfo("forwarder", "", "forwarder", "test", false);
    WriteMetrics metrics = new WriteMetrics(MetricRegistries.global().create(info), TABLE);
    return new Forwarder(sender, TABLE, metrics, log);
  }
}
