package io.rowguard.observer.salt;

import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.OtherRowException;
import io.rowguard.config.TableConfig;
import io.rowguard.observer.decide.DecidedStatus;
import io.rowguard.observer.decide.Decision;
import io.rowguard.observer.fixture.Metrics;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.SaltedGuard;
import io.rowguard.observer.metrics.SampleLog;
import io.rowguard.observer.metrics.WriteMetrics;
import io.rowguard.observer.peers.ServerPeers;
import io.rowguard.observer.peers.TablePeers;
import io.rowguard.observer.request.CurrentRequest;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
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
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.util.StringUtils;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A handler's answers where nothing can be forwarded, without a server. */
class ForwarderTest {
  private static final TableName TABLE = TableName.valueOf("forwarded");
  private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE).build();
  private static final int ROWS = 10;
  private static final int MANY_ROWS = 1_516;
  private static final String TIMEOUT = "rowguard.salt.timeout.ms";

  private final AtomicInteger requestsRead = new AtomicInteger();

  /** A check or an action while rows are under way. */
  private Runnable whileUnderWay = () -> {};

  private IOException failure = new IOException("no connection");

  /** No row arrives. */
  private final ServerPeers forwards =
      new ServerPeers(
          () -> {
            whileUnderWay.run();
            CompletableFuture<AsyncConnection> none = new CompletableFuture<>();
            none.completeExceptionally(failure);
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

    forwarder().deliver(batch, REGION);

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
            RegionTooBusyException.class, () -> forwarder().deliver(bareBatch(MANY_ROWS), REGION));

    assertTrue(StringUtils.stringifyException(busy).length() < 600, busy.toString());
    assertTrue(busy.getMessage().contains("rows=" + MANY_ROWS), busy.toString());
    assertTrue(forwards.take(1, 1), "bytes are still counted");
  }

  @Test
  void batch_largerThanTheBound_goesInPortionsWithinIt() throws IOException {
    RpcServer.setCurrentCall(callOf(batchRequest()));
    AtomicLong most = new AtomicLong();
    whileUnderWay = () -> most.accumulateAndGet(count("forwards_bytes"), Math::max);
    MiniBatchOperationInProgress<Mutation> batch = bareBatch(ROWS);
    long bytes = ROWS * batch.getOperation(0).heapSize();
    long failedBefore = count("forwarded_failed");

    forwarder("rowguard.salt.max.bytes", "" + bytes / 2).deliver(batch, REGION);

    assertTrue(0 < most.get() && most.get() <= bytes / 2, most + " of " + bytes);
    assertEquals(ROWS, count("forwarded_failed") - failedBefore);
    assertEquals(0, count("forwards_bytes"));
  }

  @Test
  void batch_whoseRestFindsNoRoom_isSentBackRowByRow() throws IOException {
    RpcServer.setCurrentCall(callOf(batchRequest()));
    MiniBatchOperationInProgress<Mutation> batch = bareBatch(ROWS);
    long row = batch.getOperation(0).heapSize();
    whileUnderWay = new Others(8 * row);
    long failedBefore = count("forwarded_failed");
    long busyBefore = count("forwarded_busy");

    forwarder("rowguard.salt.max.bytes", "" + 8 * row).deliver(batch, REGION);

    assertEquals(1, count("forwarded_failed") - failedBefore);
    assertEquals(ROWS - 1, count("forwarded_busy") - busyBefore);
    String message =
        "The row of a bare key could not be stored under its salted row, try again: Too much is"
            + " being forwarded from this server, try again later. table=forwarded"
            + " rowguard.salt.max.bytes="
            + 8 * row;
    int unsent = 0;
    for (int i = 0; i < ROWS; i++) {
      OperationStatus status = batch.getOperationStatus(i);
      assertEquals(OperationStatusCode.STORE_TOO_BUSY, status.getOperationStatusCode());
      unsent += status.getExceptionMsg().equals(message) ? 1 : 0;
    }
    assertEquals(ROWS - 1, unsent);
  }

  /** Rows that a region in another step of a change of the layout has refused. */
  @Test
  void rowsToBeSentElsewhere_withoutRoom_areNotSent() throws IOException {
    RpcServer.setCurrentCall(callOf(batchRequest()));
    failure = new OtherRowException(OtherRowException.message("row=x"));
    Others others = new Others(1 << 20);
    whileUnderWay = others;
    MiniBatchOperationInProgress<Mutation> batch = bareBatch(ROWS);
    long busyBefore = count("forwarded_busy");

    movingForwarder("rowguard.salt.max.bytes", "" + (1 << 20)).deliver(batch, REGION);

    assertEquals(1, others.sendings, "they were sent again");
    int sameUnderBoth = 1; // and sent nowhere else
    assertEquals(ROWS - sameUnderBoth, count("forwarded_busy") - busyBefore);
    for (int i = 0; i < ROWS; i++) {
      assertEquals(
          OperationStatusCode.STORE_TOO_BUSY, batch.getOperationStatus(i).getOperationStatusCode());
    }
  }

  /** Others who take all the room there is, as soon as something is sent. */
  private final class Others implements Runnable {
    private final long room;
    private int sendings;

    Others(long room) {
      this.room = room;
    }

    @Override
    public void run() {
      if (++sendings == 1) {
        forwards.give(-room);
      }
    }
  }

  @Test
  void room_forWhatIsLargerThanTheBound_isThereWhenNothingElseIsUnderWay() {
    assertTrue(forwards.take(1_500, 1_000));
    assertFalse(forwards.take(1, 1_000));
    forwards.give(1_500);
    assertTrue(forwards.take(600, 1_000));
    assertFalse(forwards.take(1_500, 1_000));
    assertFalse(forwards.take(401, 1_000));
    assertTrue(forwards.take(400, 1_000));
  }

  @Test
  void batch_beyondTheBound_isSentBackWithWhatToDo() {
    long busyBefore = count("forwarded_busy");
    Forwarder forwarder = forwarder("rowguard.salt.max.bytes", "1000");
    assertTrue(forwards.take(1_500, 1000), "one may go beyond it");

    RegionTooBusyException busy =
        assertThrows(RegionTooBusyException.class, () -> forwarder.requireRoom(1));
    assertEquals(
        "Too much is being forwarded from this server, try again later. table=forwarded"
            + " rowguard.salt.max.bytes=1000",
        busy.getMessage());
    assertEquals(0, busy.getStackTrace().length);
    assertThrows(RegionTooBusyException.class, () -> forwarder.deliver(bareBatch(1), REGION));
    assertEquals(2, count("forwarded_busy") - busyBefore);

    forwards.give(501);
    assertDoesNotThrow(() -> forwarder.requireRoom(1));
  }

  /** A handler carries out the parts of a request one after the other: they have one limit. */
  @Test
  void request_whoseTimeIsOver_isSentBack() {
    began = EnvironmentEdgeManager.currentTime() - 10_000;
    RpcServer.setCurrentCall(callOf(batchRequest()));
    long lateBefore = count("forwarded_late");
    long busyBefore = count("forwarded_busy");

    Forwarder forwarder = forwarder(TIMEOUT, "10000");

    RegionTooBusyException busy =
        assertThrows(RegionTooBusyException.class, () -> forwarder.requireRoom(1));
    assertTrue(busy.getMessage().contains(TIMEOUT + "=10000"), busy.getMessage());
    assertThrows(RegionTooBusyException.class, () -> forwarder.deliver(bareBatch(1), REGION));
    assertEquals(2, count("forwarded_late") - lateBefore);
    assertEquals(busyBefore, count("forwarded_busy"));
  }

  private static long count(String counter) {
    return MetricRegistries.global()
        .create(Metrics.info())
        .get("Namespace_default_table_forwarded_metric_" + counter)
        .map(metric -> ((Counter) metric).getCount())
        .orElse(0L);
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
    RegionAction.Builder action = RegionAction.newBuilder().setRegion(region);
    for (int i = 0; i < MANY_ROWS; i++) {
      action.addActionBuilder().getMutationBuilder().setRow(ByteString.copyFromUtf8(bareKey(i)));
    }
    return MultiRequest.newBuilder().addRegionAction(action).build();
  }

  private static String bareKey(int i) {
    return "user" + i + "|0001";
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
      String key = bareKey(i);
      puts[i] = put(key);
      statuses[i] = DecidedStatus.of(Decision.forward(bytes(SaltedGuard.salted(key)), () -> null));
    }
    return new MiniBatchOperationInProgress<>(puts, statuses, new WALEdit[rows], 0, rows, rows);
  }

  private Forwarder movingForwarder(String... keysAndValues) {
    return forwarder(
        Stream.concat(
                Stream.of(keysAndValues),
                Stream.of(
                    "rowguard.layout.previous",
                    RelayoutTables.OTHERWISE_SALTED,
                    "rowguard.layout.phase",
                    "moving",
                    "rowguard.layout.generation",
                    "1",
                    "rowguard.layout.version",
                    "2"))
            .toArray(String[]::new));
  }

  private Forwarder forwarder(String... keysAndValues) {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(TABLE)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .setValue("rowguard.layout", SaltedGuard.LAYOUT.toString())
            .setValue(TIMEOUT, "50000"); // which a machine that stands still does not use up
    for (int i = 0; i < keysAndValues.length; i += 2) {
      table.setValue(keysAndValues[i], keysAndValues[i + 1]);
    }
    TableConfig config = TableConfig.of(table.build(), new Configuration(false));
    SampleLog log = SampleLog.own();
    WriteMetrics metrics = Metrics.of(TABLE);
    TablePeers peers =
        new TablePeers(TABLE, null, null, forwards, config.saltMaxBytes(), metrics, log);
    return new Forwarder(peers, TABLE, config, metrics, log);
  }
}
