package io.rowguard.tools.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.OpenRegions;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The hot keys of live tables, asked over the servers' pages. */
@ExtendWith(MiniCluster.class)
class HotIT {
  private static final RowkeyLayout LAYOUT =
      RowkeyLayout.parse("{salt:digits(1)=murmur3(user)%4}-{user:word}|{n:digits(4)}");
  private static final int WRITES = 3_000;
  private static final int USERS = 500;

  @TempDir private Path directory;

  private final HBaseTestingUtility hbase;

  HotIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  private TableName table(String name, String sample) throws Exception {
    TableName table = TableName.valueOf(name);
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                .setCoprocessor("io.rowguard.observer.LayoutRegionObserver")
                .setValue("rowguard.layout", LAYOUT.toString())
                .setValue("rowguard.group", "user")
                .setValue("rowguard.load.sample", sample)
                .setValue("rowguard.load.halflife.seconds", "3600")
                .build(),
            new byte[][] {bytes("1-"), bytes("2-"), bytes("3-")});
    OpenRegions.await(hbase, table);
    return table;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Writes rows of users of whom few have most; answers how many of each group. */
  private Map<String, Integer> write(TableName table) throws Exception {
    Random random = new Random(1);
    Map<String, Integer> counts = new TreeMap<>();
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < WRITES; i++) {
      String user = "user" + (int) (USERS * Math.pow(random.nextDouble(), 4));
      byte[] row = LAYOUT.complete(bytes(user + "|" + String.format("%04d", i)));
      puts.add(new Put(row).addColumn(bytes("f"), bytes("q"), bytes("v")));
      String group = new String(row, StandardCharsets.US_ASCII).replaceFirst("[|].*", "");
      counts.merge(group, 1, Integer::sum);
    }
    try (Table open = hbase.getConnection().getTable(table)) {
      for (int i = 0; i < WRITES; i += 100) {
        open.put(puts.subList(i, i + 100));
      }
    }
    return counts;
  }

  @Test
  void hot_fewUsersWithMostWrites_areNamedWithTheirShares() throws Exception {
    ClusterSession session = new ClusterSession(hbase, directory);
    Map<String, Integer> counts = write(table("hot_users", "1"));

    CommandResult json = session.run("hot", "hot_users", "--json", "-n", "9");
    CommandResult text = session.run("hot", "hot_users", "-n", "9");
    CommandResult map =
        session.run("heatmap", "hot_users", "--every", "1s", "--for", "1s", "--json");

    assertEquals(0, json.exitCode(), json.err());
    assertEquals(0, text.exitCode(), text.err());
    JsonObject table = JsonParser.parseString(json.out()).getAsJsonObject();
    JsonArray regions = table.getAsJsonArray("regions");
    assertEquals(4, regions.size());
    double last = Double.POSITIVE_INFINITY;
    for (JsonElement element : regions) {
      JsonObject region = element.getAsJsonObject();
      assertTrue(region.get("writesPerSecond").getAsDouble() <= last, "the hottest first");
      last = region.get("writesPerSecond").getAsDouble();
      requireTopOf(region, counts);
    }
    requireTopOfTable(table, counts);
    assertEquals(0, map.exitCode(), map.err());
    for (JsonElement range :
        JsonParser.parseString(map.out()).getAsJsonObject().getAsJsonArray("ranges")) {
      JsonObject load = range.getAsJsonObject().getAsJsonObject("load");
      assertEquals(3, load.getAsJsonArray("groups").size(), map.out());
    }
    String hottest =
        counts.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    String words = "salt=" + hottest.charAt(0) + " user=" + hottest.substring(2);
    assertTrue(text.out().contains("  " + words + " "), text.out());
    assertTrue(text.out().contains("regions  4\n"), text.out());
    assertTrue(text.out().contains("  verdict  "), text.out());
  }

  /** The ten groups with the most rows written there, with exact shares. */
  private static void requireTopOf(JsonObject region, Map<String, Integer> counts) {
    String start = region.get("startKey").getAsString();
    String salt = start.isEmpty() ? "0-" : start;
    Map<String, Integer> there = new TreeMap<>(counts);
    there.keySet().removeIf(group -> !group.startsWith(salt));
    double total = there.values().stream().mapToInt(Integer::intValue).sum();
    List<Integer> most =
        there.values().stream().sorted(Comparator.reverseOrder()).limit(10).toList();
    JsonArray groups = region.getAsJsonArray("groups");
    assertEquals(10, groups.size());
    for (int i = 0; i < 10; i++) {
      JsonObject group = groups.get(i).getAsJsonObject();
      double error = group.get("errorPerSecond").getAsDouble();
      double rate = group.get("writesPerSecond").getAsDouble();
      double share = group.get("share").getAsDouble();
      // A key that came to a counter late may have had a little before, and a little time has
      // passed.
      double count = there.get(group.get("key").getAsString()) / total;
      assertTrue(share <= count + 0.005, group + " count=" + count);
      assertTrue(share * (1 + error / rate) >= count - 0.005, group + " count=" + count);
      assertEquals(most.get(i) / total, count, 0.01, "the tenth may be as hot as the next");
    }
  }

  /**
   * The ten groups of the highest rates, of all that were written. The rate of a group is its part
   * of the writes to its region, times the rate that the same answer gives for that region: regions
   * opened at different times.
   */
  private static void requireTopOfTable(JsonObject table, Map<String, Integer> counts) {
    Map<Character, Double> perWrite = new TreeMap<>();
    for (JsonElement element : table.getAsJsonArray("regions")) {
      JsonObject region = element.getAsJsonObject();
      char salt = (region.get("startKey").getAsString() + "0").charAt(0);
      int writes =
          counts.entrySet().stream()
              .filter(group -> group.getKey().charAt(0) == salt)
              .mapToInt(Map.Entry::getValue)
              .sum();
      perWrite.put(salt, region.get("writesPerSecond").getAsDouble() / writes);
    }
    ToDoubleFunction<String> rate = group -> counts.get(group) * perWrite.get(group.charAt(0));
    double tenth =
        counts.keySet().stream()
            .map(rate::applyAsDouble)
            .sorted(Comparator.reverseOrder())
            .skip(9)
            .findFirst()
            .orElseThrow();
    JsonArray groups = table.getAsJsonArray("groups");
    Set<String> named = new TreeSet<>();
    for (JsonElement group : groups) {
      named.add(group.getAsJsonObject().get("key").getAsString());
    }
    assertEquals(10, named.size(), groups.toString());
    for (String group : named) {
      assertTrue(
          rate.applyAsDouble(group) >= 0.9 * tenth,
          () -> group + " is not one of the ten hottest: " + table + ", written: " + counts);
    }
  }

  @Test
  void hot_nothingCountedOrNoTable_isAFailureThatSaysWhatToDo() throws Exception {
    ClusterSession session = new ClusterSession(hbase, directory);
    table("hot_off", "0");
    CommandResult off = session.run("hot", "hot_off");
    assertEquals(2, off.exitCode());
    assertTrue(off.err().contains("rowguard.load.sample above 0"), off.err());
    CommandResult none = session.run("hot", "hot_none");
    assertEquals(2, none.exitCode());
    assertTrue(none.err().contains("There is no such table."), none.err());
  }
}
