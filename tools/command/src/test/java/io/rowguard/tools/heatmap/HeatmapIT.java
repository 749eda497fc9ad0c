package io.rowguard.tools.heatmap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.OpenRegions;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.ClusterOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Live regions that are written, moved, split and merged between readings. */
@ExtendWith(MiniCluster.class)
class HeatmapIT {
  @TempDir private Path directory;

  private final HBaseTestingUtility hbase;
  private ClusterSession session;

  HeatmapIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @BeforeEach
  void open() throws IOException {
    session = new ClusterSession(hbase, directory);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private TableName table(String name, String... splits) throws IOException {
    TableName table = TableName.valueOf(name);
    byte[][] keys = new byte[splits.length][];
    for (int i = 0; i < splits.length; i++) {
      keys[i] = bytes(splits[i]);
    }
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .setValue("rowguard.layout", "{id:hex(4)}")
                .build(),
            keys);
    OpenRegions.await(hbase, table);
    return table;
  }

  private void put(TableName table, String prefix, int rows) throws IOException {
    try (Table t = hbase.getConnection().getTable(table)) {
      for (int i = 0; i < rows; i++) {
        t.put(
            new Put(bytes(prefix + String.format("%03d", i)))
                .addColumn(bytes("f"), bytes("q"), bytes("v")));
      }
    }
  }

  private Cluster connect() throws IOException {
    Path site = directory.resolve("hbase-site.xml");
    ClusterOptions options = new ClusterOptions();
    new CommandLine(
            CommandLine.Model.CommandSpec.create()
                .addMixin("cluster", CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
        .parseArgs("--site", site.toString(), "--timeout", "30");
    return Cluster.connect(options);
  }

  private static Map<String, Long> written(SampleHistory history) {
    TimeSlice last = history.slices().get(history.slices().size() - 1);
    Map<String, Long> counts = new TreeMap<>();
    last.writes()
        .forEach(
            (range, count) -> {
              if (count > 0) {
                counts.put(range.toString(), count);
              }
            });
    return counts;
  }

  @Test
  void sample_regionsWrittenMovedSplitAndMerged_countsWhatWasWritten() throws Exception {
    TableName table = table("heat_moving", "8");
    try (Cluster cluster = connect()) {
      Sampler sampler = new Sampler(cluster, table);
      SampleHistory history = new SampleHistory(16);
      put(table, "1", 5);
      history.add(sampler.sample());
      put(table, "1", 30);
      history.add(sampler.sample());
      assertEquals(Map.of("(start) .. 8", 30L), written(history));

      move(table, "1");
      put(table, "1", 20);
      put(table, "9", 3);
      history.add(sampler.sample());
      assertEquals(Map.of("(start) .. 8", 20L, "8 .. (end)", 3L), written(history));
      assertEquals(1, history.moved());

      split(table, "c", 3);
      put(table, "9", 7);
      put(table, "d", 11);
      history.add(sampler.sample());
      assertEquals(Map.of("8 .. c", 7L, "c .. (end)", 11L), written(history));
      assertEquals(2, history.opened());
      assertEquals(1, history.gone());

      merge(table);
      put(table, "2", 13);
      history.add(sampler.sample());
      assertEquals(Map.of("(start) .. c", 13L), written(history));

      Grid grid = new Grid(history.slices());
      assertEquals(
          List.of("(start) .. 8", "8 .. c", "c .. (end)"),
          grid.ranges().stream().map(RegionRange::toString).toList());
      assertEquals(0, history.unknown());
      assertTrue(history.silent().isEmpty());
    }
  }

  private void move(TableName table, String row) throws Exception {
    try (var locator = hbase.getConnection().getRegionLocator(table)) {
      var location = locator.getRegionLocation(bytes(row), true);
      ServerName other =
          hbase.getAdmin().getRegionServers().stream()
              .filter(server -> !server.equals(location.getServerName()))
              .findFirst()
              .orElseThrow();
      hbase.getAdmin().move(location.getRegion().getEncodedNameAsBytes(), other);
      Eventually.isTrue(
          "moved to " + other,
          () -> locator.getRegionLocation(bytes(row), true).getServerName().equals(other));
    }
  }

  private void split(TableName table, String key, int regions) throws Exception {
    hbase.getAdmin().split(table, bytes(key));
    awaitRegions(table, regions);
  }

  private void merge(TableName table) throws Exception {
    List<RegionInfo> regions = hbase.getAdmin().getRegions(table);
    hbase
        .getAdmin()
        .mergeRegionsAsync(
            new byte[][] {
              regions.get(0).getEncodedNameAsBytes(), regions.get(1).getEncodedNameAsBytes()
            },
            true)
        .get();
    awaitRegions(table, regions.size() - 1);
  }

  private void awaitRegions(TableName table, int count) throws Exception {
    Eventually.isTrue(
        count + " regions of " + table,
        () ->
            hbase.getAdmin().getRegions(table).size() == count
                && hbase.getMiniHBaseCluster().getRegions(table).stream()
                        .filter(region -> region.isAvailable() && !region.isClosing())
                        .count()
                    == count);
  }

  @Test
  void heatmap_command_writesAllItsReports() throws Exception {
    TableName table = table("heat_command", "4", "8", "c");
    Path html = directory.resolve("heat.html");
    AtomicBoolean isOver = new AtomicBoolean();
    AtomicReference<IOException> failure = new AtomicReference<>();
    Thread writer = new Thread(() -> writeAndRead(table, isOver, failure));
    writer.start();
    CommandResult json;
    CommandResult text;
    try {
      json =
          runUntil(
              out -> out.split("\"hottest\":\"4 .. 8", -1).length >= 3,
              "heat_command",
              "--every",
              "500ms",
              "--for",
              "2s",
              "--json",
              "--html",
              html.toString());
      text =
          runUntil(
              out -> out.split(" 4 \\.\\. 8", -1).length == 3,
              "heat_command",
              "--every",
              "500ms",
              "--for",
              "1s");
    } finally {
      isOver.set(true);
      writer.join();
    }
    assertEquals(0, json.exitCode(), json.err());
    JsonObject report = JsonParser.parseString(json.out()).getAsJsonObject();
    assertTrue(report.get("readings").getAsInt() >= 2, json.out());
    assertEquals("{id:hex(4)}", report.get("layout").getAsString());
    JsonObject writes = report.getAsJsonObject("writes");
    assertTrue(writes.get("total").getAsLong() > 0, json.out());
    assertEquals("4 .. 8", writes.get("hottest").getAsString());
    assertEquals(1.0, writes.get("hottestShare").getAsDouble());
    assertEquals(0.75, writes.get("gini").getAsDouble());
    assertTrue(report.getAsJsonObject("reads").get("total").getAsLong() > 0, json.out());
    long sum = 0;
    for (JsonElement column : report.getAsJsonArray("columns")) {
      sum += column.getAsJsonObject().getAsJsonArray("writes").get(1).getAsLong();
    }
    assertEquals(writes.get("total").getAsLong(), sum);
    assertTrue(Files.readString(html).contains(json.out().strip()), "the HTML has the JSON");
    assertEquals(0, text.exitCode(), text.err());
    assertTrue(text.out().matches("(?s).*\\b[23] readings in .*"), text.out());
    assertTrue(
        text.out()
            .lines()
            .anyMatch(line -> line.matches("  writes .* 100\\.0 %  0\\.750  4 \\.\\. 8")),
        text.out());
    assertEquals(
        "rowguard: Sampling heat_command every 0.5 s for 1 s; Ctrl-C ends it and writes the"
            + " report.",
        text.err().strip());
    assertNull(failure.get());
  }

  private void writeAndRead(
      TableName table, AtomicBoolean isOver, AtomicReference<IOException> failure) {
    try (Table t = hbase.getConnection().getTable(table)) {
      while (!isOver.get()) {
        put(table, "5", 10);
        t.get(new Get(bytes("5001")));
      }
    } catch (IOException e) {
      failure.set(e);
    }
  }

  /** Again where the writer did not come to write and read in that time. */
  private CommandResult runUntil(Predicate<String> isWritten, String... args) {
    CommandResult result = session.run("heatmap", args);
    for (int i = 0; i < 10 && !isWritten.test(result.out()); i++) {
      result = session.run("heatmap", args);
    }
    return result;
  }

  @Test
  void heatmap_askedToEnd_stillWritesItsReport() throws Exception {
    TableName table = table("heat_stopped", "8");
    Path out = directory.resolve("out");
    Path err = directory.resolve("err");
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of("../../deploy/rowguard").toString(),
                "heatmap",
                "heat_stopped",
                "--site",
                directory.resolve("hbase-site.xml").toString(),
                "--every",
                "1s",
                "--for",
                "1h",
                "--timeout",
                "45",
                "--json")
            .redirectOutput(out.toFile())
            .redirectError(err.toFile());
    builder.environment().keySet().removeIf(name -> name.matches("(HBASE|HADOOP|ROWGUARD)_.*"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    Eventually.isTrue(
        "sampling begins",
        () -> !process.isAlive() || Files.readString(err).contains("Ctrl-C ends it"));
    put(table, "1", 10);
    process.destroy(); // as Ctrl-C, a signal that shutdown hooks see
    assertEquals(143, process.waitFor(), "the shell's code for that signal");
    String text = Files.readString(out);
    assertFalse(text.isEmpty(), Files.readString(err));
    JsonObject report = JsonParser.parseString(text).getAsJsonObject();
    assertTrue(report.get("readings").getAsInt() >= 1, text);
    assertTrue(report.getAsJsonArray("silent").isEmpty(), text);
  }

  @Test
  void heatmap_noSuchTable_isOneLineAndExitCode2() {
    CommandResult result = session.run("heatmap", "heat_nowhere");
    assertEquals(2, result.exitCode());
    assertEquals(
        "rowguard: There is no such table. table=heat_nowhere. rowguard doctor lists those there"
            + " are.",
        result.err().strip());
    assertFalse(session.run("heatmap", "no/name").exitCode() == 0);
  }
}
