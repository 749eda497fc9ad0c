package io.rowguard.tools.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import io.rowguard.testing.MiniCluster;
import io.rowguard.tools.Rowguard;
import io.rowguard.tools.cli.Terminal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Audits of tables and snapshots of a cluster, held against a plain scan judged row by row. */
@ExtendWith(MiniCluster.class)
class AuditIT {
  private static final byte[] F = Bytes.toBytes("f");
  private static final byte[] G = Bytes.toBytes("g");
  private static final Path GOLDEN = Path.of("src/test/resources/io/rowguard/tools/audit");
  private static final boolean WRITE = "write".equals(System.getProperty("rowguard.transcripts"));

  @TempDir private Path directory;
  private Path temporary;
  private Path restore;
  private HBaseTestingUtility hbase;
  private String site;
  private final List<TableName> created = new ArrayList<>();

  @BeforeEach
  void prepare(HBaseTestingUtility hbase) throws Exception {
    this.hbase = hbase;
    temporary = Files.createDirectory(directory.resolve("temporary"));
    restore = Files.createDirectory(directory.resolve("restore"));
    Path file = directory.resolve("hbase-site.xml");
    try (OutputStream stream = Files.newOutputStream(file)) {
      hbase.getConfiguration().writeXml(stream);
    }
    site = file.toString();
  }

  /** Other tests of the cluster look at all tables there are. */
  @AfterEach
  void drop() throws IOException {
    for (TableName name : created) {
      hbase.deleteTable(name);
    }
    hbase.getAdmin().deleteSnapshots(Pattern.compile(".*-monday"));
  }

  private record Outcome(int exitCode, String out, String err) {
    JsonObject json() {
      return JsonParser.parseString(out).getAsJsonObject();
    }
  }

  /** Runs the command; whatever comes of it, nothing may be left behind. */
  private Outcome audit(String... args) throws IOException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Terminal terminal =
        new Terminal(
            InputStream.nullInputStream(), new PrintWriter(out), new PrintWriter(err), "plain");
    List<String> all = new ArrayList<>(List.of("audit", "--site", site));
    if (!List.of(args).contains("--temp-dir")) {
      all.addAll(List.of("--temp-dir", temporary.toString()));
    }
    if (!List.of(args).contains("--timeout")) {
      all.addAll(List.of("--timeout", "120"));
    }
    all.addAll(List.of(args));
    int exitCode = Rowguard.run(terminal, all.toArray(String[]::new));
    if (Files.isDirectory(temporary)) {
      assertEmpty(temporary);
    }
    assertEmpty(restore);
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  private static void assertEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      assertEquals(List.of(directory), files.toList());
    }
  }

  private TableName create(String name, Map<String, String> values, String... splits)
      throws IOException {
    TableName table = TableName.valueOf(name);
    TableDescriptorBuilder descriptor =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F));
    values.forEach(descriptor::setValue);
    byte[][] keys = Arrays.stream(splits).map(Bytes::toBytes).toArray(byte[][]::new);
    hbase.getAdmin().createTable(descriptor.build(), keys);
    created.add(table);
    return table;
  }

  private void put(TableName name, List<byte[]> rows) throws IOException {
    List<Put> puts = new ArrayList<>();
    for (byte[] row : rows) {
      // Two cells: an audit counts rows.
      puts.add(new Put(row).addColumn(F, F, new byte[100]).addColumn(F, G, F));
    }
    try (Table table = hbase.getConnection().getTable(name)) {
      table.put(puts);
    }
  }

  private TableName createSpoilt(String name) throws IOException {
    TableName table =
        create(
            name,
            Map.of(
                "rowguard.layout",
                SpoiltRows.LAYOUT,
                "rowguard.group",
                "user",
                "rowguard.row.max.length",
                "" + SpoiltRows.LONGEST),
            "03-u3",
            "06-",
            "09-",
            "12-u30|",
            "u");
    put(table, SpoiltRows.of(SpoiltRows.layout()));
    return table;
  }

  @Test
  void table_everyWayNotToFit_isCountedAsAPlainScanCounts() throws Exception {
    TableName name = createSpoilt("spoilt");
    ScanOracle oracle =
        new ScanOracle(hbase.getConnection(), name, SpoiltRows.layout(), new Scan());
    assertEquals(
        EnumSet.complementOf(EnumSet.of(Verdict.CONFORMS, Verdict.EMPTY_ROW)),
        oracle.counts().keySet());
    assertTrue(oracle.byRegion().size() >= 5, "" + oracle.byRegion().keySet());
    assertTrue(oracle.bare() > 0 && oracle.bare() < oracle.refused(), "" + oracle.bare());

    Outcome outcome = audit("spoilt", "--json", "--examples", "2", "--threads", "3");

    assertEquals(1, outcome.exitCode, outcome.err);
    assertEquals("", outcome.err);
    oracle.assertSame(outcome.json(), 2);
    assertEquals(6, outcome.json().get("regionsRead").getAsInt());
  }

  @Test
  void table_range_isReadOnly() throws Exception {
    TableName name = createSpoilt("range");
    Scan scan = new Scan().withStartRow(Bytes.toBytes("04-")).withStopRow(Bytes.toBytes("10-u0"));
    ScanOracle oracle = new ScanOracle(hbase.getConnection(), name, SpoiltRows.layout(), scan);

    Outcome outcome = audit("range", "--start", "04-", "--stop", "10-u0", "--json");

    assertEquals(1, outcome.exitCode, outcome.err);
    oracle.assertSame(outcome.json(), 3);
    assertEquals(3, outcome.json().get("regionsRead").getAsInt());
    assertEquals("04-", outcome.json().get("start").getAsString());
  }

  @Test
  void table_layoutOfTheCommand_judgesInsteadOfItsOwn() throws Exception {
    TableName name = createSpoilt("other");
    RowkeyLayout other = RowkeyLayout.parse("{all:text}").withMaxRowLength(SpoiltRows.LONGEST);
    ScanOracle oracle = new ScanOracle(hbase.getConnection(), name, other, new Scan());

    Outcome outcome = audit("other", "--layout", "{all:text}", "--json");

    assertEquals(1, outcome.exitCode, outcome.err);
    oracle.assertSame(outcome.json(), 3);
    assertEquals(
        EnumSet.of(Verdict.TOO_LONG, Verdict.NOT_TEXT), EnumSet.copyOf(oracle.counts().keySet()));
  }

  /** They are where they should be for now; what fits neither layout is refused as ever. */
  @Test
  void table_whoseLayoutChanges_countsOldRowsAsOld() throws Exception {
    String previous = "{salt:digits(2)=murmur3(user)%16}-{user:word}";
    String next = "{salt:digits(3)=murmur3(user)%512}-{user:word}";
    TableName name =
        create(
            "changing",
            Map.of(
                "rowguard.layout", next,
                "rowguard.layout.previous", previous,
                "rowguard.layout.phase", "moving",
                "rowguard.layout.generation", "1",
                "rowguard.layout.version", "2"),
            "03",
            "1");
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      byte[] user = Bytes.toBytes("user" + i);
      rows.add(RowkeyLayout.parse(i < 30 ? previous : next).complete(user));
    }
    put(name, rows);

    Outcome fine = audit("changing");
    assertEquals(0, fine.exitCode, fine.out + fine.err);
    assertTrue(fine.out.contains("\nprevious  " + previous + "\n"), fine.out);
    assertTrue(fine.out.contains("\n30 of 50 rows are old: "), fine.out);

    put(name, List.of(Bytes.toBytes("alice"), Bytes.toBytes("99-alice")));
    Outcome outcome = audit("changing", "--json");
    assertEquals(1, outcome.exitCode, outcome.err);
    assertEquals(52, outcome.json().get("rows").getAsInt());
    assertEquals(30, outcome.json().get("old").getAsInt());
    assertEquals(2, outcome.json().get("refused").getAsInt());
    assertEquals(1, outcome.json().get("bare").getAsInt());
    assertEquals(previous, outcome.json().get("previous").getAsString());

    Outcome asOnly = audit("changing", "--layout", next, "--json");
    assertEquals(32, asOnly.json().get("refused").getAsInt());
    assertTrue(asOnly.json().get("previous").isJsonNull());
  }

  /** Rows that the servers do not serve can only have been read from files. */
  @Test
  void snapshot_ofADisabledTable_isReadWithoutItsServers() throws Exception {
    TableName name = createSpoilt("frozen");
    ScanOracle oracle =
        new ScanOracle(hbase.getConnection(), name, SpoiltRows.layout(), new Scan());
    hbase.getAdmin().snapshot("frozen-monday", name);
    put(name, List.of(Bytes.toBytes("written later")));
    hbase.getAdmin().disableTable(name);

    Outcome outcome =
        audit(
            "--snapshot",
            "frozen-monday",
            "--restore-dir",
            restore.toString(),
            "--json",
            // Locations of regions are not looked up either.
            "-D",
            "hbase.zookeeper.property.clientPort=1");

    assertEquals(1, outcome.exitCode, outcome.err);
    oracle.assertSame(outcome.json(), 3);
    assertEquals("frozen", outcome.json().get("table").getAsString());
    assertEquals("frozen-monday", outcome.json().get("snapshot").getAsString());
    Outcome live = audit("frozen");
    assertFailed(live, "The table is disabled");
    Outcome part =
        audit(
            "frozen",
            "--snapshot",
            "frozen-monday",
            "--restore-dir",
            restore.toString(),
            "--start",
            "13-");
    assertTrue(part.out.contains(" rows in 2 regions, 13- .. (end)"), part.out);
  }

  @Test
  void snapshot_thatCannotBeRead_isOneLineAndLeavesNothing() throws Exception {
    TableName name = create("cut", Map.of("rowguard.layout", "{id:hex(4)}"));
    put(name, List.of(Bytes.toBytes("00ff")));
    hbase.getAdmin().snapshot("cut-monday", name);
    assertFailed(audit("--snapshot", "nothing"), "There is no such snapshot. snapshot=nothing");
    assertFailed(
        audit("other", "--snapshot", "cut-monday"), "The snapshot is of another table.", "cut");
    org.apache.hadoop.fs.Path root = CommonFSUtils.getRootDir(hbase.getConfiguration());
    Path inside = Path.of(root.toUri().getPath(), "inside");
    assertFailed(
        audit("--snapshot", "cut-monday", "--restore-dir", inside.toString()),
        "The audit failed. table=cut snapshot=cut-monday",
        "Restore directory cannot be a sub directory of HBase root directory");
  }

  @Test
  void report_ofASmallTable_isAsWritten() throws Exception {
    String salted = "{salt:digits(2)=murmur3(user)%16}-{user:word}|{n:digits(2)}";
    RowkeyLayout layout = RowkeyLayout.parse(salted);
    TableName name = create("small", Map.of("rowguard.layout", salted), "04-", "08-", "12-");
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      rows.add(layout.complete(Bytes.toBytes(String.format("user%d|%02d", i, i))));
    }
    for (String bad :
        List.of("user1|07", "user2|08", "00-user1|99", "05-u.u|1", "13-user9|1", "~")) {
      rows.add(Bytes.toBytes(bad));
    }
    put(name, rows);
    for (boolean isJson : new boolean[] {false, true}) {
      Outcome outcome = isJson ? audit("small", "--json") : audit("small");
      assertEquals(1, outcome.exitCode, outcome.err);
      String shown = outcome.out;
      List<RegionInfo> regions = hbase.getAdmin().getRegions(name);
      regions.sort(RegionInfo.COMPARATOR);
      for (int i = 0; i < regions.size(); i++) {
        shown =
            shown.replace(regions.get(i).getEncodedName(), "0123456789abcdef0123456789abcde" + i);
      }
      Path golden = GOLDEN.resolve(isJson ? "small.json" : "small.txt");
      if (WRITE) {
        Files.writeString(golden, shown);
      }
      assertEquals(Files.readString(golden), shown);
    }
  }

  @Test
  void table_whereAllRowsFit_isWell() throws Exception {
    TableName name = create("fine", Map.of("rowguard.layout", "{id:hex(4)}"), "4", "8");
    Outcome empty = audit("fine");
    assertEquals(0, empty.exitCode, empty.err);
    assertTrue(empty.out.contains("0 rows in 3 regions"), empty.out);
    put(name, List.of(Bytes.toBytes("00ff"), Bytes.toBytes("ff00")));
    Outcome outcome = audit("fine");
    assertEquals(0, outcome.exitCode, outcome.err);
    assertTrue(outcome.out.endsWith("All 2 rows fit; none would be refused.\n"), outcome.out);
    assertEquals(0, audit("fine", "--json").exitCode);
  }

  /** Refuses to be read. */
  public static final class Unreadable implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preScannerOpen(ObserverContext<RegionCoprocessorEnvironment> context, Scan scan)
        throws IOException {
      throw new DoNotRetryIOException("not to be read");
    }
  }

  @Test
  void job_thatFails_saysWhyInOneLineAndLeavesNothing() throws Exception {
    TableName name = TableName.valueOf("unreadable");
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .setValue("rowguard.layout", "{id:hex(4)}")
                .setCoprocessor(Unreadable.class.getName())
                .build());
    created.add(name);
    assertFailed(audit("unreadable"), "The audit failed. table=unreadable", "not to be read");
  }

  @Test
  void misuse_always_isOneLineThatSaysTheWayOut() throws Exception {
    create("undeclared", Map.of());
    create("misspelt", Map.of("rowguard.layuot", "{id:hex(4)}"));
    assertFailed(audit(), "Say which table");
    assertFailed(audit("no-such-table"), "There is no such table. table=no-such-table");
    assertFailed(audit("no such table"), "This is no name of a table.");
    assertFailed(audit("undeclared"), "The table declares no layout.", "--layout");
    assertFailed(audit("misspelt"), "rowguard.layuot", "--layout");
    assertFailed(audit("undeclared", "--layout", "{id:hex"), "does not parse at column 8");
    assertFailed(audit("undeclared", "--layout", "{id:hex(2)}", "-g", "x"), "no segment \"x\"");
    assertFailed(audit("undeclared", "-g", "x"), "--group names a segment of --layout");
    assertFailed(audit("undeclared", "--restore-dir", "/tmp"), "--restore-dir is for a --snapshot");
    assertFailed(audit("undeclared", "--threads", "0"), "--threads is 1 or more");
    assertFailed(audit("undeclared", "--examples", "-1"), "--examples is 0 to 1000");
    assertFailed(audit("undeclared", "--start", "\\x0"), "--start: ");
    assertFailed(audit("undeclared", "--start", "b", "--stop", "a"), "--stop must be above");
    assertFailed(
        audit("undeclared", "--layout", "{id:hex(4)}", "--temp-dir", temporary + "/a b"),
        "needs a directory without blanks");
    Files.delete(temporary);
    Files.writeString(temporary, "a file, and no directory");
    assertFailed(audit("undeclared", "--layout", "{id:hex(4)}"), "No directory can be made there.");
  }

  @Test
  @Timeout(value = 120, unit = TimeUnit.SECONDS)
  void cluster_thatDoesNotAnswer_isOneLineInTime() throws Exception {
    Outcome outcome = audit("any", "-D", "hbase.zookeeper.property.clientPort=1", "--timeout", "3");
    assertFailed(outcome, "The cluster does not answer. zookeeper=");
  }

  private static void assertFailed(Outcome outcome, String... said) {
    assertEquals(2, outcome.exitCode, outcome.out + outcome.err);
    assertEquals("", outcome.out);
    assertEquals(1, outcome.err.lines().count(), outcome.err);
    assertFalse(outcome.err.contains("\tat "), outcome.err);
    Set.of(said).forEach(text -> assertTrue(outcome.err.contains(text), outcome.err));
  }
}
