package io.rowguard.client;

import static io.rowguard.client.GroupTables.number;
import static io.rowguard.client.GroupTables.put;
import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Scans of an entity group: as of one moment, or a failure that says why not. */
@ExtendWith(MiniCluster.class)
class GroupScanIT {
  private final HBaseTestingUtility hbase;

  GroupScanIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** Rows of alice, 1 to 5, and of a user whose name begins alike. */
  private AliceTable fiveRows(String layout, String mode, String... cuts) throws Exception {
    AliceTable groups = AliceTable.create(hbase, layout, mode);
    for (String cut : cuts) {
      groups.cut(cut);
    }
    for (int item = 1; item <= 5; item++) {
      groups.put("alice|000" + item, 1);
      groups.put("alice2|000" + item, 9);
    }
    return groups;
  }

  /** Also on HBase 3, whose client would read ahead else. */
  private static Scan rowByRow() {
    return new Scan().setCaching(1).setMaxResultSize(1);
  }

  private static List<String> items(RowGroup group, Scan scan) throws IOException {
    List<String> items = new ArrayList<>();
    try (ResultScanner scanner = group.scan(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        items.add(Bytes.toString(row.getRow()).replace("alice|", ""));
      }
    }
    return items;
  }

  @Test
  void scan_writesMeanwhile_seesNoneOfThem() throws Exception {
    try (AliceTable groups = fiveRows(GroupTables.SALTED, "reject")) {
      try (ResultScanner scanner = groups.alice().scan(rowByRow())) {
        assertArrayEquals(number(1), scanner.next().getValue(F, Q));
        GroupTransaction all = groups.alice().put(put("alice|0006", 2));
        for (int item = 1; item <= 5; item++) {
          all.put(put("alice|000" + item, 2));
        }
        assertTrue(all.commit());
        for (int item = 2; item <= 5; item++) {
          assertArrayEquals(number(1), scanner.next().getValue(F, Q));
        }
        assertNull(scanner.next());
      }
      assertEquals(6, groups.snapshot().size());
    }
  }

  @Test
  void scan_anyRangeAndDirection_givesTheGroupsRowsInIt() throws Exception {
    for (String layout : List.of(GroupTables.SALTED, GroupTables.PLAIN)) {
      // A region that begins with the group, and one that begins where its range ends.
      String salt = layout.equals(GroupTables.SALTED) ? "13-" : "";
      try (AliceTable groups = fiveRows(layout, null, salt + "alice|", salt + "alice}")) {
        RowGroup alice = groups.alice();
        assertEquals(List.of("0001", "0002", "0003", "0004", "0005"), items(alice, new Scan()));
        assertEquals(
            List.of("0005", "0004", "0003", "0002", "0001"),
            items(alice, new Scan().setReversed(true).setCaching(2)));
        // Servers would count it against a limit, were they told of that.
        try (Table stored = Tables.salted(hbase, groups.name())) {
          stored.put(put(salt + "alice|00", 9));
        }
        assertEquals(List.of("0001", "0002"), items(alice, new Scan().setLimit(2)));
        Scan some = new Scan().withStartRow(bytes("alice|0002")).withStopRow(bytes("zoe"));
        assertEquals(List.of("0002", "0003"), items(alice, new Scan(some).setLimit(2)));
        assertEquals(List.of(), items(alice, new Scan().withStartRow(bytes("bob|0001"))));
        assertEquals(List.of(), items(RowGroup.of(groups.table(), bytes("carol")), new Scan()));
      }
    }
  }

  @Test
  void scan_keyOfNoGroup_isRefused() throws Exception {
    try (AliceTable groups = fiveRows(GroupTables.SALTED, null)) {
      for (String key : List.of("", "alice|", "alice|0001", "13-alice|0001", "a b")) {
        RowGroup none = RowGroup.of(groups.table(), bytes(key));
        String message =
            assertThrows(DoNotRetryIOException.class, () -> none.scan(new Scan()), key)
                .getMessage();
        assertTrue(message.contains("not the key of an entity group"), message);
        assertTrue(message.contains("rowguard.group=user"), message);
      }
    }
  }

  @Test
  void scan_regionMovesMeanwhile_saysThatItCannotGoOn() throws Exception {
    try (AliceTable groups = fiveRows(GroupTables.SALTED, null)) {
      try (ResultScanner scanner = groups.alice().scan(rowByRow())) {
        assertArrayEquals(number(1), scanner.next().getValue(F, Q));
        groups.move("alice|0001");
        assertLost(scanner);
      }
      assertEquals(5, groups.snapshot().size());
    }
  }

  private static void assertLost(ResultScanner scanner) {
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

  /** Regions reopen with each step, and those with other layouts refuse a scan that goes on. */
  @Test
  void scan_layoutChangesMeanwhile_saysThatItCannotGoOn() throws Exception {
    try (AliceTable groups = fiveRows(GroupTables.SALTED, "reject")) {
      LayoutSteps steps = new LayoutSteps(hbase.getConnection(), groups.name());
      try (ResultScanner scanner = groups.alice().scan(rowByRow())) {
        assertArrayEquals(number(1), scanner.next().getValue(F, Q));
        steps.prepare(RowkeyLayout.parse(GroupTables.SALTED.replace("%16", "%3")));
        assertLost(scanner);
      }
      String message = assertThrows(DoNotRetryIOException.class, groups::snapshot).getMessage();
      assertTrue(message.startsWith("The layout of the table is changing"), message);
      steps.giveUp();
      assertEquals(5, groups.snapshot().size());
    }
  }

  /** Rows of a part that lies in one region can be read still. */
  @Test
  void scan_groupCutByForce_isRefused() throws Exception {
    try (AliceTable groups = fiveRows(GroupTables.PLAIN, null)) {
      groups.cut("alice|0003");

      DoNotRetryIOException refused = assertThrows(DoNotRetryIOException.class, groups::snapshot);

      assertTrue(refused.getMessage().contains("cut in two"), "" + refused);
      assertTrue(refused.getMessage().contains("rowElsewhere=\"alice|0003\""), "" + refused);
      Scan second = new Scan().withStartRow(bytes("alice|0003"));
      assertEquals(List.of("0003", "0004", "0005"), items(groups.alice(), second));
      assertEquals(Map.of(), GroupTables.snapshot(RowGroup.of(groups.table(), bytes("bob"))));
    }
  }
}
