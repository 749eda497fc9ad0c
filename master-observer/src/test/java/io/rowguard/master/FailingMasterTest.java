package io.rowguard.master;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.ModifyTableRequest;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An observer that cannot do its work must not throw: HBase would abort the master. */
class FailingMasterTest {
  private static final TableName ORDERS = TableName.valueOf("orders");
  private static final TableDescriptor WRONG =
      TableDescriptorBuilder.newBuilder(ORDERS)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
          .setValue("rowguard.layout", "{")
          .build();
  private static final TableDescriptor RIGHT =
      TableDescriptorBuilder.newBuilder(ORDERS)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
          .setValue("rowguard.layout", "{user:word}|{item:digits(4)}")
          .setValue("rowguard.group", "user")
          .build();
  private static final RegionInfo[] REGIONS = {RegionInfoBuilder.newBuilder(ORDERS).build()};

  private final MetricRegistry registry =
      MetricRegistries.global()
          .create(new MetricRegistryInfo("FailingMasterTest", "a test's", "Test", "test", false));
  private final LayoutMasterObserver observer = new LayoutMasterObserver();

  /** The environment that HBase hands to coprocessors which it does not count among its own. */
  private interface OtherEnvironment extends MasterCoprocessorEnvironment {}

  /** The environment for its own. */
  @SuppressWarnings("deprecation") // as LayoutMasterObserver
  private interface CoreEnvironment
      extends MasterCoprocessorEnvironment, org.apache.hadoop.hbase.coprocessor.HasMasterServices {}

  @Test
  void start_withoutMasterServices_checksNothing() throws IOException {
    ObserverContext<MasterCoprocessorEnvironment> ctx = started(OtherEnvironment.class, null);

    observer.preCreateTable(ctx, WRONG, REGIONS);
    observer.preSplitRegion(ctx, ORDERS, Bytes.toBytes("k"));
    assertEquals(WRONG, observer.preModifyTable(ctx, ORDERS, WRONG, WRONG));
  }

  @Test
  void hook_whoseCheckFails_refusesWithAnIOException() {
    ObserverContext<MasterCoprocessorEnvironment> ctx =
        started(CoreEnvironment.class, failing(new IllegalStateException("not today")));

    for (int i = 0; i < 2; i++) {
      DoNotRetryIOException refusal =
          assertThrows(
              DoNotRetryIOException.class,
              () -> observer.preSplitRegion(ctx, ORDERS, Bytes.toBytes("k")));
      assertEquals(
          "The check of this operation failed, so it is refused. table=orders"
              + " error=java.lang.IllegalStateException: not today. To do it all the same, first"
              + " open the table for 10 minutes: alter 'orders', METADATA => {'rowguard.force' =>"
              + " 'the reason'}.",
          refusal.getMessage());
    }
    assertThrows(
        DoNotRetryIOException.class,
        () -> observer.preSplitRegionAction(ctx, ORDERS, Bytes.toBytes("k")));
    assertEquals(3, failedChecks());
  }

  @Test
  void hook_whoseCheckMissesAClass_refusesWithAnIOException() {
    ObserverContext<MasterCoprocessorEnvironment> ctx =
        started(CoreEnvironment.class, failing(new NoSuchMethodError("gone")));

    assertThrows(
        DoNotRetryIOException.class,
        () -> observer.preSplitRegion(ctx, ORDERS, Bytes.toBytes("k")));
  }

  /** As where the descriptors cannot be read from the file system. */
  @Test
  void hook_whoseCheckEndsInAnIOException_isCountedAndRefuses() {
    ObserverContext<MasterCoprocessorEnvironment> ctx =
        started(CoreEnvironment.class, failing(new IOException("no answer")));

    DoNotRetryIOException refusal =
        assertThrows(
            DoNotRetryIOException.class,
            () -> observer.preSplitRegion(ctx, ORDERS, Bytes.toBytes("k")));

    assertTrue(
        refusal
            .getMessage()
            .startsWith(
                "The check of this operation failed, so it is refused. table=orders"
                    + " error=java.io.IOException: no answer. To do it all the same, first open"),
        refusal.getMessage());
    assertEquals(1, failedChecks());
  }

  @Test
  void hook_whoseCheckFailsOnATableOpenedByForce_letsThrough() {
    int failures = 0;
    for (Throwable error :
        new Throwable[] {new IOException("no answer"), new NoSuchMethodError("gone")}) {
      ObserverContext<MasterCoprocessorEnvironment> ctx =
          started(CoreEnvironment.class, failing(error));
      open(ctx, ORDERS);

      assertDoesNotThrow(() -> observer.preSplitRegion(ctx, ORDERS, Bytes.toBytes("k")));
      assertDoesNotThrow(() -> observer.preSplitRegionAction(ctx, ORDERS, Bytes.toBytes("k")));
      failures += 2;
      assertEquals(failures, failedChecks());
    }
  }

  /** A refusal is an IOException too, and no failure. */
  @Test
  void hook_thatRefuses_countsNoFailure() {
    ObserverContext<MasterCoprocessorEnvironment> ctx =
        started(CoreEnvironment.class, failing(new IllegalStateException("not asked")));

    assertThrows(DoNotRetryIOException.class, () -> observer.preCreateTable(ctx, WRONG, REGIONS));
    assertEquals(0, failedChecks());
  }

  /** Where the regions of a table are asked for, the check fails here. */
  @Test
  void preSplitRegion_legalKey_asksForNoRegion() throws IOException {
    ObserverContext<MasterCoprocessorEnvironment> ctx =
        started(CoreEnvironment.class, withoutRegions(RIGHT));

    observer.preSplitRegion(ctx, ORDERS, Bytes.toBytes("kim|"));
    observer.preSplitRegionAction(ctx, ORDERS, Bytes.toBytes("kim|"));
    observer.preSplitRegionAction(ctx, ORDERS, Bytes.toBytes("k+"));
    assertEquals(0, failedChecks());

    assertThrows(
        DoNotRetryIOException.class,
        () -> observer.preSplitRegionAction(ctx, ORDERS, Bytes.toBytes("kim|0500")));
    assertEquals(1, failedChecks());
  }

  /** Every hook that the observer has, by reflection, so that none is forgotten. */
  @ParameterizedTest
  @MethodSource("hooks")
  void hook_whateverItIsGiven_letsNothingButAnIOExceptionOut(Method hook) throws Exception {
    started(CoreEnvironment.class, failing(new NoSuchMethodError("gone")));
    Object[] arguments =
        Stream.of(hook.getParameterTypes()).map(FailingMasterTest::outdated).toArray();

    Throwable thrown = null;
    RpcServer.setCurrentCall((RpcCall) outdated(RpcCall.class));
    try {
      hook.invoke(observer, arguments);
    } catch (InvocationTargetException e) {
      thrown = e.getCause();
    } finally {
      RpcServer.unsetCurrentCall();
    }

    assertTrue(thrown == null || thrown instanceof IOException, () -> hook.toString());
    assertEquals(1, failedChecks());
  }

  static Stream<Method> hooks() {
    List<Method> hooks =
        Stream.of(LayoutMasterObserver.class.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
            .filter(method -> method.getName().matches("(pre|post)[A-Z].*"))
            .toList();
    assertTrue(hooks.size() >= 11, hooks::toString);
    return hooks.stream();
  }

  /** An argument that fails whatever is asked of it. */
  private static Object outdated(Class<?> type) {
    return type.isInterface()
        ? proxy(
            type,
            (self, method, arguments) -> {
              throw new NoSuchMethodError(method.getName());
            })
        : null;
  }

  @Test
  void hook_thatOnlyWarns_neverRefuses() {
    ObserverContext<MasterCoprocessorEnvironment> ctx =
        started(CoreEnvironment.class, failing(new IllegalStateException("not today")));

    assertDoesNotThrow(() -> observer.preMergeRegionsAction(ctx, REGIONS));
    assertTrue(failedChecks() > 0);
  }

  @Test
  void hook_ofASystemTable_asksNothing() {
    ObserverContext<MasterCoprocessorEnvironment> ctx =
        started(CoreEnvironment.class, failing(new IllegalStateException("not today")));

    for (TableName table :
        new TableName[] {TableName.META_TABLE_NAME, TableName.valueOf("hbase:quota")}) {
      assertDoesNotThrow(() -> observer.preSplitRegion(ctx, table, Bytes.toBytes("k")));
      assertDoesNotThrow(() -> observer.preSplitRegionAction(ctx, table, Bytes.toBytes("k")));
    }
    assertEquals(0, failedChecks());
  }

  /** As an alter of nothing but the reason does, in the call of a client. */
  private void open(ObserverContext<MasterCoprocessorEnvironment> ctx, TableName table) {
    TableDescriptor current = RIGHT;
    TableDescriptor forced =
        TableDescriptorBuilder.newBuilder(current).setValue("rowguard.force", "a test").build();
    RpcCall call =
        proxy(
            RpcCall.class,
            (self, method, arguments) ->
                method.getName().equals("getParam")
                    ? ModifyTableRequest.newBuilder()
                        .setTableName(ProtobufUtil.toProtoTableName(table))
                        .setTableSchema(ProtobufUtil.toTableSchema(forced))
                        .build()
                    : null);
    RpcServer.setCurrentCall(call);
    try {
      observer.postModifyTable(ctx, table, current, current);
    } finally {
      RpcServer.unsetCurrentCall();
    }
  }

  private static MasterServices withoutRegions(TableDescriptor table) {
    TableDescriptors descriptors =
        proxy(TableDescriptors.class, (self, method, arguments) -> table);
    return proxy(
        MasterServices.class,
        (self, method, arguments) -> {
          if (method.getName().equals("getTableDescriptors")) {
            return descriptors;
          }
          throw new IllegalStateException(method.getName());
        });
  }

  private long failedChecks() {
    return ((Counter) registry.get("failed_checks").orElseThrow()).getCount();
  }

  private static MasterServices failing(Throwable error) {
    InvocationHandler fails =
        (self, method, arguments) -> {
          throw error;
        };
    TableDescriptors descriptors = proxy(TableDescriptors.class, fails);
    return proxy(
        MasterServices.class,
        (self, method, arguments) ->
            method.getName().equals("getTableDescriptors")
                ? descriptors
                : fails.invoke(self, method, arguments));
  }

  private ObserverContext<MasterCoprocessorEnvironment> started(
      Class<? extends MasterCoprocessorEnvironment> type, MasterServices services) {
    MetricRegistries.global().remove(registry.getMetricRegistryInfo());
    MasterCoprocessorEnvironment environment =
        proxy(
            type,
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "getConfiguration" -> new Configuration(false);
                  case "getMetricRegistryForMaster" -> registry;
                  case "getMasterServices" -> services;
                  default -> null;
                });
    observer.start(environment);
    return contextOf(environment);
  }

  @SuppressWarnings("unchecked") // a proxy has no type arguments
  private static ObserverContext<MasterCoprocessorEnvironment> contextOf(
      MasterCoprocessorEnvironment environment) {
    return proxy(
        ObserverContext.class,
        (self, method, arguments) ->
            method.getName().equals("getCaller") ? Optional.empty() : environment);
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
