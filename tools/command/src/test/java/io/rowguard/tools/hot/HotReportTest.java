package io.rowguard.tools.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cli.Terminal;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The content of a bean, as people and programs get it. */
class HotReportTest {
  private static final EntityGroup USERS =
      EntityGroup.of(
          RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}"),
          "user");

  private static final String KEYS =
      """
      [{"key": "13-alice%s", "length": %d, "share": 0.75, "readsPerSecond": 1,
        "writesPerSecond": 1234.5, "errorPerSecond": 0.25},
       {"key": "13-alibaba%s", "length": %d, "share": 0.2, "readsPerSecond": 400.4,
        "writesPerSecond": 0, "errorPerSecond": 12}]
      """;

  private static HotRegion region(String verdict, String boundary) {
    return region(verdict, boundary, 2500, "\"wait: why\"");
  }

  private static HotRegion region(String verdict, String boundary, int load, String answer) {
    JsonObject bean =
        JsonParser.parseString(
                """
                {"name": "Rowguard:type=Load", "Region": "abc", "StartKey": "13-", "EndKey": "",
                 "Since": 1764000000000, "Sample": 100, "HalfLifeSeconds": 60,
                 "ReadsPerSecond": 401.4, "WritesPerSecond": 1234.5, "LostPerSecond": 0,
                 "Verdict": "%s", "Advice": "do this", "Repeats": null, "Boundary": %s,
                 "SmallerSide": 0.3, "SplitLoad": %d,
                 "SplitAnswer": %s, "Groups": %s, "Rows": %s}
                """
                    .formatted(
                        verdict,
                        boundary,
                        load,
                        answer,
                        KEYS.formatted("", 8, "", 10),
                        KEYS.formatted("|0001", 13, "|0002", 15)))
            .getAsJsonObject();
    return HotRegion.of("host,16020,1", bean);
  }

  private static String print(HotTable table, HotReport.By by, int most) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    PrintWriter writer = new PrintWriter(out);
    Terminal terminal =
        new Terminal(InputStream.nullInputStream(), writer, new PrintWriter(err, true), "plain");
    new HotReport(terminal, table, by, most).print();
    writer.flush();
    return out + err.toString();
  }

  @Test
  void print_aRegion_takesKeysApart() {
    HotTable table =
        new HotTable(
            "orders", USERS, List.of(region("even", "\"13-alic\"")), List.of("b:1: refused"));
    assertEquals(
        """
        table    orders
        layout   {salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}, group user
        regions  1

        The table's hottest keys
          group                     share  reads/s  writes/s  at most more/s  region
          salt=13 user=alice       75.5 %      1.0     1,235             0.3  abc
          salt=13 user=alibaba...  24.5 %      400       0.0              12  abc
          row                            share  reads/s  writes/s  at most more/s  region
          salt=13 user=alice item=0001  75.5 %      1.0     1,235             0.3  abc
          13-alibaba|0002               24.5 %      400       0.0              12  abc

        Region abc on host,16020,1
          from     13-
          to       the end
          load     401 reads/s, 1,235 writes/s since 2025-11-24T16:00:00Z
          counted  one in 100, half after 60 s; 0.0/s lost
          verdict  even: do this
          cut      salt=13 user=alic... (13-alic): 30.0 % on the smaller side
          split    above 2,500/s; wait: why
          group                     share  reads/s  writes/s  at most more/s
          salt=13 user=alice       75.0 %      1.0     1,235             0.3
        """
            .lines()
            .limit(22)
            .toList(),
        print(table, HotReport.By.ALL, 3).lines().limit(22).toList());
  }

  @Test
  void print_splitByLoad_saysSoOnlyWhereItIs() {
    HotRegion never = region("even", "null", 0, "null");
    HotRegion notYet = region("even", "null", 9, "null");
    HotTable table = new HotTable("orders", USERS, List.of(never), List.of());
    assertFalse(print(table, HotReport.By.ALL, 3).contains("  split "));
    table = new HotTable("orders", USERS, List.of(notYet), List.of());
    assertTrue(
        print(table, HotReport.By.ALL, 3).contains("\n  split    above 9/s; not looked at yet\n"));
  }

  @Test
  void print_byReads_putsWhatIsReadFirst() {
    HotTable table = new HotTable("orders", USERS, List.of(region("even", "null")), List.of());
    List<String> lines = print(table, HotReport.By.READS, 3).lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("  row ")) {
        assertTrue(lines.get(i + 1).contains("alibaba"), lines.toString());
      }
    }
    assertTrue(print(table, HotReport.By.WRITES, 3).contains("user=alice"));
  }

  @Test
  void print_silentServer_isNoted() {
    HotTable table = new HotTable("orders", null, List.of(), List.of("b:1: refused"));
    assertTrue(print(table, HotReport.By.ALL, 3).contains("its regions are missing. b:1: refused"));
  }

  @Test
  void hottest_byEach_isInItsOrder() {
    HotRegion one = region("even", "null");
    HotTable table = new HotTable("orders", USERS, List.of(one, one, one), List.of());
    assertEquals(2, HotReport.hottest(table, HotReport.By.ALL, 2).size());
    assertEquals(5, HotReport.By.ALL.of(2, 3));
    assertEquals(2, HotReport.By.READS.of(2, 3));
    assertEquals(3, HotReport.By.WRITES.of(2, 3));
  }

  @Test
  void hottestKeys_ofSeveralRegions_haveTheirShareOfTheTable() {
    HotTable table =
        new HotTable(
            "orders",
            USERS,
            List.of(
                region("a", 10, 90, new HotKeyRate("x", 1, 0.5, 5, 45, 0)),
                region("b", 800, 100, new HotKeyRate("y", 1, 0.1, 80, 10, 0)),
                region("c", 0, 0)),
            List.of());
    assertEquals(List.of("b y 0.09", "a x 0.05"), hottest(table, HotReport.By.ALL, 9), "of 1,000");
    assertEquals(List.of("b y 0.1"), hottest(table, HotReport.By.READS, 1), "80 of 810");
    assertEquals(
        List.of("a x 0.24", "b y 0.05"), hottest(table, HotReport.By.WRITES, 9), "45 of 190");
  }

  private static HotRegion region(String name, double reads, double writes, HotKeyRate... rows) {
    return new HotRegion(
        "host,1,1",
        name,
        "",
        "",
        0,
        1,
        60,
        reads,
        writes,
        0,
        "even",
        "",
        null,
        null,
        0,
        0,
        null,
        List.of(),
        List.of(rows));
  }

  private static List<String> hottest(HotTable table, HotReport.By by, int most) {
    return TableKey.hottest(table, HotRegion::rows, by, most).stream()
        .map(k -> k.region() + " " + k.key().key() + " " + Math.round(100 * k.share()) / 100.0)
        .toList();
  }

  @Test
  void print_writersChooseTheSalt_showsTheRowsOfAKeyAsOne() {
    EntityGroup matches =
        EntityGroup.of(
            RowkeyLayout.parse("{salt:digits(1)=any of 8}-{match:word}|{user:word}"), "match");
    HotTable table =
        new HotTable(
            "matches",
            matches,
            List.of(
                region("a", 0, 40, new HotKeyRate("3-final|bob", 11, 1, 0, 40, 1)),
                region("b", 0, 60, new HotKeyRate("7-final|bob", 11, 0.5, 0, 50, 2)),
                region("c", 0, 100, new HotKeyRate("7-final|amy", 11, 0.2, 0, 60, 0)),
                region("d", 0, 0, new HotKeyRate("5-final|bo", 11, 0.2, 0, 0.5, 0))),
            List.of());
    List<String> lines =
        print(table, HotReport.By.ALL, 1).lines().map(line -> line.replaceAll(" +", " ")).toList();
    int row = lines.indexOf("The table's hottest keys") + 3;
    assertEquals(
        List.of(
            " match=final user=bob 45.0 % 0.0 90 3.0 2 rows of it",
            " match=final user=amy 30.0 % 0.0 60 0.0 c",
            " salt=5 match=final user=bo... 0.3 % 0.0 0.5 0.0 d"),
        lines.subList(row, row + 3),
        lines::toString);
    HotKeyText bare = HotKeyText.ofBareKeys(matches);
    assertEquals("match=final", bare.ofGroup(key("3-final", 7)));
    assertEquals("salt=3 match=fin...", bare.ofGroup(key("3-fin", 7)));
  }

  @Test
  void text_ofKeys_isReadByTheLayout() {
    HotKeyText text = new HotKeyText(USERS);
    // The salt must be right for a row to conform.
    String row =
        new String(
            USERS.layout().complete("alice|0001".getBytes(StandardCharsets.UTF_8)),
            StandardCharsets.UTF_8);
    String salt = row.substring(0, 2);
    assertEquals("salt=" + salt + " user=alice item=0001", text.ofRow(key(row, row.length())));
    String group = row.substring(0, row.indexOf('|'));
    assertEquals("salt=" + salt + " user=alice", text.ofGroup(key(group, group.length())));
    assertEquals("no row", text.ofRow(key("no row", 6)));
    assertEquals("no row", text.ofGroup(key("no row", 6)));
    assertEquals("\\x00\\xFF", text.ofGroup(key("\\x00\\xFF", 2)));
    assertEquals("#0123456789abcdef", text.ofRow(key("#0123456789abcdef", 13)));
    assertEquals("13-al", new HotKeyText(null).ofGroup(key("13-al", 5)));
  }

  private static HotKeyRate key(String key, int length) {
    return new HotKeyRate(key, length, 1, 1, 1, 0);
  }

  @Test
  void json_ofATable_hasItsRegions() {
    HotTable table = new HotTable("orders", USERS, List.of(region("even", "null")), List.of());
    JsonObject json =
        JsonParser.parseString(HotJson.text(table, HotReport.By.ALL, 1)).getAsJsonObject();
    assertEquals("user", json.get("group").getAsString());
    assertEquals(2, json.getAsJsonArray("groups").size());
    assertEquals(
        "abc", json.getAsJsonArray("rows").get(1).getAsJsonObject().get("region").getAsString());
    assertEquals(1, json.getAsJsonArray("regions").size());
    JsonObject region = json.getAsJsonArray("regions").get(0).getAsJsonObject();
    assertEquals("even", region.get("verdict").getAsString());
    assertTrue(region.get("boundary").isJsonNull());
    assertEquals(2500, region.get("splitLoad").getAsInt());
    assertEquals("wait: why", region.get("splitAnswer").getAsString());
    assertEquals(2, region.getAsJsonArray("rows").size());
  }
}
