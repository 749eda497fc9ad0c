package io.rowguard.tools.doctor;

import static io.rowguard.tools.doctor.BrokenTables.IDS;
import static io.rowguard.tools.doctor.BrokenTables.ITEMS;
import static io.rowguard.tools.doctor.BrokenTables.declared;
import static io.rowguard.tools.doctor.BrokenTables.guarded;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.rowguard.config.GroupEndpoint;
import io.rowguard.config.Guards;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import io.rowguard.tools.Masked;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The doctor on a cluster with tables that are wrong in every way, and with one that is not. */
@ExtendWith(MiniCluster.class)
class DoctorIT {
  private static final Path GOLDEN = Path.of("src/test/resources/io/rowguard/tools/doctor");
  private static final boolean WRITE = "write".equals(System.getProperty("rowguard.transcripts"));

  /** The counters of JMX come ten seconds late, so they are looked at in a test of their own. */
  private static final String[] QUIET = {"--ignore", "writes_refused,writes_let_through"};

  @TempDir private Path directory;

  private final HBaseTestingUtility hbase;
  private final BrokenTables tables;
  private ClusterSession session;

  DoctorIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.tables = new BrokenTables(hbase);
  }

  @BeforeEach
  void open() throws IOException {
    session = new ClusterSession(hbase, directory);
  }

  private CommandResult doctor(String... args) {
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.addAll(List.of(QUIET));
    return session.run("doctor", all.toArray(new String[0]));
  }

  private static List<String> codes(JsonObject diagnosis) {
    List<String> codes = new ArrayList<>();
    for (JsonElement finding : diagnosis.getAsJsonArray("findings")) {
      codes.add(finding.getAsJsonObject().get("code").getAsString());
    }
    return codes;
  }

  private static JsonObject json(CommandResult result) {
    assertEquals(1, result.out().lines().count(), result.err());
    return JsonParser.parseString(result.out()).getAsJsonObject();
  }

  private static void assertGolden(String file, String actual) throws IOException {
    Path golden = GOLDEN.resolve(file);
    if (WRITE) {
      Files.writeString(golden, actual);
    } else {
      assertEquals(Files.readString(golden), actual);
    }
  }

  @Test
  void doctor_guardedTable_findsNothing() throws Exception {
    tables.create(
        guarded("doc_well", Map.of("rowguard.layout", ITEMS, "rowguard.group", "user"))
            .setCoprocessor(GroupEndpoint.NAME),
        "f",
        "kim");
    tables.put("doc_well", 10, "alice|0001", "bob|0001", "kim|0001", "zoe|0001");
    CommandResult result = doctor("doc_well", "--ignore", "no_master_observer");
    assertEquals(0, result.exitCode(), result.out());
    assertEquals("", result.err());
    assertTrue(
        result.out().contains("All is well (0 problems, 0 warnings, 0 notes; 1 ignored)."),
        result.out());
    JsonObject diagnosis = json(doctor("doc_well", "--json"));
    assertEquals(List.of("no_master_observer"), codes(diagnosis));
    JsonObject table = diagnosis.getAsJsonArray("tables").get(0).getAsJsonObject();
    assertEquals(3, table.get("regions").getAsInt());
    assertEquals(3, table.get("regionsSampled").getAsInt());
    assertEquals(4, table.get("rowsSampled").getAsInt());
    JsonArray servers = diagnosis.getAsJsonArray("servers");
    assertEquals(3, servers.size());
    for (JsonElement server : servers) {
      String versions = server.getAsJsonObject().get("versions").toString();
      assertEquals("[\"" + System.getProperty("rowguard.version") + "\"]", versions);
    }
  }

  @Test
  void doctor_brokenTables_areNamedWithAWayOut() throws Exception {
    List<String> names = breakTables();
    String[] args = names.toArray(new String[0]);
    CommandResult result = doctor(args);
    assertEquals(1, result.exitCode(), result.err());
    assertEquals("", result.err());
    assertGolden("doctor.txt", Masked.of(result.out()));
    String[] jsonArgs = Arrays.copyOf(args, args.length + 1);
    jsonArgs[args.length] = "--json";
    CommandResult json = doctor(jsonArgs);
    assertEquals(1, json.exitCode(), json.err());
    String pretty =
        new GsonBuilder()
            .setPrettyPrinting()
            .disableHtmlEscaping()
            .serializeNulls()
            .create()
            .toJson(json(json));
    assertGolden("doctor.json", Masked.of(pretty) + "\n");
  }

  private List<String> breakTables() throws Exception {
    Map<String, String> items = Map.of("rowguard.layout", ITEMS, "rowguard.group", "user");
    Map<String, String> ids = Map.of("rowguard.layout", IDS);
    tables.create(guarded("doc_cut", items), "kim|0500", "zoe");
    tables.create(guarded("doc_hex", ids), "9", "<", "a");
    tables.create(
        guarded("doc_wrong", Map.of("rowguard.layout", "{id:hex(4}", "rowguard.layuot", "x")));
    tables.create(declared("doc_unguarded", ids));
    tables.create(declared("doc_no_observer", ids).setRegionSplitPolicyClassName(Guards.POLICY));
    tables.create(declared("doc_no_policy", ids).setCoprocessor(Guards.OBSERVER));
    tables.create(
        guarded("doc_warn", Map.of("rowguard.layout", IDS, "rowguard.mode", "warn")), "8");
    tables.put("doc_warn", 10, "0001", "00FF", "9abc", "zzzz", "0");
    tables.create(guarded("doc_off", Map.of("rowguard.layout", IDS, "rowguard.mode", "off")));
    tables.create(
        guarded("doc_force", Map.of("rowguard.layout", IDS, "rowguard.force", "ticket 42")));
    tables.create(guarded("doc_large", items).setMaxFileSize(BrokenTables.MOST_BYTES), "a", "z");
    tables.fill("doc_large", "kim|");
    tables.create(declared("doc_plain", Map.of()));
    tables.create(guarded("doc_disabled", ids), "G");
    hbase.getAdmin().disableTable(TableName.valueOf("doc_disabled"));
    ClusterSession.awaitObservers(hbase);
    return List.of(
        "doc_cut",
        "doc_hex",
        "doc_wrong",
        "doc_unguarded",
        "doc_no_observer",
        "doc_no_policy",
        "doc_warn",
        "doc_off",
        "doc_force",
        "doc_large",
        "doc_plain",
        "doc_disabled");
  }

  @Test
  void doctor_disabledTable_isNotWell() throws Exception {
    tables.create(guarded("doc_asleep", Map.of("rowguard.layout", IDS)));
    hbase.getAdmin().disableTable(TableName.valueOf("doc_asleep"));
    CommandResult result = doctor("doc_asleep", "--ignore", "no_master_observer");
    assertEquals(1, result.exitCode(), result.out());
    assertTrue(result.out().contains("warning  table_disabled  table doc_asleep"), result.out());
  }

  @Test
  void doctor_manyRegions_looksAtSomeAndSaysHowMany() throws Exception {
    String[] splits =
        IntStream.range(1, 60).mapToObj(i -> String.format("%02x", i)).toArray(String[]::new);
    tables.create(guarded("doc_many", Map.of("rowguard.layout", IDS)), splits);
    JsonObject diagnosis = json(doctor("doc_many", "--sample-regions", "7", "--json"));
    JsonObject table = diagnosis.getAsJsonArray("tables").get(0).getAsJsonObject();
    assertEquals(60, table.get("regions").getAsInt());
    assertEquals(7, table.get("regionsSampled").getAsInt());
    diagnosis = json(doctor("doc_many", "--sample", "0", "--json"));
    table = diagnosis.getAsJsonArray("tables").get(0).getAsJsonObject();
    assertEquals(0, table.get("regionsSampled").getAsInt());
  }

  @Test
  void doctor_saltModeTable_isSampledThoughScansAreGuarded() throws Exception {
    tables.create(
        guarded(
            "doc_salt",
            Map.of(
                "rowguard.layout", "{salt:digits(2)=murmur3(user)%16}-{user:word}",
                "rowguard.mode", "salt")),
        "04",
        "08",
        "99");
    tables.put("doc_salt", 10, "alice", "bob", "kim", "zoe");
    JsonObject diagnosis = json(doctor("doc_salt", "--json"));
    assertEquals(
        List.of("region_unreachable", "no_master_observer", "boundary_illegal"),
        codes(diagnosis).stream().sorted((a, b) -> b.compareTo(a)).toList());
    JsonObject table = diagnosis.getAsJsonArray("tables").get(0).getAsJsonObject();
    assertEquals(4, table.get("rowsSampled").getAsInt());
    assertEquals(0, table.get("rowsThatDoNotFit").getAsInt());
  }

  /** Rows, and regions that only they can reach, are not wrong while they wait for their turn. */
  @Test
  void doctor_tableWhoseLayoutChanges_findsThatAndNothingElse() throws Exception {
    Map<String, String> before = Map.of("rowguard.layout", "{user:word}|{n:digits(4)}");
    tables.create(guarded("doc_changing", before), "1", "8", "f", "m");
    tables.put("doc_changing", 10, "8bit|0001", "alice|0001", "bob|0001", "kim|0001", "zoe|0001");
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(
                    hbase.getAdmin().getDescriptor(TableName.valueOf("doc_changing")))
                .setValue(
                    "rowguard.layout",
                    "{salt:digits(1)=murmur3(user)%10}-{user:word}|{n:digits(4)}")
                .setValue("rowguard.layout.previous", before.get("rowguard.layout"))
                .setValue("rowguard.layout.phase", "prepared")
                .setValue("rowguard.layout.generation", "1")
                .setValue("rowguard.layout.version", "1")
                .build());
    JsonObject diagnosis = json(doctor("doc_changing", "--json", "--ignore", "no_master_observer"));
    assertEquals(List.of("layout_changes"), tableCodes(diagnosis));
    JsonObject table = diagnosis.getAsJsonArray("tables").get(0).getAsJsonObject();
    assertEquals(5, table.get("rowsSampled").getAsInt());
    assertEquals(0, table.get("rowsThatDoNotFit").getAsInt());
  }

  private static List<String> tableCodes(JsonObject diagnosis) {
    List<String> codes = new ArrayList<>();
    for (JsonElement finding : diagnosis.getAsJsonArray("findings")) {
      if (!finding.getAsJsonObject().get("table").isJsonNull()) {
        codes.add(finding.getAsJsonObject().get("code").getAsString());
      }
    }
    return codes;
  }

  @Test
  void doctor_serverThatDoesNotAnswer_isAFindingAndNoHang() throws Exception {
    TableDescriptorBuilder table = guarded("doc_hanging", Map.of("rowguard.layout", IDS));
    tables.create(table.setCoprocessor(HangingObserver.class.getName()), "4", "8");
    try {
      JsonObject diagnosis = json(doctor("doc_hanging", "--timeout", "15", "--json"));
      List<String> codes = codes(diagnosis);
      assertTrue(codes.contains("region_silent"), codes::toString);
      JsonObject seen = diagnosis.getAsJsonArray("tables").get(0).getAsJsonObject();
      assertEquals(0, seen.get("rowsSampled").getAsInt());
      assertEquals(3, seen.get("regions").getAsInt());
    } finally {
      HangingObserver.LET_GO.countDown();
    }
  }

  @Test
  void doctor_refusedWrites_areNotesOnceJmxHasThem() throws Exception {
    // A job in this JVM gives all beans another service, as servers have no jobs in theirs.
    DefaultMetricsSystem.initialize("HBase");
    tables.create(guarded("doc_counted", Map.of("rowguard.layout", IDS, "rowguard.mode", "warn")));
    tables.put("doc_counted", 10, "0001", "zzzz", "yyyy");
    Eventually.isTrue(
        "counters on the info port",
        () -> {
          JsonObject diagnosis = json(session.run("doctor", "doc_counted", "--json"));
          for (JsonElement each : diagnosis.getAsJsonArray("findings")) {
            JsonObject finding = each.getAsJsonObject();
            if (finding.get("code").getAsString().equals("writes_let_through")) {
              assertEquals("note", finding.get("severity").getAsString());
              // Two rows: both region servers live in this JVM and show its counters.
              return finding.get("what").getAsString().contains("not_hex 4");
            }
          }
          return false;
        });
  }

  @Test
  void doctor_noSuchTable_isOneLineAndExitCode2() {
    CommandResult result = doctor("doc_nowhere");
    assertEquals(2, result.exitCode());
    assertEquals(1, result.err().lines().count(), result.err());
    assertTrue(
        result.err().startsWith("rowguard: There is no such table. table=doc_nowhere tables="),
        result.err());
  }

  /** Notes for some programs only are printed to those who ask for the table. */
  @Test
  void doctor_allTables_leavesOutThoseWithoutRowguardAndHints() throws Exception {
    tables.create(declared("doc_other", Map.of()));
    tables.create(
        guarded("doc_groups", Map.of("rowguard.layout", ITEMS, "rowguard.group", "user")));
    assertTrue(codes(json(doctor("doc_groups", "--json"))).contains("no_group_endpoint"));
    JsonObject diagnosis = json(doctor("--json", "--sample", "0"));
    assertFalse(codes(diagnosis).contains("no_group_endpoint"), "" + diagnosis);
    assertTrue(diagnosis.get("tablesWithoutRowguard").getAsInt() > 0);
    for (JsonElement table : diagnosis.getAsJsonArray("tables")) {
      assertTrue(!table.getAsJsonObject().get("table").getAsString().equals("doc_other"));
    }
  }
}
