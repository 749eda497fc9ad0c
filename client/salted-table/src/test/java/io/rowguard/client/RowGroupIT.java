package io.rowguard.client;

import static io.rowguard.client.GroupTables.number;
import static io.rowguard.client.GroupTables.put;
import static io.rowguard.client.GroupTables.snapshot;
import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.G;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions and snapshots of one entity group. */
@ExtendWith(MiniCluster.class)
class RowGroupIT {
  private static final byte[] ALICE = bytes("alice");

  private final HBaseTestingUtility hbase;
  private TableName name;
  private SaltedTable table;

  RowGroupIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  private void open(String layout, String mode) throws IOException {
    name = GroupTables.create(hbase, layout, mode, LostCommits.class);
    table = SaltedTable.open(hbase.getConnection(), name);
  }

  @AfterEach
  void drop() throws IOException {
    LostCommits.LEFT.set(0);
    table.close();
    Tables.drop(hbase, name);
  }

  private RowGroup alice() throws IOException {
    return RowGroup.of(table, ALICE);
  }

  /** Moves what is in one row to another. */
  private GroupTransaction transfer(long amount) throws IOException {
    return alice()
        .when(bytes("alice|0001"))
        .column(F, Q)
        .is(CompareOperator.GREATER_OR_EQUAL, number(amount))
        .when(bytes("alice|0003"))
        .column(F, Q)
        .doesNotExist()
        .put(put("alice|0001", 0))
        .put(put("alice|0002", amount));
  }

  private Map<String, Long> transferred(long amount) {
    return Map.of("alice|0001", 0L, "alice|0002", amount);
  }

  @Test
  void commit_conditionsOnSeveralRows_allOrNothing() throws Exception {
    for (String layout : List.of(GroupTables.SALTED, GroupTables.PLAIN)) {
      for (String mode : new String[] {null, "reject", "salt"}) {
        if (layout.equals(GroupTables.PLAIN) && "salt".equals(mode)) {
          continue; // there is no salt
        }
        open(layout, mode);
        table.put(put("alice|0001", 99));
        assertFalse(transfer(100).commit());
        assertEquals(Map.of("alice|0001", 99L), snapshot(alice()));

        table.put(put("alice|0001", 100));
        assertTrue(transfer(100).commit());
        assertEquals(transferred(100), snapshot(alice()));

        table.put(put("alice|0003", 7));
        assertFalse(transfer(0).commit());
        assertTrue(
            alice().delete(new Delete(bytes("alice|0003"))).put(put("alice|0004", 4)).commit());
        assertNull(number(table, "alice|0003"));
        drop();
      }
    }
    open(GroupTables.SALTED, null);
  }

  /** Bare keys go into a transaction also where the table is HBase's own. */
  @Test
  void commit_onHBasesTable_writesTheSameRows() throws Exception {
    open(GroupTables.SALTED, "reject");
    table.put(put("alice|0001", 100));
    try (Table raw = hbase.getConnection().getTable(name)) {
      assertTrue(
          RowGroup.of(raw, ALICE)
              .when(bytes("alice|0001"))
              .column(F, Q)
              .exists()
              .put(put("alice|0002", 2))
              .commit());
    }
    assertEquals(2, number(table, "alice|0002"));
  }

  @Test
  void is_eachOperator_comparesTheStoredValueWithTheGivenOne() throws Exception {
    open(GroupTables.SALTED, null);
    table.put(put("alice|0001", 5));
    for (CompareOperator operator : CompareOperator.values()) {
      if (operator == CompareOperator.NO_OP) {
        continue;
      }
      for (long given = 4; given <= 6; given++) {
        boolean expected = holds(5, operator, given);
        boolean done =
            alice()
                .when(bytes("alice|0001"))
                .column(F, Q)
                .is(operator, number(given))
                .put(put("alice|0002", given))
                .commit();
        assertEquals(expected, done, "5 " + operator + " " + given);
      }
    }
  }

  private static boolean holds(long stored, CompareOperator operator, long given) {
    switch (operator) {
      case LESS:
        return stored < given;
      case LESS_OR_EQUAL:
        return stored <= given;
      case EQUAL:
        return stored == given;
      case NOT_EQUAL:
        return stored != given;
      case GREATER_OR_EQUAL:
        return stored >= given;
      default:
        return stored > given;
    }
  }

  @Test
  void exists_emptyValue_countsAsNone() throws Exception {
    open(GroupTables.SALTED, null);
    table.put(put("alice|0001", new byte[0]));
    table.put(put("alice|0002", new byte[1]));
    for (String row : List.of("alice|0001", "alice|0002", "alice|0003")) {
      boolean expected = row.equals("alice|0002");
      byte[] key = bytes(row);
      assertEquals(
          expected, alice().when(key).column(F, Q).exists().put(put("alice|0009", 1)).commit());
      assertEquals(
          !expected,
          alice().when(key).column(F, Q).doesNotExist().put(put("alice|0009", 2)).commit());
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> alice().when(ALICE).column(F, Q).is(CompareOperator.EQUAL, new byte[0]));
  }

  @Test
  void commit_rowOfAnotherGroup_isRefusedWithBothNamed() throws Exception {
    open(GroupTables.SALTED, null);
    for (GroupTransaction strange :
        List.of(
            alice().put(put("alice|0001", 1)).put(put("bob|0001", 1)),
            alice().put(put("alice|0001", 1)).when(bytes("bob|0001")).column(F, Q).exists(),
            alice().put(put("alice|0001", 1)).receipt(bytes("bob|0001"), G))) {
      String message = assertThrows(DoNotRetryIOException.class, strange::commit).getMessage();
      assertTrue(message.contains("group=\"alice\""), message);
      assertTrue(message.contains("rowGroup=\"bob\""), message);
    }
    DoNotRetryIOException noKey =
        assertThrows(DoNotRetryIOException.class, alice().put(put("alice", 1))::commit);
    assertTrue(noKey.getMessage().contains("takes bare keys"), noKey.getMessage());
    assertEquals(List.of(), Tables.rows(table, new Scan()));
  }

  @Test
  void commit_tableWithoutEndpoint_saysHowToLoadIt() throws Exception {
    name = Tables.create(hbase, GroupTables.SALTED, null, "08-");
    table = SaltedTable.open(hbase.getConnection(), name);
    String noGroup =
        assertThrows(DoNotRetryIOException.class, alice().put(put("alice|0001", 1))::commit)
            .getMessage();
    assertTrue(noGroup.contains("Declare rowguard.group"), noGroup);
    table.close();
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name))
                .setValue("rowguard.group", "user")
                .build());
    table = SaltedTable.open(hbase.getConnection(), name);

    String noEndpoint =
        assertThrows(DoNotRetryIOException.class, alice().put(put("alice|0001", 1))::commit)
            .getMessage();

    assertTrue(noEndpoint.contains(MultiRowMutationEndpoint.class.getName()), noEndpoint);
    assertTrue(noEndpoint.contains("alter '" + name), noEndpoint);
  }

  @Test
  void commit_answerLost_isFoundOutByItsReceipt() throws Exception {
    open(GroupTables.SALTED, "reject");
    table.put(put("alice|0001", 100));
    LostCommits.LEFT.set(1);

    assertTrue(transfer(100).receipt(bytes("alice|0009"), G).commit());

    assertEquals(0, LostCommits.LEFT.get());
    assertEquals(transferred(100), snapshot(alice()));
    assertFalse(transfer(100).receipt(bytes("alice|0009"), G).commit());
  }

  /** HBase's client sends it again, when its conditions fail for what it did itself. */
  @Test
  void commit_answerLostWithoutReceipt_isUnknown() throws Exception {
    open(GroupTables.SALTED, "reject");
    table.put(put("alice|0001", 100));
    LostCommits.LEFT.set(1);

    CommitUnknownException unknown =
        assertThrows(CommitUnknownException.class, transfer(100)::commit);

    assertNull(unknown.receipt());
    assertEquals(transferred(100), snapshot(alice()));
  }

  @Test
  void settle_beforeTheTransactionArrives_keepsItFromBeingCarriedOut() throws Exception {
    open(GroupTables.SALTED, "reject");
    CommitReceipt receipt =
        new CommitReceipt.Place(table.groups(), bytes("alice|0009"), G, 1_000_000).next();
    assertFalse(receipt.settle());

    assertFalse(
        alice()
            .when(receipt.condition().row())
            .column(G, bytes("rowguard.receipt." + receipt.id()))
            .doesNotExist()
            .put(receipt.put())
            .put(put("alice|0001", 1))
            .commit());

    assertFalse(receipt.settle());
    assertNull(number(table, "alice|0001"));
  }

  @Test
  void settle_tooLate_isNoAnswer() throws Exception {
    open(GroupTables.SALTED, null);
    CommitReceipt receipt =
        new CommitReceipt.Place(table.groups(), bytes("alice|0009"), G, 1).next();
    Eventually.isTrue(
        "the receipt is too old",
        () -> {
          try {
            receipt.settle();
            return false;
          } catch (IOException e) {
            return e.getMessage().startsWith("The receipt is too old");
          }
        });
  }

  @Test
  void commit_groupCutByForce_isRefused() throws Exception {
    open(GroupTables.PLAIN, null);
    table.put(put("alice|0001", 1));
    table.put(put("alice|0007", 7));
    byte[] region;
    try (RegionLocator locator = table.getRegionLocator()) {
      region = locator.getRegionLocation(bytes("alice|0001"), true).getRegion().getRegionName();
    }
    hbase.getAdmin().splitRegionAsync(region, bytes("alice|0005")).get(2, TimeUnit.MINUTES);
    Eventually.isTrue("the client knows both regions", () -> !isTogether("alice|0001"));

    String message =
        assertThrows(
                DoNotRetryIOException.class,
                alice().put(put("alice|0001", 2)).put(put("alice|0007", 2))::commit)
            .getMessage();

    assertTrue(message.contains("cut in two"), message);
    assertTrue(message.contains("rowElsewhere=\"alice|0007\""), message);
    assertThrows(SnapshotLostException.class, () -> snapshot(alice()));
    assertEquals(1, number(table, "alice|0001"));
  }

  /** Each transaction finds its rows wherever they are, also one that was planned long ago. */
  @Test
  void commit_whileTheLayoutChanges_seesAndWritesTheRowsWhereTheyAre() throws Exception {
    open(GroupTables.SALTED, "reject");
    RowkeyLayout other = RowkeyLayout.parse(GroupTables.SALTED.replace("%16", "%3"));
    assertNotEquals(
        Bytes.toString(Tables.complete("alice|0001")),
        Bytes.toString(other.complete(bytes("alice|0001"))));
    LayoutSteps steps = new LayoutSteps(hbase.getConnection(), name);
    try (SaltedTable late = SaltedTable.open(hbase.getConnection(), name)) {
      table.put(put("alice|0001", 100));
      steps.prepare(other);
      assertTrue(transfer(100).commit());
      DoNotRetryIOException refused =
          assertThrows(DoNotRetryIOException.class, () -> snapshot(alice()));
      assertTrue(refused.getMessage().startsWith("The layout of the table is changing"));

      steps.move();
      // No row has moved; the conditions are on the rows of the former layout, and those to come.
      assertFalse(transfer(100).commit());
      assertTrue(
          alice()
              .when(bytes("alice|0002"))
              .column(F, Q)
              .is(CompareOperator.EQUAL, number(100))
              .when(bytes("alice|0001"))
              .column(F, Q)
              .is(CompareOperator.EQUAL, number(0))
              .put(put("alice|0004", 4))
              .commit());
      assertTrue(steps.isNothingLeft());
      steps.finish();

      assertTrue(
          RowGroup.of(late, ALICE)
              .when(bytes("alice|0002"))
              .column(F, Q)
              .is(CompareOperator.EQUAL, number(100))
              .put(put("alice|0005", 5))
              .commit());
    }
    assertEquals(
        Map.of("alice|0001", 0L, "alice|0002", 100L, "alice|0004", 4L, "alice|0005", 5L),
        snapshot(alice()));
  }

  /** Calls HBase's endpoint as existing code does, through the table of bare keys. */
  @Test
  void coprocessorService_multiRowCall_hasItsRowsCompleted() throws Exception {
    open(GroupTables.SALTED, "reject");
    table.put(put("alice|0001", 1));

    assertTrue(MultiRowEndpoint.mutateRows(table, ifThere("alice|0001", put("alice|0002", 2))));
    assertFalse(MultiRowEndpoint.mutateRows(table, ifThere("alice|0003", put("alice|0002", 3))));
    assertEquals(2, number(table, "alice|0002"));

    String stranger = "user0|0001";
    for (int i = 1; Bytes.toString(Tables.complete(stranger)).compareTo("12-") >= 0; i++) {
      stranger = "user" + i + "|0001";
    }
    MultiRowRequest torn = ifThere("alice|0001", put("alice|0002", 4));
    torn.add(put(stranger, 4));
    String message =
        assertThrows(IllegalArgumentException.class, () -> MultiRowEndpoint.mutateRows(table, torn))
            .getMessage();
    assertTrue(message.contains("lie in several regions"), message);
    MultiRowRequest salted = ifThere("alice|0001", put("13-alice|0002", 4));
    assertThrows(IllegalArgumentException.class, () -> MultiRowEndpoint.mutateRows(table, salted));
    assertEquals(2, number(table, "alice|0002"));
    assertNull(number(table, stranger));
  }

  /** A request that would be right for a table without a salt. */
  private static MultiRowRequest ifThere(String row, Put put) throws IOException {
    MultiRowRequest request = new MultiRowRequest();
    request.add(put);
    request.add(bytes(row), RowCondition.exists(bytes(row), F, Q).on(bytes(row)));
    return request;
  }

  /** Also on HBase 3, whose client would read ahead else. */
  private static Scan rowByRow() {
    return new Scan().setCaching(1).setMaxResultSize(1);
  }

  private boolean isTogether(String bareKey) throws IOException {
    try (RegionLocator locator = table.getRegionLocator()) {
      return locator
          .getRegionLocation(bytes(bareKey), true)
          .getRegion()
          .containsRow(bytes("alice|0007"));
    }
  }

  @Test
  void scan_writesMeanwhile_seesNoneOfThem() throws Exception {
    open(GroupTables.SALTED, "reject");
    for (int item = 1; item <= 5; item++) {
      table.put(put("alice|000" + item, 1));
      table.put(put("alice2|000" + item, 9));
    }
    try (ResultScanner scanner = alice().scan(rowByRow())) {
      assertArrayEquals(number(1), scanner.next().getValue(F, Q));
      GroupTransaction all = alice().put(put("alice|0006", 2));
      for (int item = 1; item <= 5; item++) {
        all.put(put("alice|000" + item, 2));
      }
      assertTrue(all.commit());
      for (int item = 2; item <= 5; item++) {
        assertArrayEquals(number(1), scanner.next().getValue(F, Q));
      }
      assertNull(scanner.next());
    }
    assertEquals(6, snapshot(alice()).size());
    assertEquals(Map.of(), snapshot(RowGroup.of(table, bytes("carol"))));
    try (ResultScanner some =
        alice()
            .scan(
                new Scan()
                    .withStartRow(bytes("alice|0002"))
                    .withStopRow(bytes("zoe"))
                    .setLimit(2))) {
      assertEquals("alice|0002", Bytes.toString(some.next().getRow()));
      assertEquals("alice|0003", Bytes.toString(some.next().getRow()));
      assertNull(some.next());
    }
  }

  @Test
  void scan_regionMovesMeanwhile_saysThatItCannotGoOn() throws Exception {
    open(GroupTables.SALTED, null);
    for (int item = 1; item <= 5; item++) {
      table.put(put("alice|000" + item, 1));
    }
    try (ResultScanner scanner = alice().scan(rowByRow())) {
      assertArrayEquals(number(1), scanner.next().getValue(F, Q));
      move("alice|0001");
      SnapshotLostException lost =
          assertThrows(
              SnapshotLostException.class,
              () -> {
                for (Result next = scanner.next(); next != null; next = scanner.next()) {
                  assertArrayEquals(number(1), next.getValue(F, Q));
                }
              });
      assertTrue(lost.getMessage().contains("group=\"alice\""), lost.getMessage());
      assertThrows(SnapshotLostException.class, scanner::next);
    }
    assertEquals(5, snapshot(alice()).size());
  }

  private void move(String bareKey) throws IOException {
    try (RegionLocator locator = table.getRegionLocator()) {
      HRegionLocation from = locator.getRegionLocation(bytes(bareKey), true);
      for (RegionServerThread thread : hbase.getMiniHBaseCluster().getLiveRegionServerThreads()) {
        ServerName to = thread.getRegionServer().getServerName();
        if (!to.equals(from.getServerName())) {
          hbase.getAdmin().move(from.getRegion().getEncodedNameAsBytes(), to);
          Eventually.isTrue(
              "the region is on " + to,
              () -> locator.getRegionLocation(bytes(bareKey), true).getServerName().equals(to));
          return;
        }
      }
    }
  }
}
