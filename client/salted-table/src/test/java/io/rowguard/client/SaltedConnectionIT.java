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

import io.rowguard.config.RawConnections;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SubstringComparator;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Programs whose hbase-site.xml names {@link SaltedConnection}. */
@ExtendWith(MiniCluster.class)
class SaltedConnectionIT {
  private static final String UNSALTED = "{user:word}|{item:digits(4)}";

  private final HBaseTestingUtility hbase;
  @RegisterExtension private final PropertyClient client;

  SaltedConnectionIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.client = new PropertyClient(hbase);
  }

  @Test
  void table_thatDerives_isReadAndWrittenWithBareKeys() throws IOException {
    Connection connection = client.connection();
    TableName name = client.create(Tables.LAYOUT, "reject", Tables.SPLITS);
    assertTrue(connection instanceof SaltedConnection, "" + connection);
    try (Table table = connection.getTable(name)) {
      table.put(List.of(put("alice|0001", "v"), put("bob|0001", "w")));
      assertEquals("v", Bytes.toString(table.get(get("alice|0001")).getValue(F, Q)));
      assertEquals(List.of("alice|0001", "bob|0001"), Tables.rows(table, new Scan()));
    }
    assertEquals(salted(Tables.LAYOUT, List.of("alice|0001", "bob|0001")), client.stored(name));
    // A table opened by hand is not salted twice.
    try (SaltedTable table = SaltedTable.open(connection, name)) {
      assertEquals(List.of("alice|0001", "bob|0001"), Tables.rows(table, new Scan()));
    }
  }

  @Test
  void tableBuilder_timeoutsAndThreads_areThoseOfTheTable() throws Exception {
    TableName name = client.create(Tables.LAYOUT, null, Tables.SPLITS);
    ExecutorService pool = Executors.newCachedThreadPool();
    try (Table table =
            client
                .connection()
                .getTableBuilder(name, pool)
                .setOperationTimeout(50_000)
                .setReadRpcTimeout(30_000)
                .setWriteRpcTimeout(40_000)
                .build();
        Table withPool = client.connection().getTable(name, pool)) {
      assertEquals(50, table.getOperationTimeout(TimeUnit.SECONDS));
      assertEquals(30, table.getReadRpcTimeout(TimeUnit.SECONDS));
      assertEquals(40, table.getWriteRpcTimeout(TimeUnit.SECONDS));
      table.put(List.of(put("alice|0001", "v"), put("bob|0001", "w")));
      assertEquals(2, Tables.rows(withPool, new Scan()).size());
    } finally {
      pool.shutdown();
    }
    assertTrue(pool.awaitTermination(1, TimeUnit.MINUTES));
    assertEquals(salted(Tables.LAYOUT, List.of("alice|0001", "bob|0001")), client.stored(name));
  }

  @Test
  void otherTables_ofAnyKind_areHBasesOwn() throws IOException {
    Connection connection = client.connection();
    TableName none = client.create(null, null);
    for (TableName name : List.of(none, TableName.META_TABLE_NAME)) {
      Connection own = SaltedConnection.raw(connection);
      try (Table expected = own.getTable(name);
          Table table = connection.getTable(name);
          Table built = connection.getTableBuilder(name, null).build();
          RegionLocator ownLocator = own.getRegionLocator(name);
          RegionLocator locator = connection.getRegionLocator(name);
          BufferedMutator ownMutator = own.getBufferedMutator(name);
          BufferedMutator mutator = connection.getBufferedMutator(name)) {
        assertSame(expected.getClass(), table.getClass());
        assertSame(expected.getClass(), built.getClass());
        assertSame(ownLocator.getClass(), locator.getClass());
        assertSame(ownMutator.getClass(), mutator.getClass());
      }
    }
  }

  @Test
  void table_thatIsNotThereOrWrong_isNotOpened() throws IOException {
    Connection connection = client.connection();
    TableName absent = TableName.valueOf("absent");
    assertThrows(TableNotFoundException.class, () -> connection.getTable(absent));
    assertThrows(TableNotFoundException.class, () -> connection.getBufferedMutator(absent));
    assertThrows(TableNotFoundException.class, () -> connection.getRegionLocator(absent));
    UncheckedIOException e =
        assertThrows(
            UncheckedIOException.class, () -> connection.getTableBuilder(absent, null).build());
    assertTrue(e.getCause() instanceof TableNotFoundException, "" + e);
    assertThrows(
        RuntimeException.class,
        () -> connection.getBufferedMutator(new BufferedMutatorParams(null)));
    assertThrows(NullPointerException.class, () -> SaltedConnection.over(null));

    TableName wrong = client.create("{user:wrod}", null);
    DoNotRetryIOException refusal =
        assertThrows(DoNotRetryIOException.class, () -> connection.getTable(wrong));
    assertTrue(refusal.getMessage().contains("table=" + wrong), refusal.getMessage());
    assertTrue(refusal.getMessage().contains("{user:wrod}"), refusal.getMessage());
  }

  /** Programs open further connections with the configuration of one, and expect the same. */
  @Test
  void connection_restOfIt_isThatOfHBasesOwn() throws IOException {
    Connection own = ConnectionFactory.createConnection(RawConnections.of(client.site()));
    try (SaltedConnection over = SaltedConnection.over(own)) {
      assertSame(over, SaltedConnection.over(over));
      assertSame(own.getConfiguration(), over.getConfiguration());
      assertEquals(own.getClusterId(), over.getClusterId());
      assertFalse(over.isClosed());
      assertFalse(over.isAborted());
      assertEquals(
          SaltedConnection.class.getName(),
          client.connection().getAdmin().getConfiguration().get(RawConnections.CONNECTION));
      over.abort("as a test", new IOException("for a test"));
      assertTrue(over.isAborted());
    }
    assertTrue(own.isClosed());
  }

  @Test
  void clearRegionLocationCache_always_hasLayoutsReadAnew() throws IOException {
    Connection connection = client.connection();
    TableName name = client.create(null, null);
    Class<?> own = connection.getTable(name).getClass();
    Tables.drop(hbase, name);
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .setValue("rowguard.layout", Tables.FOUR)
                .build());
    assertSame(own, connection.getTable(name).getClass());
    connection.clearRegionLocationCache();
    assertTrue(connection.getTable(name) instanceof SaltedTable);
  }

  /** A filter of the user's own, which lets everything pass. */
  public static class Blind extends FilterBase {
    @Override
    public ReturnCode filterCell(Cell cell) {
      return ReturnCode.INCLUDE;
    }

    @Override
    public byte[] toByteArray() {
      return new byte[0];
    }

    /** As HBase has it. */
    public static Blind parseFrom(byte[] bytes) {
      return new Blind();
    }
  }

  /** Another one, which no property names. */
  public static final class Unknown extends Blind {}

  @Test
  void filter_namedAsRowBlind_travelsAndOthersAreRefused() throws IOException {
    client.site().set("rowguard.filters.row.blind", Blind.class.getName());
    TableName name = client.create(Tables.LAYOUT, null, Tables.SPLITS);
    try (Table table = client.connection().getTable(name);
        SaltedTable opened = SaltedTable.open(client.connection(), name);
        SaltedTable byHand =
            SaltedTable.builder(client.connection(), name)
                .setLayout(RowkeyLayout.parse(Tables.LAYOUT))
                .build()) {
      Tables.fill(table, List.of("alice|0001", "bob|0001"));
      for (Table one : List.of(table, opened, byHand)) {
        assertEquals(2, Tables.rows(one, new Scan().setFilter(new Blind())).size());
        DoNotRetryIOException e =
            assertThrows(
                DoNotRetryIOException.class,
                () -> one.getScanner(new Scan().setFilter(new Unknown())));
        assertTrue(e.getMessage().contains("rowguard.filters.row.blind"), e.getMessage());
      }
    }
  }

  /** All that a salt would refuse or change, and keys that do not conform. */
  @Test
  void layoutWithoutSalt_whateverIsAsked_isAnsweredAsByHBasesOwnTable() throws Exception {
    String[] splits = {"b|", "c|"};
    TableName declared = client.create(UNSALTED, null, splits);
    TableName plain = client.create(null, null, splits);
    List<String> keys = new ArrayList<>(Tables.keys(5, 4));
    keys.addAll(List.of("a|0001", "b|0001", "b|0002", "c|0001", "not conforming", "~"));
    Filter ends = new WhileMatchFilter(new RowFilter(CompareOperator.LESS, ofRow("b|0002")));
    List<Scan> scans =
        List.of(
            new Scan(),
            new Scan().setFilter(new Unknown()),
            new Scan().setFilter(ends),
            new Scan().setFilter(new PageFilter(2)),
            new Scan().setFilter(new ColumnCountGetFilter(1)),
            new Scan()
                .setFilter(new RowFilter(CompareOperator.EQUAL, new SubstringComparator("01"))),
            new Scan().withStartRow(bytes("b|0002")).setReversed(true).setLimit(2),
            new Scan().setNeedCursorResult(true).setCaching(1),
            new Scan().setAllowPartialResults(true).setMaxResultSize(1));
    try (Table own = client.connection().getTable(plain);
        Table table = client.connection().getTable(declared)) {
      assertTrue(table instanceof SaltedTable, "" + table);
      for (Table one : List.of(own, table)) {
        Tables.fill(one, keys);
        one.delete(new Delete(bytes("~")));
      }
      for (Scan scan : scans) {
        assertEquals(
            Tables.rows(own, new Scan(scan)), Tables.rows(table, new Scan(scan)), "" + scan);
      }
      for (String key : keys) {
        assertEquals(
            value(own.get(get(key).setFilter(new Unknown()))),
            value(table.get(get(key).setFilter(new Unknown()))));
        assertEquals(own.exists(get(key)), table.exists(get(key)), key);
      }
      Scan metered = new Scan().setScanMetricsEnabled(true);
      assertEquals(counters(own, metered), counters(table, metered));
    }
    assertEquals(client.stored(plain), client.stored(declared));
  }

  private static BinaryComparator ofRow(String row) {
    return new BinaryComparator(bytes(row));
  }

  private static String value(Result result) {
    return Bytes.toString(result.getValue(F, Q));
  }

  /** How much a scan has read, and which counters there are. */
  private static String counters(Table table, Scan scan) throws IOException {
    try (ResultScanner scanner = table.getScanner(new Scan(scan))) {
      int rows = 0;
      while (scanner.next() != null) {
        rows++;
      }
      Map<String, Long> counters = scanner.getScanMetrics().getMetricsMap();
      return rows + " " + counters.get("ROWS_SCANNED") + new TreeSet<>(counters.keySet());
    }
  }

  /** Outcome of a call with something null: the class of its failure, or none. */
  private interface NullCall {
    void on(Table table) throws Exception;
  }

  private static String outcome(NullCall call, Table table) {
    try {
      call.on(table);
      return "none";
    } catch (Exception e) {
      return e.getClass().getName();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {Tables.LAYOUT, UNSALTED})
  @SuppressWarnings("deprecation") // the old forms must fail as they did
  void nullArguments_ofAnyMethod_failAsOnHBasesOwnTable(String layout) throws Exception {
    TableName salted = client.create(layout, null);
    TableName plain = client.create(null, null);
    byte[] row = bytes("alice|0001");
    CheckAndMutate check =
        CheckAndMutate.newBuilder(row).ifNotExists(F, Q).build(put("alice|0001", "v"));
    Map<String, NullCall> calls = new TreeMap<>();
    calls.put("get", table -> table.get((Get) null));
    calls.put("exists", table -> table.exists((Get) null));
    calls.put("put", table -> table.put((Put) null));
    calls.put("put list", table -> table.put(Arrays.asList(put("alice|0001", "v"), null)));
    calls.put("get list", table -> table.get(Arrays.asList(get("alice|0001"), null)));
    calls.put("exists list", table -> table.exists(Arrays.asList(get("alice|0001"), null)));
    calls.put("batch", table -> table.batch(Arrays.asList(get("a|0001"), null), new Object[2]));
    calls.put("delete list", table -> table.delete(new ArrayList<>(Arrays.asList((Delete) null))));
    calls.put("delete", table -> table.delete((Delete) null));
    calls.put("check list", table -> table.checkAndMutate(Arrays.asList(check, null)));
    calls.put("buffer", table -> buffer(table.getName(), Collections.singletonList(null)));
    calls.put(
        "buffer list", table -> buffer(table.getName(), Arrays.asList(put("a|0001", "v"), null)));
    calls.put("endpoint", table -> table.coprocessorService(null));
    calls.put("append", table -> table.append(null));
    calls.put("increment", table -> table.increment(null));
    calls.put("incrementColumnValue", table -> table.incrementColumnValue(null, F, Q, 1));
    calls.put("incrementColumnValue family", table -> table.incrementColumnValue(row, null, Q, 1));
    calls.put("mutateRow", table -> table.mutateRow(null));
    calls.put("checkAndMutate", table -> table.checkAndMutate((CheckAndMutate) null));
    calls.put("scan", table -> table.getScanner((Scan) null));
    calls.put("family", table -> table.getScanner((byte[]) null));
    calls.put("location", table -> table.getRegionLocator().getRegionLocation(null));
    calls.put("old check family", table -> table.checkAndMutate(row, (byte[]) null));
    calls.put("old check filter", table -> table.checkAndMutate(row, (Filter) null));
    calls.put(
        "old check row",
        table ->
            table.checkAndMutate(null, F).qualifier(Q).ifNotExists().thenPut(put("a|0001", "v")));
    calls.put(
        "old check value",
        table ->
            table.checkAndMutate(row, F).qualifier(Q).ifEquals(null).thenDelete(new Delete(row)));
    Map<String, String> own = new TreeMap<>();
    Map<String, String> bare = new TreeMap<>();
    try (Table ownTable = client.connection().getTable(plain);
        Table bareTable = client.connection().getTable(salted)) {
      calls.forEach((name, call) -> own.put(name, outcome(call, ownTable)));
      calls.forEach((name, call) -> bare.put(name, outcome(call, bareTable)));
    }
    assertEquals(own.toString().replace(", ", "\n"), bare.toString().replace(", ", "\n"));
    assertEquals(List.of(), client.stored(salted));
  }

  private void buffer(TableName name, List<? extends Mutation> mutations) throws IOException {
    try (BufferedMutator buffer = client.connection().getBufferedMutator(name)) {
      buffer.mutate(mutations);
    }
  }
}
