package io.rowguard.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonParser;
import io.rowguard.config.Guards;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.OpenRegions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The commands' words about a table of which one region is on no server. */
@ExtendWith(MiniCluster.class)
class OfflineRegionIT {
  private static final String TABLE = "offline";
  private static final Pattern DOUBLED_STOP = Pattern.compile("\\w\\.\\.(\\s|$)");

  @TempDir private Path directory;

  private final HBaseTestingUtility hbase;
  private ClusterSession session;

  OfflineRegionIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @BeforeEach
  void setUp() throws Exception {
    session = new ClusterSession(hbase, directory);
    TableName table = TableName.valueOf(TABLE);
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .setValue("rowguard.layout", "{id:hex(4)}")
                .setCoprocessor(Guards.OBSERVER)
                .setRegionSplitPolicyClassName(Guards.POLICY)
                .build(),
            new byte[][] {Bytes.toBytes("4"), Bytes.toBytes("8")});
    OpenRegions.await(hbase, table);
    RegionInfo region = hbase.getAdmin().getRegions(table).get(1);
    hbase.getAdmin().unassign(region.getRegionName());
  }

  @AfterEach
  void drop() throws Exception {
    hbase.deleteTable(TableName.valueOf(TABLE));
  }

  /** Processes of their own, since HBase's client writes to the standard error of its process. */
  @Test
  void commands_always_printNoStackTrace() throws Exception {
    Map<Path, Process> started = new LinkedHashMap<>();
    for (List<String> command :
        List.of(
            List.of("doctor", TABLE),
            List.of("audit", TABLE),
            List.of("merge", TABLE, "--dry-run"),
            List.of("relayout plan", TABLE, "--to", "{s:hex(1)=murmur3(id)%4}-{id:hex(4)}"))) {
      Path out = directory.resolve(command.get(0).replace(' ', '-'));
      String[] args = command.subList(1, command.size()).toArray(new String[command.size() + 1]);
      args[command.size() - 1] = "-D";
      args[command.size()] = "hbase.client.retries.number=2";
      started.put(out, session.start(out, command.get(0), args));
    }
    for (Map.Entry<Path, Process> each : started.entrySet()) {
      int exitCode = each.getValue().waitFor();
      Path out = each.getKey();
      String errors = Files.readString(out.resolveSibling(out.getFileName() + ".err"));
      String text = out.getFileName() + "\n" + Files.readString(out) + errors;
      assertTrue(exitCode > 0, text);
      assertEquals(0, text.lines().filter(line -> line.startsWith("\tat ")).count(), text);
      assertTrue(errors.lines().count() <= 1, text);
      assertFalse(text.contains("RemoteWithExtrasException"), text);
      assertFalse(DOUBLED_STOP.matcher(text).find(), text);
    }
  }

  @Test
  void heatmap_always_showsTheRegionAsNotOpen() {
    CommandResult result = session.run("heatmap", TABLE, "--every", "100ms", "--for", "100ms");
    assertEquals(0, result.exitCode(), result.err());
    assertTrue(result.out().contains("3 key ranges, 1 not open at the end;"), result.out());
    List<String> ranges = result.out().lines().filter(line -> line.contains("id=4...")).toList();
    assertTrue(ranges.get(0).endsWith("  not open"), result.out());
    assertEquals(
        1, result.out().lines().filter(line -> line.endsWith("  not open")).count(), result.out());
    CommandResult json =
        session.run("heatmap", TABLE, "--every", "100ms", "--for", "100ms", "--json");
    JsonArray all = JsonParser.parseString(json.out()).getAsJsonObject().getAsJsonArray("ranges");
    assertTrue(all.get(0).getAsJsonObject().get("open").getAsBoolean());
    assertFalse(all.get(1).getAsJsonObject().get("open").getAsBoolean());
  }
}
