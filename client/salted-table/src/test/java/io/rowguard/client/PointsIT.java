package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static io.rowguard.client.Tables.get;
import static io.rowguard.client.Tables.put;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Reads and writes of single rows: they go to the salted row, and nothing of it is seen. */
@ExtendWith(MiniCluster.class)
class PointsIT {
  private HBaseTestingUtility hbase;
  private SaltedTable table;
  private Table salted;

  @BeforeEach
  void open(HBaseTestingUtility hbase) throws IOException {
    this.hbase = hbase;
    table = Tables.open(hbase);
    salted = Tables.salted(hbase, table.getName());
  }

  @AfterEach
  void close() throws IOException {
    table.close();
    salted.close();
    Tables.drop(hbase, table.getName());
  }

  @Test
  void put_bareKey_isStoredUnderTheSaltedRowAndReadBare() throws IOException {
    table.put(put("alice|0001", "v").setTTL(100_000));
    assertArrayEquals(bytes("alice|0001"), table.get(get("alice|0001")).getRow());
    assertEquals("v", Bytes.toString(table.get(get("alice|0001")).getValue(F, Q)));
    byte[] row = Tables.complete("alice|0001");
    assertArrayEquals(row, table.saltedRow(bytes("alice|0001")));
    assertEquals(List.of(Bytes.toStringBinary(row)), Tables.rows(salted, new Scan()));
    assertTrue(table.exists(get("alice|0001")));
    assertFalse(table.exists(get("alice|0002")));
    assertTrue(table.get(get("alice|0002")).isEmpty());
  }

  @Test
  void mutations_given_areNotChanged() throws IOException {
    Put put = put("alice|0001", "v").setDurability(Durability.SKIP_WAL);
    put.setAttribute("a", bytes("b"));
    Cell before = put.getFamilyCellMap().get(F).get(0);
    table.put(put);
    assertArrayEquals(bytes("alice|0001"), put.getRow());
    assertSame(before, put.getFamilyCellMap().get(F).get(0));
    assertEquals(1, put.getAttributesMap().size());
  }

  @Test
  void everyOperation_noBareKey_isRefusedAndSaysWhy() throws IOException {
    table.put(put("alice|0001", "v"));
    String salted = Bytes.toStringBinary(Tables.complete("alice|0001"));
    DoNotRetryIOException e =
        assertThrows(DoNotRetryIOException.class, () -> table.get(get(salted)));
    assertTrue(e.getMessage().contains("whose bare key is \"alice|0001\""), e.getMessage());
    e = assertThrows(DoNotRetryIOException.class, () -> table.put(put("alice", "v")));
    assertTrue(e.getMessage().contains("table=" + table.getName()), e.getMessage());
    assertTrue(e.getMessage().contains("no literal \"|\""), e.getMessage());
    assertThrows(DoNotRetryIOException.class, () -> table.delete(new Delete(bytes("alice"))));
    List<Put> puts = Arrays.asList(put("bob|0001", "v"), put("bob", "v"));
    assertThrows(DoNotRetryIOException.class, () -> table.put(puts));
    assertTrue(table.get(get("bob|0001")).isEmpty());
    byte[] alice = bytes("alice");
    assertThrows(IllegalArgumentException.class, () -> table.coprocessorService(alice));
  }

  @Test
  void incrementAppendMutateRow_bareKey_answerBare() throws IOException {
    Result counted = table.increment(new Increment(bytes("a|0001")).addColumn(F, Q, 5));
    assertArrayEquals(bytes("a|0001"), counted.getRow());
    assertEquals(7, table.incrementColumnValue(bytes("a|0001"), F, Q, 2));
    Result appended = table.append(new Append(bytes("b|0001")).addColumn(F, Q, bytes("x")));
    assertEquals("b|0001", Bytes.toString(appended.getRow()));
    assertNull(
        table
            .append(new Append(bytes("b|0001")).addColumn(F, Q, bytes("y")).setReturnResults(false))
            .getRow());
    assertEquals("xy", Bytes.toString(table.get(get("b|0001")).getValue(F, Q)));
    RowMutations mutations =
        RowMutations.of(
            List.of(put("b|0001", "z"), new Increment(bytes("b|0001")).addColumn(F, F, 3)));
    Result mutated = table.mutateRow(mutations);
    assertEquals("b|0001", Bytes.toString(mutated.getRow()));
    assertEquals(3, Bytes.toLong(mutated.getValue(F, F)));
    assertEquals("z", Bytes.toString(table.get(get("b|0001")).getValue(F, Q)));
  }

  @Test
  @SuppressWarnings("deprecation") // the old forms must go on working
  void checkAndMutate_allForms_checkAndChangeTheSaltedRow() throws IOException {
    byte[] row = bytes("a|0001");
    Put one = put("a|0001", "1");
    assertTrue(
        table
            .checkAndMutate(CheckAndMutate.newBuilder(row).ifNotExists(F, Q).build(one))
            .isSuccess());
    assertFalse(
        table
            .checkAndMutate(CheckAndMutate.newBuilder(row).ifNotExists(F, Q).build(one))
            .isSuccess());
    CheckAndMutateResult counted =
        table.checkAndMutate(
            CheckAndMutate.newBuilder(row)
                .ifMatches(new RowFilter(CompareOperator.EQUAL, new BinaryComparator(row)))
                .build(new Increment(row).addColumn(F, F, 9)));
    assertTrue(counted.isSuccess());
    assertEquals("a|0001", Bytes.toString(counted.getResult().getRow()));
    assertTrue(
        table.checkAndMutate(row, F).qualifier(Q).ifEquals(bytes("1")).thenPut(put("a|0001", "4")));
    assertTrue(
        table
            .checkAndMutate(row, new RowFilter(CompareOperator.EQUAL, new BinaryComparator(row)))
            .thenMutate(RowMutations.of(List.of(put("a|0001", "5")))));
    assertFalse(
        table.checkAndMutate(row, F).qualifier(Q).ifNotExists().thenDelete(new Delete(row)));
    assertTrue(
        table
            .checkAndMutate(row, F)
            .qualifier(Q)
            .ifMatches(CompareOperator.GREATER, bytes("9"))
            .thenDelete(new Delete(row)));
    assertTrue(table.get(new Get(row)).isEmpty());
    List<CheckAndMutateResult> many =
        table.checkAndMutate(
            List.of(
                CheckAndMutate.newBuilder(row).ifNotExists(F, Q).build(one),
                CheckAndMutate.newBuilder(bytes("b|0001"))
                    .ifEquals(F, Q, bytes("x"))
                    .build(put("b|0001", "y"))));
    assertTrue(many.get(0).isSuccess());
    assertFalse(many.get(1).isSuccess());
  }

  @Test
  void batch_everyKindOfAction_answersUnderBareKeys() throws Exception {
    table.put(put("a|0001", "1"));
    List<Row> actions =
        List.of(
            get("a|0001"),
            put("b|0001", "2"),
            new Increment(bytes("c|0001")).addColumn(F, Q, 4),
            RowMutations.of(List.of(put("d|0001", "5"))),
            CheckAndMutate.newBuilder(bytes("e|0001"))
                .ifNotExists(F, Q)
                .build(new Append(bytes("e|0001")).addColumn(F, Q, bytes("6"))));
    Object[] results = new Object[actions.size()];
    table.batch(actions, results);
    assertEquals("a|0001", Bytes.toString(((Result) results[0]).getRow()));
    assertTrue(((Result) results[1]).isEmpty());
    assertEquals("c|0001", Bytes.toString(((Result) results[2]).getRow()));
    CheckAndMutateResult checked = (CheckAndMutateResult) results[4];
    assertEquals("e|0001", Bytes.toString(checked.getResult().getRow()));
    Map<String, String> called = Collections.synchronizedMap(new TreeMap<>());
    table.batchCallback(
        List.of(get("a|0001"), get("b|0001")),
        new Object[2],
        (byte[] region, byte[] row, Result result) ->
            called.put(Bytes.toString(row), Bytes.toString(result.getRow())));
    assertEquals(Map.of("a|0001", "a|0001", "b|0001", "b|0001"), called);
    assertEquals(
        List.of("a|0001", "b|0001"),
        Arrays.stream(table.get(List.of(get("a|0001"), get("b|0001"))))
            .map(result -> Bytes.toString(result.getRow()))
            .toList());
    assertArrayEquals(
        new boolean[] {true, false}, table.exists(List.of(get("a|0001"), get("x|0001"))));
  }

  /**
   * HBase's own table is asked too: in 3.0 its error knows no actions, and it leaves a list of
   * deletes as it is.
   */
  @Test
  void batch_someFail_theErrorNamesTheCallersOwnActions() throws IOException {
    Put good = put("a|0001", "1");
    Put bad = new Put(bytes("b|0001")).addColumn(bytes("nosuch"), Q, Q);
    Object[] results = new Object[2];
    RetriesExhaustedException e =
        assertThrows(
            RetriesExhaustedException.class, () -> table.batch(List.of(good, bad), results));
    assertTrue(results[0] instanceof Result, "" + results[0]);
    assertTrue(results[1] instanceof IOException, "" + results[1]);
    List<Delete> deletes = deletes(bytes("a|0001"), bytes("b|0001"));
    Delete failing = deletes.get(1);
    List<Delete> left = new ArrayList<>(deletes);
    IOException ofDeletes = assertThrows(IOException.class, () -> table.delete(left));
    List<Delete> plain = deletes(Tables.complete("a|0001"), Tables.complete("b|0001"));
    IOException ofPlain = assertThrows(IOException.class, () -> salted.delete(plain));
    assertEquals(ofPlain.getClass(), ofDeletes.getClass());
    assertEquals(plain.size() == 1 ? List.of(failing) : deletes, left);
    if (ofPlain instanceof RetriesExhaustedWithDetailsException) {
      assertSame(failing, ((RetriesExhaustedWithDetailsException) ofDeletes).getRow(0));
      assertEquals(1, ((RetriesExhaustedWithDetailsException) e).getNumExceptions());
      assertSame(bad, ((RetriesExhaustedWithDetailsException) e).getRow(0));
    }
  }

  /** Two deletes, of which the second names a family that the table does not have. */
  private static List<Delete> deletes(byte[] first, byte[] second) {
    return new ArrayList<>(
        List.of(new Delete(first), new Delete(second).addColumn(bytes("nosuch"), Q)));
  }

  @Test
  void regionLocator_bareKey_isInARangeOfBareKeysWhereItsSaltedRowIs() throws IOException {
    byte[] row = Tables.complete("alice|0001");
    RegionInfo stored =
        hbase.getConnection().getRegionLocator(table.getName()).getRegionLocation(row).getRegion();
    RegionInfo range = table.getRegionLocator().getRegionLocation(bytes("alice|0001")).getRegion();
    assertEquals(stored.getRegionNameAsString(), range.getRegionNameAsString());
    assertTrue(range.containsRow(bytes("alice|0001")));
  }

  @Test
  void open_noLayoutDeclared_saysSoAndTakesOneByHand() throws IOException {
    TableName name = Tables.create(hbase, null, null);
    DoNotRetryIOException e =
        assertThrows(
            DoNotRetryIOException.class, () -> SaltedTable.open(hbase.getConnection(), name));
    assertTrue(e.getMessage().contains("declares no layout"), e.getMessage());
    try (SaltedTable byHand =
        SaltedTable.builder(hbase.getConnection(), name)
            .setLayout(RowkeyLayout.parse("{id:word}|{check:hex(2)=md5(id)}"))
            .build()) {
      byHand.put(put("a|", "v"));
      assertEquals(List.of("a|"), Tables.rows(byHand, new Scan()));
    }
    Tables.drop(hbase, name);
  }

  @Test
  void close_always_leavesTheConnectionOpen() throws IOException {
    SaltedTable.builder(hbase.getConnection(), table.getName()).setThreads(2).build().close();
    table.put(put("a|0001", "1"));
    assertFalse(hbase.getConnection().isClosed());
  }

  @Test
  void timeouts_set_areThoseOfTheTableBelow() throws IOException {
    try (SaltedTable quick =
        SaltedTable.builder(hbase.getConnection(), table.getName())
            .setOperationTimeout(50_000)
            .setReadRpcTimeout(30_000)
            .setWriteRpcTimeout(40_000)
            .build()) {
      assertEquals(50, quick.getOperationTimeout(TimeUnit.SECONDS));
      assertEquals(30, quick.getReadRpcTimeout(TimeUnit.SECONDS));
      assertEquals(40, quick.getWriteRpcTimeout(TimeUnit.SECONDS));
      assertEquals(2, quick.getDescriptor().getColumnFamilyCount());
    }
  }

  @Test
  void batch_resultsOfAnotherLength_isRefusedBeforeAnythingIsSent() throws IOException {
    List<Row> actions = List.of(put("a|0001", "1"));
    Object[] results = new Object[2];
    assertThrows(IllegalArgumentException.class, () -> table.batch(actions, results));
    assertFalse(table.exists(get("a|0001")));
  }
}
