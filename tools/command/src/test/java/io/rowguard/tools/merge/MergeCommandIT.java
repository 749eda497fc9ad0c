package io.rowguard.tools.merge;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import io.rowguard.tools.cluster.TableRegions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Merges on a cluster. */
@ExtendWith(MiniCluster.class)
class MergeCommandIT {
  private static final RowkeyLayout SALTED =
      RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%4}-{user:word}|{n:digits(2)}");
  private static final byte[] F = Bytes.toBytes("f");

  @TempDir private Path directory;

  private final HBaseTestingUtility hbase;
  private ClusterSession session;

  MergeCommandIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @BeforeEach
  void setUp() throws IOException {
    session = new ClusterSession(hbase, directory);
  }

  private TableName create(String name, boolean isDeclared, String... splits) throws IOException {
    TableName table = TableName.valueOf(name);
    TableDescriptorBuilder descriptor =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
    if (isDeclared) {
      descriptor
          .setValue("rowguard.layout", SALTED.toString())
          .setValue("rowguard.group", "user")
          .setValue("rowguard.mode", "reject");
    }
    byte[][] keys = new byte[splits.length][];
    for (int i = 0; i < splits.length; i++) {
      keys[i] = Bytes.toBytes(splits[i]);
    }
    hbase.getAdmin().createTable(descriptor.build(), keys);
    return table;
  }

  private void write(TableName name, int users) throws IOException {
    try (Table table = hbase.getConnection().getTable(name)) {
      for (int i = 0; i < users; i++) {
        byte[] row = SALTED.complete(("u" + i + "|01").getBytes(UTF_8));
        table.put(new Put(row).addColumn(F, F, F));
      }
    }
  }

  private int rows(TableName name) throws IOException {
    int rows = 0;
    try (Table table = hbase.getConnection().getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result result : scanner) {
        rows += result.isEmpty() ? 0 : 1;
      }
    }
    return rows;
  }

  private List<String> startKeys(TableName table) throws IOException {
    return TableRegions.startKeys(hbase.getConnection(), table).stream()
        .map(Bytes::toString)
        .toList();
  }

  @Test
  void empty_ofAFormerLayout_becomeOneAndSaltsStayApart() throws Exception {
    TableName table = create("leftovers", true, "01", "02", "03", "04", "05", "a", "m");
    write(table, 50);

    CommandResult dry = session.run("merge", "leftovers", "--dry-run");
    assertEquals(0, dry.exitCode(), dry.err());
    assertTrue(dry.out().contains("  5 regions, 4 of them empty, "), dry.out());
    assertTrue(dry.out().contains(": 03 .. (end)"), dry.out());
    assertTrue(dry.out().contains("8 regions would become 4."), dry.out());
    assertEquals(7, startKeys(table).size());

    CommandResult unasked = session.run("merge", "leftovers");
    assertEquals(2, unasked.exitCode());
    assertEquals(7, startKeys(table).size());

    CommandResult merged = session.run("merge", "leftovers", "--empty", "--yes");
    assertEquals(0, merged.exitCode(), merged.out() + merged.err());
    assertTrue(merged.out().contains("8 regions became 4."), merged.out());
    assertEquals(List.of("01", "02", "03"), startKeys(table));
    assertEquals(50, rows(table));

    CommandResult again = session.run("merge", "leftovers", "--yes");
    assertTrue(again.out().contains("Nothing was merged"), again.out());
  }

  @Test
  void withoutALayout_takesTheOneThatIsGiven() throws Exception {
    TableName table = create("merged_undeclared", false, "01", "02", "02-k", "02-p", "03");
    write(table, 20);

    CommandResult refused = session.run("merge", "merged_undeclared", "--dry-run");
    assertEquals(2, refused.exitCode());
    assertTrue(refused.err().contains("The table declares no layout"), refused.err());

    CommandResult dry =
        session.run(
            "merge",
            "merged_undeclared",
            "--dry-run",
            "--layout",
            SALTED.toString(),
            "--smaller-than",
            "1g");
    String next =
        " Next: rowguard merge merged_undeclared --smaller-than 1073741824 --layout '"
            + SALTED
            + "' --site ";
    assertTrue(dry.out().contains(next), dry.out() + dry.err());

    JsonObject merged =
        JsonParser.parseString(
                session
                    .run(
                        "merge",
                        "merged_undeclared",
                        "--layout",
                        SALTED.toString(),
                        "--smaller-than",
                        "100m",
                        "--yes",
                        "--json")
                    .out())
            .getAsJsonObject();

    assertTrue(merged.get("done").getAsBoolean());
    assertEquals(4, merged.get("regions").getAsInt());
    assertEquals(List.of("01", "02", "03"), startKeys(table));
    assertEquals(20, rows(table));
  }

  /** As Phoenix makes a table with SALT_BUCKETS=4; one that empties by its TTL, say. */
  @Test
  void ofPhoenixsSaltedTable_keepsItsBuckets() throws Exception {
    String phoenix = "{salt:uint8=java31(key)%4}{key:bytes}";
    TableName table = create("PHOENIX", false, "\u0001", "\u0001m", "\u0001t", "\u0002", "\u0003");
    try (Table client = hbase.getConnection().getTable(table)) {
      for (int i = 0; i < 40; i++) {
        byte[] row = RowkeyLayout.parse(phoenix).complete(("k" + i).getBytes(UTF_8));
        client.put(new Put(row).addColumn(F, F, F));
      }
    }

    CommandResult merged =
        session.run("merge", "PHOENIX", "--layout", phoenix, "--at-once", "1", "--yes");

    assertEquals(0, merged.exitCode(), merged.out() + merged.err());
    assertTrue(merged.out().contains("6 regions became 4."), merged.out());
    assertEquals(List.of("\u0001", "\u0002", "\u0003"), startKeys(table));
    assertEquals(40, rows(table));
  }

  @Test
  void ofWhatIsNoTable_saysSoBeforeItAsks() {
    CommandResult misspelt = session.run("merge", "a b");
    assertEquals(2, misspelt.exitCode());
    assertTrue(
        misspelt.err().contains("This is no name of a table. table=\"a b\""), misspelt.err());
    assertEquals(1, misspelt.err().lines().count(), misspelt.err());
    assertTrue(!misspelt.err().contains("merged"), misspelt.err());
    CommandResult missing = session.run("merge", "nowhere");
    assertEquals(2, missing.exitCode());
    assertTrue(missing.err().startsWith("rowguard: There is no such table."), missing.err());
  }

  @Test
  void whereMergesAreOff_saysWhatSwitchesThemOn() throws Exception {
    TableName table = create("unmergeable", true, "01", "x");
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(table))
                .setMergeEnabled(false)
                .build());

    CommandResult refused = session.run("merge", "unmergeable", "--yes");

    assertEquals(2, refused.exitCode());
    assertTrue(refused.err().contains("MERGE_ENABLED => 'true'"), refused.err());
  }
}
