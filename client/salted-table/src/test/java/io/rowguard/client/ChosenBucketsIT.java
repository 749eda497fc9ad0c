package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static io.rowguard.client.Tables.get;
import static io.rowguard.client.Tables.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tables whose writers choose the bucket; {@link EquivalenceIT} compares what they answer with one
 * without a salt.
 */
@ExtendWith(MiniCluster.class)
class ChosenBucketsIT {
  private static final String LAYOUT = "{salt:digits(1)=any of 8}-{user:word}";

  private HBaseTestingUtility hbase;
  private TableName name;
  private SaltedTable table;

  @BeforeEach
  void open(HBaseTestingUtility hbase) throws IOException {
    this.hbase = hbase;
    name = Tables.create(hbase, LAYOUT, "reject", "2", "4", "6");
    table = SaltedTable.open(hbase.getConnection(), name);
  }

  @AfterEach
  void close() throws IOException {
    table.close();
    Tables.drop(hbase, name);
  }

  /** The stored rows, each with the number of its cells. */
  private Map<String, Integer> stored() throws IOException {
    Map<String, Integer> stored = new TreeMap<>();
    try (Table salted = Tables.salted(hbase, name);
        var scanner = salted.getScanner(new Scan())) {
      for (Result result : scanner) {
        stored.put(Bytes.toString(result.getRow()), result.size());
      }
    }
    return stored;
  }

  private static Put column(String row, int column) {
    return new Put(bytes(row)).addColumn(F, Bytes.toBytes(column), Q);
  }

  @Test
  void put_oneHotRow_isSpreadOverAllBucketsAndReadAsOne() throws Exception {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      table.put(column("alice", i));
      table.batch(List.of(column("alice", 24 + i)), new Object[1]);
      puts.add(column("alice", 48 + i));
    }
    table.put(puts);
    Map<String, Integer> stored = stored();
    assertEquals(8, stored.size(), stored::toString);
    assertTrue(stored.values().stream().allMatch(cells -> cells == 9), stored::toString);
    assertEquals(72, table.get(get("alice")).size());
    assertEquals(List.of("alice"), Tables.rows(table, new Scan()));
    assertTrue(table.exists(get("alice")));
    table.delete(new Delete(bytes("alice")).addFamily(F));
    assertFalse(table.exists(get("alice")));
    assertEquals(Map.of(), stored());
  }

  @Test
  void versions_overAllBuckets_areTheNewest() throws IOException {
    for (int time = 1; time <= 20; time++) {
      table.put(new Put(bytes("alice"), time).addColumn(F, Q, Bytes.toBytes(time)));
    }
    Result all = table.get(get("alice").readAllVersions());
    assertEquals(3, all.size(), "the family keeps three");
    for (int i = 0; i < 3; i++) {
      assertEquals(20 - i, all.rawCells()[i].getTimestamp());
    }
    table.delete(new Delete(bytes("alice")).addColumn(F, Q, 20));
    assertEquals(19, Bytes.toInt(table.get(get("alice")).getValue(F, Q)));
  }

  @Test
  void actions_thatNeedTheWholeRow_areRefusedWithTheReason() throws IOException {
    byte[] alice = bytes("alice");
    Put put = put("alice", "v");
    Delete delete = new Delete(alice).addFamily(F);
    refused(
        "no bucket knows the value",
        () -> table.increment(new Increment(alice).addColumn(F, Q, 1)));
    refused("no bucket knows the value", () -> table.append(new Append(alice).addColumn(F, Q, Q)));
    CheckAndMutate check = CheckAndMutate.newBuilder(alice).ifNotExists(F, Q).build(put);
    refused("no bucket knows the value", () -> table.checkAndMutate(check));
    refused("no bucket knows the value", () -> table.checkAndMutate(List.of(check, check)));
    refused("which of all versions", () -> table.delete(new Delete(alice).addColumn(F, Q)));
    refused("not carried out as one", () -> table.mutateRow(RowMutations.of(List.of(put, delete))));
    refused(
        "no bucket knows",
        () -> table.batch(List.of(put, new Increment(alice).addColumn(F, Q, 1)), new Object[2]));
    refused("each sub-scan would give a part", () -> table.plan(new Scan()));
    refused("may lie in several regions", () -> RowGroup.of(table, alice).put(put).commit());
    assertThrows(IllegalArgumentException.class, () -> table.coprocessorService(alice));
    assertEquals(Map.of(), stored());
    table.mutateRow(RowMutations.of(List.of(put, column("alice", 1))));
    assertEquals(1, stored().size());
  }

  private interface Action {
    void run() throws Exception;
  }

  private static void refused(String reason, Action action) {
    DoNotRetryIOException e = assertThrows(DoNotRetryIOException.class, action::run);
    assertTrue(e.getMessage().startsWith("Writers choose the bucket"), e.getMessage());
    assertTrue(e.getMessage().contains(reason), e.getMessage());
  }

  @Test
  void connection_ofPrograms_servesThemLikeAnyTable() throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(hbase.getConfiguration());
        SaltedConnection salted = SaltedConnection.over(connection);
        Table shown = salted.getTable(name);
        BufferedMutator buffer = salted.getBufferedMutator(name);
        RegionLocator locator = salted.getRegionLocator(name)) {
      for (int i = 0; i < 16; i++) {
        buffer.mutate(column("bob", i));
        buffer.mutate(put("user" + i, "v"));
      }
      buffer.flush();
      assertEquals(16, shown.get(get("bob")).size());
      assertEquals(17, Tables.rows(shown, new Scan()).size());
      assertEquals(3, Tables.rows(shown, new Scan().setLimit(3)).size());
      buffer.mutate(new Delete(bytes("bob")));
      buffer.flush();
      assertFalse(shown.exists(get("bob")));
      assertEquals(16, Tables.rows(shown, new Scan()).size());
      assertEquals(
          locator.getRegionLocation(bytes("bob")).getRegion(),
          locator.getRegionLocation(bytes("bob")).getRegion());
    }
  }

  @Test
  void layout_getsMoreBuckets_openTablesGoOn() throws IOException {
    table.put(column("alice", 0));
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name))
                .setValue("rowguard.layout", LAYOUT.replace("8", "10"))
                .build());
    for (int i = 1; i < 20; i++) {
      table.put(column("alice", i));
    }
    assertEquals(20, table.get(get("alice")).size());
    assertEquals(List.of("alice"), Tables.rows(table, new Scan()));
    assertTrue(stored().containsKey("9-alice"), stored()::toString);
  }

  @Test
  void get_moreRowsThanAllowed_isRefused() throws IOException {
    try (SaltedTable few =
        SaltedTable.builder(hbase.getConnection(), name).setMaxBuckets(7).build()) {
      few.put(put("alice", "v"));
      DoNotRetryIOException e =
          assertThrows(DoNotRetryIOException.class, () -> few.get(new Get(bytes("alice"))));
      assertTrue(e.getMessage().contains("rows=8 rowguard.scan.max.buckets=7"), e.getMessage());
      assertThrows(DoNotRetryIOException.class, () -> few.getScanner(new Scan()));
    }
  }
}
