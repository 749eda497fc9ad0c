package io.rowguard.master;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.master.MasterServices;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

/** What the observer does when it cannot do its work: HBase aborts a master for less. */
class FailingMasterTest {
  private static final TableName ORDERS = TableName.valueOf("orders");
  private static final TableDescriptor WRONG =
      TableDescriptorBuilder.newBuilder(ORDERS)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
          .setValue("rowguard.layout", "{")
          .build();
  private static final RegionInfo[] REGIONS = {RegionInfoBuilder.newBuilder(ORDERS).build()};

  private final MetricRegistry registry =
      MetricRegistries.global()
          .create(new MetricRegistryInfo("FailingMasterTest", "a test's", "Test", "test", false));
  private final LayoutMasterObserver observer = new LayoutMasterObserver();

  /** What HBase hands to coprocessors that it does not count among its own. */
  private interface OtherEnvironment extends MasterCoprocessorEnvironment {}

  /** What it hands to its own. */
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

  private long failedChecks() {
    return ((Counter) registry.get("failed_checks").orElseThrow()).getCount();
  }

  private static MasterServices failing(Throwable error) {
    return proxy(
        MasterServices.class,
        (self, method, arguments) -> {
          throw error;
        });
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
