package io.rowguard.client;

import static io.rowguard.client.GroupTables.number;
import static io.rowguard.client.GroupTables.put;
import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.G;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions of one entity group. */
@ExtendWith(MiniCluster.class)
class RowGroupIT {
  private final HBaseTestingUtility hbase;

  RowGroupIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  private AliceTable create(String layout, String mode) throws IOException {
    return AliceTable.create(hbase, layout, mode);
  }

  @Test
  void commit_conditionsOnSeveralRows_allOrNothing() throws Exception {
    for (String layout : List.of(GroupTables.SALTED, GroupTables.PLAIN)) {
      for (String mode : new String[] {null, "reject", "salt"}) {
        if (layout.equals(GroupTables.PLAIN) && "salt".equals(mode)) {
          continue; // there is no salt
        }
        try (AliceTable groups = create(layout, mode)) {
          groups.put("alice|0001", 99);
          assertFalse(groups.transfer(100).commit());
          assertEquals(Map.of("alice|0001", 99L), groups.snapshot());

          groups.put("alice|0001", 100);
          assertTrue(groups.transfer(100).commit());
          assertEquals(AliceTable.transferred(100), groups.snapshot());

          groups.put("alice|0003", 7);
          assertFalse(groups.transfer(0).commit());
          assertTrue(
              groups
                  .alice()
                  .delete(new Delete(bytes("alice|0003")))
                  .put(put("alice|0004", 4))
                  .commit());
          assertNull(groups.number("alice|0003"));
        }
      }
    }
  }

  /** Bare keys go into a transaction also where the table is HBase's own. */
  @Test
  void commit_onHBasesTable_writesTheSameRows() throws Exception {
    try (AliceTable groups = create(GroupTables.SALTED, "reject");
        Table raw = hbase.getConnection().getTable(groups.name())) {
      groups.put("alice|0001", 100);
      assertTrue(
          RowGroup.of(raw, AliceTable.ALICE)
              .when(bytes("alice|0001"))
              .column(F, Q)
              .exists()
              .put(put("alice|0002", 2))
              .commit());
      assertEquals(2, groups.number("alice|0002"));
    }
  }

  /** Other writers are not kept out; conditions see what they have written. */
  @Test
  void commit_rawWriterBesideIt_conditionsSeeItsRows() throws Exception {
    try (AliceTable groups = create(GroupTables.SALTED, "reject");
        Table raw = hbase.getConnection().getTable(groups.name())) {
      groups.put("alice|0001", 100);
      raw.put(put(Bytes.toString(Tables.complete("alice|0001")), 1));
      assertFalse(groups.transfer(100).commit());
      assertEquals(Map.of("alice|0001", 1L), groups.snapshot());
    }
  }

  @Test
  void is_eachOperator_comparesTheStoredValueWithTheGivenOne() throws Exception {
    try (AliceTable groups = create(GroupTables.SALTED, null)) {
      groups.put("alice|0001", 5);
      for (CompareOperator operator : CompareOperator.values()) {
        if (operator == CompareOperator.NO_OP) {
          continue;
        }
        for (long given = 4; given <= 6; given++) {
          boolean expected = holds(5, operator, given);
          boolean done =
              groups
                  .alice()
                  .when(bytes("alice|0001"))
                  .column(F, Q)
                  .is(operator, number(given))
                  .put(put("alice|0002", given))
                  .commit();
          assertEquals(expected, done, "5 " + operator + " " + given);
        }
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
    try (AliceTable groups = create(GroupTables.SALTED, null)) {
      groups.table().put(put("alice|0001", new byte[0]));
      groups.table().put(put("alice|0002", new byte[1]));
      for (String row : List.of("alice|0001", "alice|0002", "alice|0003")) {
        boolean expected = row.equals("alice|0002");
        GroupTransaction.OnColumn there = groups.alice().when(bytes(row)).column(F, Q);
        assertEquals(expected, there.exists().put(put("alice|0009", 1)).commit());
        GroupTransaction.OnColumn missing = groups.alice().when(bytes(row)).column(F, Q);
        assertEquals(!expected, missing.doesNotExist().put(put("alice|0009", 2)).commit());
      }
    }
  }

  @Test
  void commit_rowOfAnotherGroup_isRefusedWithBothNamed() throws Exception {
    try (AliceTable groups = create(GroupTables.SALTED, null)) {
      for (GroupTransaction strange :
          List.of(
              groups.alice().put(put("alice|0001", 1)).put(put("bob|0001", 1)),
              groups
                  .alice()
                  .put(put("alice|0001", 1))
                  .when(bytes("bob|0001"))
                  .column(F, Q)
                  .exists(),
              groups.alice().put(put("alice|0001", 1)).receipt(bytes("bob|0001"), G))) {
        String message = assertThrows(DoNotRetryIOException.class, strange::commit).getMessage();
        assertTrue(message.contains("group=\"alice\""), message);
        assertTrue(message.contains("rowGroup=\"bob\""), message);
      }
      DoNotRetryIOException noKey =
          assertThrows(DoNotRetryIOException.class, groups.alice().put(put("alice", 1))::commit);
      assertTrue(noKey.getMessage().contains("takes bare keys"), noKey.getMessage());
      assertEquals(List.of(), Tables.rows(groups.table(), new Scan()));
    }
  }

  @Test
  void transaction_thatCannotBeMeant_isRefusedAtOnce() throws Exception {
    try (AliceTable groups = create(GroupTables.SALTED, null)) {
      RowGroup alice = groups.alice();
      GroupTransaction.OnColumn balance = alice.when(bytes("alice|0001")).column(F, Q);
      assertThrows(
          IllegalArgumentException.class, () -> balance.is(CompareOperator.EQUAL, new byte[0]));
      assertThrows(
          IllegalArgumentException.class, () -> balance.is(CompareOperator.NO_OP, number(1)));
      assertThrows(IllegalArgumentException.class, () -> alice.put(new Put(bytes("alice|0001"))));
      GroupTransaction writesNothing = balance.exists();
      assertThrows(IllegalStateException.class, writesNothing::commit);
      GroupTransaction once = alice.put(put("alice|0001", 1));
      assertTrue(once.commit());
      assertThrows(IllegalStateException.class, once::commit);
    }
  }

  @Test
  void commit_tableWithoutEndpoint_saysHowToLoadIt() throws Exception {
    TableName name = Tables.create(hbase, GroupTables.SALTED, null, "08-");
    try (Table raw = hbase.getConnection().getTable(name)) {
      String noGroup = refusal(raw);
      assertTrue(noGroup.contains("Declare rowguard.group"), noGroup);
      alter(name, "user");

      String noEndpoint = refusal(raw);

      String alter =
          "alter '"
              + name
              + "', METHOD => 'table_att', 'coprocessor' => '|"
              + MultiRowMutationEndpoint.class.getName()
              + "|1001|'";
      assertTrue(noEndpoint.contains(alter), noEndpoint);
    }
    Tables.drop(hbase, name);
  }

  private static String refusal(Table raw) {
    return assertThrows(
            DoNotRetryIOException.class,
            () -> RowGroup.of(raw, AliceTable.ALICE).put(put("alice|0001", 1)).commit())
        .getMessage();
  }

  private void alter(TableName name, String group) throws IOException {
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name))
                .setValue("rowguard.group", group)
                .build());
  }

  @Test
  void commit_groupCutByForce_isRefused() throws Exception {
    try (AliceTable groups = create(GroupTables.PLAIN, null)) {
      groups.put("alice|0001", 1);
      groups.put("alice|0007", 7);
      groups.cut("alice|0005");

      String message =
          assertThrows(
                  DoNotRetryIOException.class,
                  groups.alice().put(put("alice|0001", 2)).put(put("alice|0007", 2))::commit)
              .getMessage();

      assertTrue(message.contains("cut in two"), message);
      assertTrue(message.contains("rowElsewhere=\"alice|0007\""), message);
      assertEquals(1, groups.number("alice|0001"));
      assertTrue(groups.alice().put(put("alice|0007", 8)).commit(), "it has one half only");
    }
  }

  /** Boundaries where smaller groups end may be in the way of larger ones. */
  @Test
  void commit_groupsMadeLarger_areRefusedUntilTheirRegionsAreMerged() throws Exception {
    try (AliceTable groups = create("{tenant:word}|{user:word}|{item:digits(4)}", null)) {
      groups.cut("alice|m");
      alter(groups.name(), "tenant");
      try (SaltedTable table = SaltedTable.open(hbase.getConnection(), groups.name())) {
        String message =
            assertThrows(DoNotRetryIOException.class, () -> ofTenant(table, "alice").commit())
                .getMessage();
        assertTrue(message.contains("cut in two"), message);
        assertTrue(ofTenant(table, "bob").commit());
        groups.merge("alice|m");
        assertTrue(ofTenant(table, "alice").commit());
      }
    }
  }

  private static GroupTransaction ofTenant(SaltedTable table, String tenant) throws IOException {
    return RowGroup.of(table, bytes(tenant))
        .put(put(tenant + "|a|0001", 1))
        .put(put(tenant + "|z|0001", 1));
  }

  /** Each transaction finds its rows wherever they are, also one that was planned long ago. */
  @Test
  void commit_whileTheLayoutChanges_seesAndWritesTheRowsWhereTheyAre() throws Exception {
    RowkeyLayout other = RowkeyLayout.parse(GroupTables.SALTED.replace("%16", "%3"));
    assertNotEquals(
        Bytes.toString(Tables.complete("alice|0001")),
        Bytes.toString(other.complete(bytes("alice|0001"))));
    try (AliceTable groups = create(GroupTables.SALTED, "reject");
        SaltedTable late = SaltedTable.open(hbase.getConnection(), groups.name());
        SaltedTable raw = SaltedTable.open(hbase.getConnection(), groups.name())) {
      LayoutSteps steps = new LayoutSteps(hbase.getConnection(), groups.name());
      groups.put("alice|0001", 100);
      steps.prepare(other);
      assertTrue(groups.transfer(100).commit());

      steps.move();
      // No row has moved; the conditions are on the rows of the former layout, and those to come.
      assertFalse(groups.transfer(100).commit());
      assertTrue(
          groups
              .alice()
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
          RowGroup.of(late, AliceTable.ALICE)
              .when(bytes("alice|0002"))
              .column(F, Q)
              .is(CompareOperator.EQUAL, number(100))
              .put(put("alice|0005", 5))
              .commit());
      // A raw call that still knows the first layout, too.
      assertTrue(BlockingStub.mutateRows(raw, ifThere("alice|0005", put("alice|0006", 6))));
      assertEquals(
          Map.of(
              "alice|0001",
              0L,
              "alice|0002",
              100L,
              "alice|0004",
              4L,
              "alice|0005",
              5L,
              "alice|0006",
              6L),
          groups.snapshot());
    }
  }

  /** Calls HBase's endpoint as existing code does, through the table of bare keys. */
  @Test
  void coprocessorService_multiRowCall_hasItsRowsCompleted() throws Exception {
    try (AliceTable groups = create(GroupTables.SALTED, "reject")) {
      SaltedTable table = groups.table();
      groups.put("alice|0001", 1);

      assertTrue(BlockingStub.mutateRows(table, ifThere("alice|0001", put("alice|0002", 2))));
      assertFalse(BlockingStub.mutateRows(table, ifThere("alice|0003", put("alice|0002", 3))));
      assertEquals(2, groups.number("alice|0002"));

      String stranger = "user0|0001";
      for (int i = 1; Bytes.toString(Tables.complete(stranger)).compareTo("12-") >= 0; i++) {
        stranger = "user" + i + "|0001";
      }
      MultiRowRequest torn = ifThere("alice|0001", put("alice|0002", 4));
      torn.add(put(stranger, 4));
      assertRefused(table, torn, "lie in several regions");
      assertRefused(table, ifThere("alice|0001", put("13-alice|0002", 4)), "takes bare keys");
      assertEquals(2, groups.number("alice|0002"));
      assertNull(groups.number(stranger));
    }
  }

  private static void assertRefused(SaltedTable table, MultiRowRequest request, String why) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> BlockingStub.mutateRows(table, request))
            .getMessage();
    assertTrue(message.contains(why), message);
  }

  /** A request that would be right for a table without a salt. */
  private static MultiRowRequest ifThere(String row, Put put) throws IOException {
    MultiRowRequest request = new MultiRowRequest();
    request.add(put);
    request.add(bytes(row), RowCondition.exists(bytes(row), F, Q).on(bytes(row)));
    return request;
  }
}
