package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static io.rowguard.client.Tables.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.filter.CompareFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

/** {@code Table} as a whole, and its methods that are not the same in all releases. */
@ExtendWith(MiniCluster.class)
class TableMethodsIT {
  /** The one ends what the others need; HBase 2 tries the other again for minutes, given nulls. */
  private static final Set<String> OF_OTHER_TESTS = Set.of("close", "batchCoprocessorService");

  private HBaseTestingUtility hbase;
  private SaltedTable table;

  @BeforeEach
  void open(HBaseTestingUtility hbase) throws IOException {
    this.hbase = hbase;
    table = Tables.open(hbase);
  }

  @AfterEach
  void close() throws IOException {
    table.close();
    Tables.drop(hbase, table.getName());
  }

  /** What nobody implements throws "Add an implementation!". Given nulls, many fail otherwise. */
  @Test
  void everyMethodOfTable_anyRelease_isImplemented() throws IllegalAccessException {
    int failed = 0;
    for (Method method : Table.class.getMethods()) {
      if (OF_OTHER_TESTS.contains(method.getName())) {
        continue;
      }
      Object[] nothing =
          Arrays.stream(method.getParameterTypes())
              .map(type -> type == int.class ? (Object) 1 : type == long.class ? 1L : null)
              .toArray();
      try {
        method.invoke(table, nothing);
      } catch (InvocationTargetException e) {
        failed++;
        assertNotEquals("Add an implementation!", e.getCause().getMessage(), method.toString());
      }
    }
    assertTrue(failed > 20, "" + failed);
  }

  /** As frameworks do: all classes that a signature names have to be there. */
  @Test
  void reflection_onTheTable_findsItsMethods() {
    for (Class<?> type = table.getClass(); type != Object.class; type = type.getSuperclass()) {
      assertTrue(type.getDeclaredMethods().length > 0, type.getName());
    }
    assertTrue(
        Arrays.stream(SaltedTable.class.getMethods())
            .anyMatch(method -> method.toGenericString().contains("coprocessorService(")));
  }

  /** A service that is in all releases: on HBase 2 of com.google.protobuf, on 3 of the shaded. */
  private static final Class<?> SERVICE = MultiRowMutationEndpoint.class.getSuperclass();

  @Test
  @SuppressWarnings({"unchecked", "rawtypes"}) // releases have different bounds for a service
  void coprocessorService_rangeOfBareKeys_isRefusedAndOneRowFindsItsRegion() throws Throwable {
    byte[] from = bytes("a|0001");
    AtomicInteger calls = new AtomicInteger();
    Batch.Call call = service -> calls.incrementAndGet();
    Batch.Callback callback = (region, row, result) -> calls.incrementAndGet();
    Table raw = table;
    DoNotRetryIOException e =
        assertThrows(
            DoNotRetryIOException.class,
            () -> raw.coprocessorService((Class) SERVICE, from, null, call));
    assertTrue(e.getMessage().contains("lies in every bucket"), e.getMessage());
    assertThrows(
        DoNotRetryIOException.class,
        () -> raw.coprocessorService((Class) SERVICE, null, from, call, callback));
    assertEquals(0, calls.get());
    raw.coprocessorService((Class) SERVICE, null, null, call);
    assertEquals(5, calls.get());
    raw.coprocessorService((Class) SERVICE, null, null, call, callback);
    assertEquals(15, calls.get());
    assertNotNull(table.coprocessorService(from));
  }

  @Test
  void batchCoprocessorService_allRegions_answerAndARangeIsRefused() throws Throwable {
    Tables.load(hbase, table.getName(), MultiRowMutationEndpoint.class);
    Object service = new MultiRowMutationEndpoint();
    Object type = call(service.getClass(), service, "getDescriptorForType");
    Object method = ((List<?>) call(type.getClass(), type, "getMethods")).get(0);
    Object request = call(service.getClass(), service, "getRequestPrototype", method);
    Object answer = call(service.getClass(), service, "getResponsePrototype", method);
    String name = "batchCoprocessorService";
    int regions;
    try {
      regions =
          ((Map<?, ?>) call(Table.class, table, name, method, request, null, null, answer)).size();
    } catch (RetriesExhaustedWithDetailsException e) {
      // HBase 2 does not find its own services by their full names, which it sends here: no region.
      assertTrue(e.getCause(0).getMessage().contains("No registered coprocessor service"), "" + e);
      regions = e.getNumExceptions();
    }
    assertEquals(5, regions);
    byte[] key = bytes("a|0001");
    for (byte[][] range : new byte[][][] {{key, null}, {null, key}, {key, key}}) {
      DoNotRetryIOException e =
          assertThrows(
              DoNotRetryIOException.class,
              () -> call(Table.class, table, name, method, request, range[0], range[1], answer));
      assertTrue(e.getMessage().contains("lies in every bucket"), e.getMessage());
    }
  }

  /** Calls a method whose types have other names in another release. */
  private static Object call(Class<?> type, Object target, String name, Object... arguments)
      throws Throwable {
    for (Method method : type.getMethods()) {
      if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
        try {
          return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
          throw e.getCause();
        }
      }
    }
    throw new NoSuchMethodException(type + " " + name);
  }

  static boolean isHBase2() {
    return Arrays.stream(Table.class.getMethods())
        .anyMatch(method -> method.getName().equals("checkAndPut"));
  }

  /** HBase 3 has none of these methods any more. */
  @Test
  @EnabledIf("isHBase2")
  @SuppressWarnings("deprecation") // the old forms must go on working
  void checkAndMutate_formsOfHBase2_checkAndChangeTheSaltedRow() throws IOException {
    byte[] row = bytes("a|0001");
    table.put(put("a|0001", "1"));
    assertTrue(table.checkAndPut(row, F, Q, bytes("1"), put("a|0001", "2")));
    assertFalse(table.checkAndPut(row, F, Q, bytes("1"), put("a|0001", "3")));
    RowMutations toSix = RowMutations.of(List.of(put("a|0001", "6")));
    assertTrue(table.checkAndMutate(row, F, Q, CompareOperator.EQUAL, bytes("2"), toSix));
    assertFalse(table.checkAndMutate(row, F, Q, CompareFilter.CompareOp.EQUAL, bytes("2"), toSix));
    assertFalse(table.checkAndMutate(row, F, Q, CompareOperator.EQUAL, null, toSix));
    assertFalse(table.checkAndDelete(row, F, Q, bytes("5"), new Delete(row)));
    assertTrue(table.checkAndDelete(row, F, Q, bytes("6"), new Delete(row)));
    assertTrue(table.get(new Get(row)).isEmpty());
    assertTrue(table.checkAndMutate(row, F, Q, CompareOperator.EQUAL, null, toSix));
    assertEquals("6", Bytes.toString(table.get(new Get(row)).getValue(F, Q)));
  }

  /** As {@link #checkAndMutate_formsOfHBase2_checkAndChangeTheSaltedRow}. */
  @Test
  @EnabledIf("isHBase2")
  @SuppressWarnings("deprecation") // the setters that HBase 2 still has
  void timeouts_settersOfHBase2_setThoseOfTheTableBelow() {
    table.setReadRpcTimeout(90_000);
    table.setWriteRpcTimeout(80_000);
    table.setOperationTimeout(70_000);
    assertEquals(90_000, table.getReadRpcTimeout());
    assertEquals(80_000, table.getWriteRpcTimeout());
    assertEquals(70_000, table.getOperationTimeout());
  }
}
