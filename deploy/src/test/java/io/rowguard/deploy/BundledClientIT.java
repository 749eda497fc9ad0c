package io.rowguard.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The unpacked archive and an HBase in a process of its own: with the archive's own client where
 * there is no HBase on the machine, and with an installed HBase's class path.
 */
class BundledClientIT {
  private static final byte[] F = Bytes.toBytes("f");
  private static final String LAYOUT = "{id:hex(4)}";

  @TempDir static Path temporary;

  private static Processes hbase;
  private static Path unpacked;

  @BeforeAll
  static void start() throws Exception {
    unpacked = unpack(Files.createDirectory(temporary.resolve("no hbase")));
    hbase = Processes.start(temporary.resolve("hbase"));
  }

  @AfterAll
  static void stop() throws Exception {
    if (hbase != null) {
      hbase.end();
    }
  }

  private static Path unpack(Path directory) throws Exception {
    String archive = System.getProperty("rowguard.distribution");
    Process tar =
        new ProcessBuilder("tar", "xzf", archive, "-C", directory.toString()).inheritIO().start();
    assertEquals(0, tar.waitFor());
    return directory.resolve("rowguard-" + System.getProperty("rowguard.version"));
  }

  private record Outcome(int status, String out, String err) {}

  /** Runs the command of an archive on the live HBase, with nothing of HBase in the environment. */
  private static Outcome rowguard(Path archive, Map<String, String> environment, String... args)
      throws Exception {
    Path out = Files.createTempFile(temporary, "out", null);
    Path err = Files.createTempFile(temporary, "err", null);
    int status =
        builder(archive, environment, args)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start()
            .waitFor();
    return new Outcome(status, Files.readString(out), Files.readString(err));
  }

  private static ProcessBuilder builder(
      Path archive, Map<String, String> environment, String... args) {
    List<String> command = new ArrayList<>(List.of(archive + "/bin/rowguard"));
    command.addAll(Arrays.asList(args));
    command.addAll(List.of("--site", temporary.resolve("hbase/conf/hbase-site.xml").toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.matches("(HBASE|HADOOP|ROWGUARD)_.*|.*JAVA_(TOOL_)?OPTIONS"));
    builder.environment().put("ROWGUARD_JAVA_OPTS", "-Xmx512m " + Standalone.QUICK_TO_START);
    builder.environment().put("PATH", "/usr/bin:/bin");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    return builder;
  }

  private static void put(String name, String... rows) throws IOException {
    try (Connection connection = ConnectionFactory.createConnection(hbase.client());
        Table table = connection.getTable(TableName.valueOf(name))) {
      for (String row : rows) {
        table.put(new Put(Bytes.toBytes(row)).addColumn(F, F, F));
      }
    }
  }

  private static void assertWell(Outcome outcome, String said) {
    assertEquals(0, outcome.status, outcome.out + outcome.err);
    assertEquals("", outcome.err);
    assertTrue(outcome.out.contains(said), outcome.out);
  }

  private static void assertFound(Outcome outcome, String said) {
    assertEquals(1, outcome.status, outcome.out + outcome.err);
    assertEquals("", outcome.err);
    assertTrue(outcome.out.contains(said), outcome.out);
  }

  @Test
  void archive_withoutAnyHBase_createsAndAudits() throws Exception {
    Map<String, String> nothing = Map.of();
    String[] create = {"presplit", LAYOUT, "-n", "4", "--families", "f", "--create"};
    assertWell(
        rowguard(unpacked, nothing, with(create, "guarded")), "Created guarded with 4 regions.");
    put("guarded", "00ff", "80a0");
    assertWell(
        rowguard(unpacked, nothing, "audit", "guarded"), "All 2 rows fit; none would be refused.");

    assertWell(rowguard(unpacked, nothing, with(create, "plain", "--no-plugins")), "Created plain");
    put("plain", "00ff", "80A0", "ff");
    String[] audit = {"audit", "plain", "--layout", LAYOUT};
    assertFound(rowguard(unpacked, nothing, audit), "2 of 3 rows would be refused (66.7 %).");

    try (Connection connection = ConnectionFactory.createConnection(hbase.client())) {
      connection.getAdmin().snapshot("plain-monday", TableName.valueOf("plain"));
    }
    Outcome ofSnapshot =
        rowguard(unpacked, nothing, with(audit, "--snapshot", "plain-monday", "--json"));
    assertFound(ofSnapshot, "\"refused\": 2");
    Outcome missing = rowguard(unpacked, nothing, "audit", "missing");
    assertEquals(2, missing.status);
    assertEquals(1, missing.err.lines().count(), missing.err);
    assertTrue(missing.err.contains("There is no such table. table=missing"), missing.err);
  }

  @Test
  void archive_withoutAnyHBase_changesALayout() throws Exception {
    Map<String, String> nothing = Map.of();
    String salted = "{salt:digits(1)=murmur3(id)%4}-" + LAYOUT;
    String[] create = {"presplit", LAYOUT, "-n", "2", "--families", "f", "--create", "moved"};
    assertWell(rowguard(unpacked, nothing, create), "Created moved");
    put("moved", "00ff", "80a0");
    String[] start = {"relayout", "start", "moved", "--yes", "--to", salted};
    Outcome started = rowguard(unpacked, nothing, start);
    assertEquals(0, started.status, started.out + started.err);
    String[] run = {"relayout", "run", "moved"};
    assertWell(rowguard(unpacked, nothing, run), "2 rows moved");
    assertWell(rowguard(unpacked, nothing, with(run, "--mapreduce")), "0 rows moved");
    Outcome finished = rowguard(unpacked, nothing, "relayout", "finish", "moved", "--yes");
    assertEquals(0, finished.status, finished.out + finished.err);
    assertWell(rowguard(unpacked, nothing, "audit", "moved"), "All 2 rows fit");
    assertWell(rowguard(unpacked, nothing, "merge", "moved", "--dry-run"), "table    moved");
  }

  @Test
  void archive_withoutAnyHBase_diagnoses() throws Exception {
    Outcome outcome = rowguard(unpacked, Map.of(), "doctor");
    assertNotEquals(2, outcome.status, outcome.out + outcome.err);
    assertFalse(outcome.out.isEmpty());
  }

  /** There is no YARN here; that it is asked shows that its configuration was read. */
  @Test
  void audit_whereYarnIsConfigured_goesThere() throws Exception {
    Map<String, String> nothing = Map.of();
    String[] create = {"presplit", LAYOUT, "-n", "2", "--families", "f", "--create", "far"};
    assertWell(rowguard(unpacked, nothing, create), "Created far");
    Path conf = Files.createDirectory(temporary.resolve("hadoop conf"));
    site(conf.resolve("mapred-site.xml"), "mapreduce.framework.name", "yarn");
    site(conf.resolve("yarn-site.xml"), "yarn.resourcemanager.address", "127.0.0.1:1");
    Map<String, String> environment = Map.of("HADOOP_CONF_DIR", conf.toString());
    String[] audit = {
      "audit",
      "far",
      "-D",
      "ipc.client.connect.max.retries=1",
      "-D",
      "yarn.resourcemanager.connect.max-wait.ms=1000",
      "-D",
      "yarn.app.mapreduce.am.staging-dir=" + temporary.resolve("staging"),
      "--temp-dir",
      Files.createDirectory(temporary.resolve("of-yarn")).toString()
    };

    Outcome outcome = rowguard(unpacked, environment, audit);

    assertEquals(2, outcome.status, outcome.out + outcome.err);
    assertEquals(1, outcome.err.lines().count(), outcome.err);
    assertTrue(outcome.err.contains(" yarn=127.0.0.1:1 why="), outcome.err);
    assertTrue(isEmpty(temporary.resolve("of-yarn")));
    String[] here = with(audit, "-D", "mapreduce.framework.name=local");
    assertWell(rowguard(unpacked, environment, here), "All 0 rows fit");
  }

  private static void site(Path file, String name, String value) throws IOException {
    Files.writeString(
        file,
        "<configuration><property><name>"
            + name
            + "</name><value>"
            + value
            + "</value></property></configuration>\n");
  }

  @Test
  void audit_endedInItsMiddle_leavesNothing() throws Exception {
    Map<String, String> nothing = Map.of();
    String[] create = {"presplit", LAYOUT, "-n", "64", "--families", "f", "--create", "many"};
    assertWell(rowguard(unpacked, nothing, create), "Created many with 64 regions.");
    Path files = Files.createDirectory(temporary.resolve("files"));

    Process process =
        builder(unpacked, nothing, "audit", "many", "--threads", "1", "--temp-dir", "" + files)
            .redirectOutput(Redirect.DISCARD)
            .redirectError(Redirect.DISCARD)
            .start();
    while (process.isAlive() && isEmpty(files)) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    process.destroy();

    // It was at the first of its 64 regions; were it at the last, nothing would be left either.
    process.waitFor();
    assertTrue(isEmpty(files));
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.findAny().isEmpty();
    }
  }

  /** Output of an installation's bin/hbase, from the jars that Maven has. */
  @Test
  void archive_withHBaseHome_takesItsClassPath() throws Exception {
    Path archive = unpack(Files.createDirectory(temporary.resolve("with hbase")));
    // As LICENSES.txt allows; files go before the directories that hold them.
    try (Stream<Path> bundled = Files.walk(archive.resolve("lib/hbase"))) {
      for (Path file : bundled.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    Path home = temporary.resolve("hbase 2");
    Path script = Files.createDirectories(home.resolve("bin")).resolve("hbase");
    Path jars = Path.of("../tools/command/target/hbase.classpath").toAbsolutePath();
    Path conf = Files.createDirectory(home.resolve("conf"));
    Files.writeString(conf.resolve("log4j.properties"), "log4j.rootLogger=OFF\n");
    Files.writeString(
        script,
        "#!/bin/sh\necho \"$*\" >>\"$0.calls\"\n"
            + "printf '%s:' '"
            + conf
            + "'; cat '"
            + jars
            + "'\n");
    assertTrue(script.toFile().setExecutable(true));
    Map<String, String> environment = Map.of("HBASE_HOME", home.toString());

    String[] create = {"presplit", LAYOUT, "-n", "2", "--families", "f", "--create", "installed"};
    assertWell(rowguard(archive, environment, create), "Created installed with 2 regions.");
    put("installed", "00ff");
    assertWell(rowguard(archive, environment, "audit", "installed"), "All 1 rows fit");

    assertEquals(
        List.of("classpath", "--internal-classpath classpath"),
        Files.readAllLines(Path.of(script + ".calls")));
    assertEquals(2, rowguard(archive, Map.of(), "audit", "installed").status, "not without it");
    Files.writeString(script, "#!/bin/sh\nexit 1\n");
    assertEquals(2, rowguard(archive, environment, "audit", "installed").status, "nor with this");
  }

  private static String[] with(String[] command, String... more) {
    return Stream.concat(Arrays.stream(command), Arrays.stream(more)).toArray(String[]::new);
  }
}
