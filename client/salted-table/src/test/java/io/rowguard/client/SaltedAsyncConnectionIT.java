package io.rowguard.client;

import static io.rowguard.client.PropertyClient.salted;
import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static io.rowguard.client.Tables.get;
import static io.rowguard.client.Tables.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.WholeOnly;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The view of a program whose hbase-site.xml names {@link SaltedAsyncConnection}. */
@ExtendWith(MiniCluster.class)
class SaltedAsyncConnectionIT {
  private final HBaseTestingUtility hbase;
  @RegisterExtension private final PropertyClient client;

  SaltedAsyncConnectionIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.client = new PropertyClient(hbase);
  }

  /** Rows, batches, conditions, and scans of all three ways. */
  @WholeOnly(after = 3)
  @ParameterizedTest(name = "seed {0} {1}")
  @CsvSource(
      delimiter = ';',
      value = {
        "1;{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}",
        "2;{user:word}|{salt:hex(1)=murmur3(item)%4}.{item:digits(4)}",
        "3;{salt:digits(1)=any of 6}-{user:word}|{item:digits(4)}",
        "4;{user:word}|{item:digits(4)}"
      })
  void sameActions_onBothTables_giveTheSameAnswers(long seed, String layout) throws Exception {
    String[] splits = {"03-", "08-b", "a|", "b|2"};
    TableName name = client.create(layout, "reject", splits);
    // A page filter counts in each region, which is to be seen where nothing is derived.
    boolean sameRegions = !RowkeyLayout.parse(layout).hasDerivedSegments();
    TableName plain = client.create(null, null, sameRegions ? splits : new String[0]);
    Random random = new Random(seed);
    List<byte[]> pool = new ArrayList<>();
    for (String user : List.of("0", "a", "a0", "ab", "b", "ba", "z_")) {
      for (int item = 0; item < 8; item++) {
        pool.add(bytes(user + String.format("|%04d", item * item * 100)));
      }
    }
    pool.sort(Bytes.BYTES_COMPARATOR);
    TwinTables twins =
        new TwinTables(
            AsyncView.of(client.asyncConnection().getTable(plain), seed),
            AsyncView.of(client.asyncConnection().getTable(name), seed + 1),
            random,
            pool);
    for (int round = 0; round < 250; round++) {
      // See EquivalenceIT.
      if (round % 100 == 99 && !layout.contains("any of")) {
        hbase.flush(name);
        hbase.flush(plain);
      }
      twins.act("seed=" + seed + " round=" + round + " ");
    }
    twins.requireAllTheSame("seed=" + seed, 250);
    assertEquals(layout.contains("any of"), twins.refused() > 0, "refused=" + twins.refused());
  }

  @Test
  void writersChoose_oneRowOfManyColumns_liesInAllBucketsAndIsReadWhole() throws Exception {
    TableName name = client.create("{salt:digits(1)=any of 6}-{user:word}", "reject", "2", "4");
    AsyncTable<AdvancedScanResultConsumer> table = client.asyncConnection().getTable(name);
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      puts.add(new Put(bytes("alice")).addColumn(F, Bytes.toBytes(i), Q));
    }
    try (AsyncBufferedMutator buffer = client.asyncConnection().getBufferedMutator(name)) {
      List<CompletableFuture<Void>> written = buffer.mutate(puts);
      buffer.flush();
      for (CompletableFuture<Void> one : written) {
        AsyncView.get(one);
      }
      assertEquals(6, client.stored(name).size());
      assertEquals(12, table.get(get("alice")).get().size());
      assertEquals(List.of("alice"), Tables.rows(table.scanAll(new Scan()).get()));
      Increment increment = new Increment(bytes("alice")).addColumn(F, Q, 1);
      DoNotRetryIOException e =
          assertThrows(
              DoNotRetryIOException.class, () -> AsyncView.get(table.increment(increment)));
      assertTrue(e.getMessage().startsWith("Writers choose the bucket"), e.getMessage());
      CompletableFuture<Void> deleted = buffer.mutate(new Delete(bytes("alice")));
      buffer.flush();
      AsyncView.get(deleted);
    }
    assertEquals(List.of(), client.stored(name));
  }

  @Test
  void table_thatDerives_isReadAndWrittenWithBareKeys() throws Exception {
    AsyncConnection connection = client.asyncConnection();
    TableName name = client.create(Tables.LAYOUT, "reject", Tables.SPLITS);
    assertTrue(connection instanceof SaltedAsyncConnection, "" + connection);
    AsyncTable<AdvancedScanResultConsumer> table = connection.getTable(name);
    List<String> keys = List.of("alice|0001", "bob|0001");
    Tables.fill(table, keys);
    assertEquals(keys, Tables.rows(table.scanAll(new Scan()).get()));
    assertEquals(salted(Tables.LAYOUT, keys), client.stored(name));
    assertSame(connection, SaltedAsyncConnection.over(connection));
  }

  @Test
  void otherTables_ofAnyKind_areHBasesOwn() throws Exception {
    AsyncConnection connection = client.asyncConnection();
    TableName none = client.create(null, null);
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try (AsyncConnection own =
        ConnectionFactory.createAsyncConnection(hbase.getConfiguration()).get()) {
      for (TableName name : List.of(none, TableName.META_TABLE_NAME)) {
        assertSame(own.getTable(name).getClass(), connection.getTable(name).getClass());
        assertSame(own.getTable(name, pool).getClass(), connection.getTable(name, pool).getClass());
        assertSame(
            own.getRegionLocator(name).getClass(), connection.getRegionLocator(name).getClass());
        try (AsyncBufferedMutator ownBuffer = own.getBufferedMutator(name);
            AsyncBufferedMutator buffer = connection.getBufferedMutator(name)) {
          assertSame(ownBuffer.getClass(), buffer.getClass());
        }
      }
      assertSame(own.getAdmin().getClass(), connection.getAdmin().getClass());
    } finally {
      pool.shutdown();
    }
  }

  @Test
  void builders_options_areThoseOfTheObjects() throws Exception {
    AsyncConnection connection = client.asyncConnection();
    TableName name = client.create(Tables.LAYOUT, null, Tables.SPLITS);
    AsyncTable<?> table =
        connection
            .getTableBuilder(name)
            .setOperationTimeout(50, TimeUnit.SECONDS)
            .setScanTimeout(45, TimeUnit.SECONDS)
            .setRpcTimeout(20, TimeUnit.SECONDS)
            .setReadRpcTimeout(30, TimeUnit.SECONDS)
            .setWriteRpcTimeout(40, TimeUnit.SECONDS)
            .setRetryPause(20, TimeUnit.MILLISECONDS)
            .setMaxRetries(5)
            .setStartLogErrorsCnt(3)
            .build();
    assertEquals(50, table.getOperationTimeout(TimeUnit.SECONDS));
    assertEquals(45, table.getScanTimeout(TimeUnit.SECONDS));
    assertEquals(30, table.getReadRpcTimeout(TimeUnit.SECONDS));
    assertEquals(40, table.getWriteRpcTimeout(TimeUnit.SECONDS));
    assertEquals(name, table.getDescriptor().get().getTableName());
    try (AsyncBufferedMutator buffer =
        connection
            .getBufferedMutatorBuilder(name)
            .setWriteBufferSize(4_000)
            .setWriteBufferPeriodicFlush(7, TimeUnit.SECONDS)
            .setMaxAttempts(3)
            .build()) {
      assertEquals(4_000, buffer.getWriteBufferSize());
      assertEquals(7, buffer.getPeriodicalFlushTimeout(TimeUnit.SECONDS));
    }
  }

  @Test
  void rows_thatAreNoBareKeys_failTheirFuturesAndNothingIsSent() throws Exception {
    TableName name = client.create(Tables.LAYOUT, null, Tables.SPLITS);
    AsyncTable<?> table = client.asyncConnection().getTable(name);
    assertRefused(table.put(put("no bare key", "v")));
    assertRefused(table.get(get("no bare key")));
    for (CompletableFuture<Void> one :
        table.put(List.of(put("alice|0001", "v"), put("no bare key", "v")))) {
      assertRefused(one);
    }
    AsyncBufferedMutator buffer = client.asyncConnection().getBufferedMutator(name);
    for (CompletableFuture<Void> one :
        buffer.mutate(List.of(put("alice|0001", "v"), put("no bare key", "v")))) {
      assertRefused(one);
    }
    buffer.close();
    assertEquals(List.of(), client.stored(name));
  }

  private static void assertRefused(CompletableFuture<?> future) {
    DoNotRetryIOException e =
        assertThrows(DoNotRetryIOException.class, () -> AsyncView.get(future));
    assertTrue(e.getMessage().contains("no literal"), e.getMessage());
  }

  /** One call with something null or wrong. */
  private interface WrongCall {
    Object on(AsyncTable<AdvancedScanResultConsumer> table) throws Exception;
  }

  /** The class of the failure, and whether it is thrown at once. */
  private static String outcome(WrongCall call, AsyncTable<AdvancedScanResultConsumer> table) {
    Object answer;
    try {
      answer = call.on(table);
    } catch (Exception e) {
      return "throws " + e.getClass().getName();
    }
    if (!(answer instanceof CompletableFuture<?> future)) {
      return "none";
    }
    try {
      return "none " + AsyncView.get(future);
    } catch (IOException e) {
      return "fails " + e.getClass().getName();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Tables.LAYOUT, "{user:word}|{item:digits(4)}"})
  // The old forms must fail as they did; outcome() looks at the futures.
  @SuppressWarnings({"deprecation", "FutureReturnValueIgnored"})
  void wrongArguments_ofAnyMethod_failAsOnHBasesOwnTable(String layout) throws Exception {
    TableName salted = client.create(layout, null);
    TableName plain = client.create(null, null);
    byte[] row = bytes("alice|0001");
    CheckAndMutate check =
        CheckAndMutate.newBuilder(row).ifNotExists(F, Q).build(put("alice|0001", "v"));
    Map<String, WrongCall> calls = new TreeMap<>();
    calls.put("get", table -> table.get((Get) null));
    calls.put("put", table -> table.put((Put) null));
    calls.put("put nothing", table -> table.put(new Put(row)));
    calls.put("delete", table -> table.delete((Delete) null));
    calls.put("append", table -> table.append(null));
    calls.put("increment", table -> table.increment(null));
    calls.put("increment row", table -> table.incrementColumnValue(null, F, Q, 1));
    calls.put("increment family", table -> table.incrementColumnValue(row, null, Q, 1));
    calls.put("mutateRow", table -> table.mutateRow(null));
    calls.put("check", table -> table.checkAndMutate((CheckAndMutate) null));
    calls.put("scan", table -> table.scanAll(null));
    calls.put("scanner", table -> table.getScanner((Scan) null));
    calls.put("no such family", table -> table.get(get("a|0001").addFamily(bytes("nosuch"))));
    calls.put("write no such family", table -> table.put(new Put(row).addColumn(bytes("x"), Q, Q)));
    calls.put("old check family", table -> table.checkAndMutate(row, (byte[]) null));
    calls.put("old check filter", table -> table.checkAndMutate(row, (Filter) null));
    calls.put("old check row", table -> table.checkAndMutate(null, F));
    calls.put(
        "old check condition",
        table -> table.checkAndMutate(row, F).qualifier(Q).thenPut(put("alice|0001", "v")));
    calls.put("old check value", table -> table.checkAndMutate(row, F).qualifier(Q).ifEquals(null));
    calls.put("null in a list", table -> table.putAll(Arrays.asList(put("a|0001", "v"), null)));
    calls.put("null gets", table -> table.getAll(Arrays.asList(get("a|0001"), null)));
    calls.put("null puts", table -> table.put(Arrays.asList(put("a|0001", "v"), null)));
    calls.put("null deletes", table -> table.deleteAll(Arrays.asList(new Delete(row), null)));
    calls.put("null checks", table -> table.checkAndMutateAll(Arrays.asList(check, null)));
    calls.put("null actions", table -> table.batchAll(Arrays.asList(put("a|0001", "v"), null)));
    calls.put("null in a buffer", table -> buffer(table.getName(), null));
    calls.put("location", table -> table.getRegionLocator().getRegionLocation(null));
    calls.put("put nothing in a list", table -> table.putAll(List.of(new Put(row))));
    Map<String, String> own = new TreeMap<>();
    Map<String, String> bare = new TreeMap<>();
    AsyncTable<AdvancedScanResultConsumer> ownTable = client.asyncConnection().getTable(plain);
    AsyncTable<AdvancedScanResultConsumer> bareTable = client.asyncConnection().getTable(salted);
    calls.forEach((name, call) -> own.put(name, outcome(call, ownTable)));
    calls.forEach((name, call) -> bare.put(name, outcome(call, bareTable)));
    assertEquals(own.toString().replace(", ", "\n"), bare.toString().replace(", ", "\n"));
    assertEquals(List.of(), client.stored(salted));
  }

  private CompletableFuture<Void> buffer(TableName name, Mutation second) throws IOException {
    try (AsyncBufferedMutator buffer = client.asyncConnection().getBufferedMutator(name)) {
      return buffer.mutate(Arrays.asList(put("a|0001", "v"), second)).get(1);
    }
  }

  @Test
  @SuppressWarnings("deprecation") // existing code still uses them
  void oldConditions_onARow_decide() throws Exception {
    TableName name = client.create(Tables.LAYOUT, null, Tables.SPLITS);
    AsyncTable<?> table = client.asyncConnection().getTable(name);
    byte[] row = bytes("alice|0001");
    assertTrue(
        table
            .checkAndMutate(row, F)
            .qualifier(Q)
            .ifNotExists()
            .thenPut(put("alice|0001", "v"))
            .get());
    assertFalse(
        table.checkAndMutate(row, F).qualifier(Q).ifNotExists().thenDelete(new Delete(row)).get());
    assertTrue(
        table
            .checkAndMutate(row, F)
            .qualifier(Q)
            .ifEquals(bytes("v"))
            .thenPut(put("alice|0001", "w"))
            .get());
    assertEquals("w", Bytes.toString(table.get(new Get(row)).get().getValue(F, Q)));
    assertTrue(
        table
            .checkAndMutate(row, new RowFilter(CompareOperator.EQUAL, new BinaryComparator(row)))
            .thenDelete(new Delete(row))
            .get());
    assertThrows(
        DoNotRetryIOException.class,
        () ->
            AsyncView.get(
                table
                    .checkAndMutate(row, F)
                    .qualifier(Q)
                    .ifNotExists()
                    .thenPut(put("bob|0001", "v"))));
  }

  /** A client that has known the table before writes and reads through all steps of a change. */
  @Test
  void table_layoutChanges_staysTheSameForItsUser() throws Exception {
    TableName name = client.create(Tables.FOUR, "reject", "02-", "03-", "08-");
    TableName plain = client.create(null, null);
    Random random = new Random(11);
    List<byte[]> pool = new ArrayList<>();
    Tables.keys(12, 3).forEach(key -> pool.add(bytes(key)));
    TwinTables twins =
        new TwinTables(
            AsyncView.of(client.asyncConnection().getTable(plain), 11),
            AsyncView.of(client.asyncConnection().getTable(name), 12),
            random,
            pool);
    LayoutSteps steps = new LayoutSteps(hbase.getConnection(), name);
    for (int round = 0; round < 120; round++) {
      if (round == 40) {
        steps.prepare(RowkeyLayout.parse(Tables.LAYOUT));
      } else if (round == 80) {
        steps.move();
      }
      twins.act("round=" + round + " ");
    }
  }

  @Test
  void batch_withAFailure_failsThatFutureOnly() throws Exception {
    TableName name = client.create(Tables.LAYOUT, null, Tables.SPLITS);
    AsyncTable<?> table = client.asyncConnection().getTable(name);
    List<Row> actions =
        List.of(
            put("alice|0001", "v"),
            new Delete(bytes("bob|0001")).addColumn(bytes("nosuch"), Q),
            put("carol|0001", "v"));
    List<CompletableFuture<Object>> futures = table.batch(actions);
    AsyncView.get(futures.get(0));
    assertThrows(IOException.class, () -> AsyncView.get(futures.get(1)));
    AsyncView.get(futures.get(2));
    assertEquals(salted(Tables.LAYOUT, List.of("alice|0001", "carol|0001")), client.stored(name));
    assertEquals(0, table.batch(List.of()).size());
  }
}
