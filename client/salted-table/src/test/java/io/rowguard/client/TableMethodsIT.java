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
import io.rowguard.testing.TestLog;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.coprocessor.Batch;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.filter.CompareFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /**
   * Methods without an implementation throw "Add an implementation!". Given nulls, many fail
   * otherwise.
   */
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

  private interface Call {
    Object on(Table table) throws Exception;
  }

  /** How a call ends: with its answer, or with what it throws. HBase 2 wraps that of a batch. */
  private static String outcome(Table table, Call call) {
    try {
      return String.valueOf(call.on(table));
    } catch (DoNotRetryIOException e) {
      return DoNotRetryIOException.class.getName();
    } catch (RetriesExhaustedWithDetailsException e) {
      return e.getCause(0).getClass().getName();
    } catch (Exception e) {
      return e + " by " + e.getCause();
    }
  }

  /** Remembers with which durability a row was last written. */
  public static final class LastDurability implements RegionCoprocessor, RegionObserver {
    private static volatile Durability seen;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preBatchMutate(
        ObserverContext<RegionCoprocessorEnvironment> context,
        MiniBatchOperationInProgress<Mutation> batch) {
      seen = batch.getOperation(0).getDurability();
    }
  }

  @Test
  void incrementColumnValue_anyArguments_endsAsOnHBasesOwnTable() throws IOException {
    Tables.load(hbase, table.getName(), LastDurability.class);
    byte[] row = bytes("a|0001");
    List<Call> calls =
        List.of(
            t -> t.incrementColumnValue(null, F, Q, 1),
            t -> t.incrementColumnValue(null, F, Q, 1, Durability.SKIP_WAL),
            t -> t.incrementColumnValue(row, null, Q, 1),
            t -> t.incrementColumnValue(row, F, Q, 1) + " " + LastDurability.seen,
            t ->
                t.incrementColumnValue(row, F, Q, 1, Durability.SKIP_WAL)
                    + " "
                    + LastDurability.seen);
    try (Table own = Tables.salted(hbase, table.getName())) {
      for (Call call : calls) {
        assertEquals(outcome(own, call), outcome(table, call));
      }
    }
    assertEquals(Durability.SKIP_WAL, LastDurability.seen);
  }

  @Test
  @SuppressWarnings("deprecation") // the old forms must go on working
  void checkAndMutate_actionOnAnotherRow_failsAsOnHBasesOwnTable() throws IOException {
    byte[] row = bytes("a|0001");
    Delete delete = new Delete(bytes("b|0001"));
    RowMutations mutations = RowMutations.of(List.of(put("b|0001", "2")));
    Filter filter = new FirstKeyOnlyFilter();
    List<Call> calls =
        List.of(
            t -> t.checkAndMutate(row, F).qualifier(Q).ifNotExists().thenPut(put("b|0001", "2")),
            t -> t.checkAndMutate(row, F).qualifier(Q).ifNotExists().thenDelete(delete),
            t -> t.checkAndMutate(row, F).qualifier(Q).ifNotExists().thenMutate(mutations),
            t -> t.checkAndMutate(row, filter).thenPut(put("b|0001", "2")),
            t -> t.checkAndMutate(row, filter).thenDelete(delete),
            t -> t.checkAndMutate(row, filter).thenMutate(mutations));
    try (Table own = Tables.salted(hbase, table.getName())) {
      for (Call call : calls) {
        assertEquals(outcome(own, call), outcome(table, call));
        Exception e = assertThrows(DoNotRetryIOException.class, () -> call.on(table));
        assertTrue(e.getMessage().contains("row=\"a|0001\" actionRow=\"b|0001\""), "" + e);
      }
    }
    assertFalse(table.exists(new Get(bytes("b|0001"))));
  }

  /** HBase 2 takes none; 3.0.0 would wait for one for ever. */
  @Test
  void batchCallback_noCallback_isABatch() throws Exception {
    table.put(put("a|0001", "1"));
    long before = Files.size(TestLog.path());
    Object[] results = new Object[2];
    table.batchCallback(List.of(new Get(bytes("a|0001")), new Get(bytes("b|0001"))), results, null);
    assertEquals("a|0001", Bytes.toString(((Result) results[0]).getRow()));
    assertTrue(((Result) results[1]).isEmpty());
    try (InputStream log = Files.newInputStream(TestLog.path())) {
      log.skipNBytes(before);
      String logged = new String(log.readAllBytes(), StandardCharsets.UTF_8);
      assertFalse(logged.contains("User callback threw an exception"), logged);
    }
  }

  /** With a timeout, HBase 2 gives a table threads of its own, which end when it is closed. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void close_scannerIsOpen_goesOnWhereThatOfHBasesOwnTableDoes(boolean withTimeout)
      throws IOException {
    Tables.fill(table, Tables.keys(60, 2));
    Connection connection = hbase.getConnection();
    TableName name = table.getName();
    Table own =
        withTimeout
            ? connection.getTableBuilder(name, null).setOperationTimeout(50_000).build()
            : connection.getTable(name);
    SaltedTable salted =
        withTimeout
            ? SaltedTable.builder(connection, name).setOperationTimeout(50_000).build()
            : SaltedTable.open(connection, name);
    Call closeWhileScanning =
        t -> {
          try (ResultScanner scanner = t.getScanner(new Scan().setCaching(2))) {
            int rows = scanner.next() == null ? 0 : 1;
            t.close();
            while (scanner.next() != null) {
              rows++;
            }
            return rows;
          } catch (RuntimeException e) {
            return e.getClass();
          }
        };
    String ends = outcome(salted, closeWhileScanning);
    assertEquals(outcome(own, closeWhileScanning), ends);
    assertTrue(withTimeout || ends.equals("120"), ends);
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
    assertThrows(
        DoNotRetryIOException.class,
        () -> table.checkAndPut(row, F, Q, bytes("6"), put("b|0001", "7")));
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
