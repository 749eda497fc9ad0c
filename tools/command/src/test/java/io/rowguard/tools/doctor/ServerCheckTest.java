package io.rowguard.tools.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.load.LoadVerdict;
import io.rowguard.tools.hot.HotKeyRate;
import io.rowguard.tools.hot.HotRegion;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Servers with, without, and with other jars, settings and observers. */
class ServerCheckTest {
  private static final String HBASE = "2.6.1-hadoop3";
  private static final String LIB = "/opt/hbase/lib/";
  private static final String NEW =
      LIB + "hbase-server-2.6.1.jar:" + LIB + "rowguard-server-0.2.0.jar";
  private static final String OLD = LIB + "rowguard-server-0.1.0.jar";
  private static final ServerFacts MASTER =
      new ServerFacts(
          "m",
          true,
          PluginJars.of(NEW),
          Map.of(),
          Map.of(),
          Map.of(),
          Set.of("LayoutMasterObserver"),
          null);

  private static ServerFacts server(String name, String classPath, Map<String, String> settings) {
    return new ServerFacts(
        name, false, PluginJars.of(classPath), settings, Map.of(), Map.of(), Set.of(), null);
  }

  private static List<String> codes(ServerFacts... servers) {
    return new ServerCheck(HBASE, List.of(servers))
        .findings().stream().map(each -> each.code() + " " + each.where()).toList();
  }

  @Test
  void findings_allAlike_none() {
    assertEquals(List.of(), codes(MASTER, server("a", NEW, Map.of()), server("b", NEW, Map.of())));
  }

  @Test
  void findings_versionOfHBase_isNotedUnlessItIsTested() {
    for (String tested : List.of("2.5.13-hadoop3", "2.6.4", "3.0.0")) {
      assertEquals(List.of(), new ServerCheck(tested, List.of(MASTER)).findings(), tested);
    }
    for (String other : List.of("2.4.17", "2.50.1", "3.1.0", "4.0.0-alpha-1")) {
      Finding note = new ServerCheck(other, List.of(MASTER)).findings().get(0);
      assertEquals(Severity.NOTE, note.severity());
      assertTrue(note.what().contains("2.5, 2.6, 3.0, but not on " + other), note.what());
    }
  }

  @Test
  void findings_serverWithoutTheJar_isNamed() {
    assertEquals(
        List.of("jar_missing b"),
        codes(MASTER, server("a", NEW, Map.of()), server("b", LIB + "hbase-server.jar", Map.of())));
  }

  @Test
  void findings_observerFromAJarOfTheDescriptor_isNamed() {
    ServerFacts fromElsewhere =
        new ServerFacts(
            "b",
            false,
            PluginJars.of(""),
            Map.of(),
            Map.of(),
            Map.of(),
            Set.of("LayoutRegionObserver"),
            null);
    assertEquals(List.of("jar_from_elsewhere b"), codes(MASTER, fromElsewhere));
  }

  @Test
  void findings_twoVersions_areNamedWithTheirServers() {
    List<Finding> findings =
        new ServerCheck(
                HBASE, List.of(MASTER, server("a", OLD, Map.of()), server("b", NEW, Map.of())))
            .findings();
    assertEquals("jar_versions_differ", findings.get(0).code());
    assertTrue(
        findings.get(0).what().contains("{0.1.0=[a], 0.2.0=[m, b]}"), findings.get(0).what());
    assertEquals(1, findings.size());
  }

  @Test
  void findings_twoVersionsOnOneServer_areAProblem() {
    assertTrue(
        codes(MASTER, server("a", OLD + ":" + NEW, Map.of())).contains("jar_twice a"),
        "one class path, two jars");
  }

  @Test
  void findings_settingsThatDiffer_areNamed() {
    List<Finding> findings =
        new ServerCheck(
                HBASE,
                List.of(
                    server("a", NEW, Map.of("rowguard.layout", "{id:hex(4)}")),
                    server("b", NEW, Map.of("rowguard.layout", "{id:hex(8)}")),
                    server("c", NEW, Map.of()),
                    MASTER))
            .findings();
    assertEquals(List.of("settings_differ"), findings.stream().map(Finding::code).toList());
    assertTrue(
        findings
            .get(0)
            .what()
            .contains("rowguard.layout: {{id:hex(4)}=[a], {id:hex(8)}=[b], (not set)=[c, m]}"),
        findings.get(0).what());
  }

  @Test
  void findings_silentServer_isNamedAndJudgedNoFurther() {
    ServerFacts silent =
        new ServerFacts(
            "b", false, null, null, null, Map.of(), Set.of(), "b:16030: no answer within 10 s");
    assertEquals(List.of("server_unknown b"), codes(MASTER, silent));
  }

  @Test
  void findings_noMasterObserver_isNamed() {
    ServerFacts master =
        new ServerFacts(
            "m", true, PluginJars.of(NEW), Map.of(), Map.of(), Map.of(), Set.of(), null);
    assertEquals(List.of("no_master_observer null"), codes(master));
  }

  @Test
  void jars_ofModules_serveAsTheServerJarDoes() {
    PluginJars modules =
        PluginJars.of(
            "/x/rowguard-region-observer-0.1.0-SNAPSHOT.jar:/x/rowguard-split-policy-0.1.0-SNAPSHOT.jar");
    assertTrue(modules.serveRegions() && modules.serveMasters());
    assertEquals(List.of("0.1.0-SNAPSHOT"), modules.versions());
    PluginJars half = PluginJars.of("/x/rowguard-region-observer-0.1.0.jar");
    assertTrue(!half.serveRegions() && !half.serveMasters());
    PluginJars others = PluginJars.of("/x/rowguard-client-0.1.0.jar:/x/rowguard-server-latest.jar");
    assertEquals("none", others.toString());
  }

  @Test
  void refusedWrites_severalServers_areAddedByTable() {
    Map<String, Long> counters =
        Map.of(
            "Namespace_default_table_t_metric_rejected_not_hex", 2L,
            "Namespace_default_table_t_metric_accepted_not_hex", 0L,
            "Namespace_default_table_t2_metric_rejected_not_hex", 50L);
    ServerFacts a = new ServerFacts("a", false, null, null, counters, Map.of(), Set.of(), null);
    List<Finding> findings = RefusedWrites.of("t", "default", "t", List.of(a, a));
    assertEquals(1, findings.size());
    assertEquals(
        "Since the servers started, writes were refused: not_hex 4.", findings.get(0).what());
    assertEquals(Severity.NOTE, findings.get(0).severity());
  }

  @Test
  void hotKeys_ofRegionsThatNoSplitHelps_areNamed() {
    assertEquals(HotRegion.ONE_ROW, LoadVerdict.ONE_ROW.text());
    assertEquals(HotRegion.ONE_GROUP, LoadVerdict.ONE_GROUP.text());
    EntityGroup users = EntityGroup.of(RowkeyLayout.parse("{user:word}|{n:digits(4)}"), "user");
    Map<String, List<HotRegion>> load =
        Map.of("t", List.of(hot("a", "one row"), hot("b", "one group"), hot("c", "even")));
    ServerFacts server = new ServerFacts("s", false, null, null, Map.of(), load, Set.of(), null);
    List<Finding> findings = HotKeys.of("t", users, List.of(server));
    assertEquals(
        List.of(
            "One row takes 80.0 % of the region's 1,234 operations a second: user=alice n=0001.",
            "One entity group takes 90.0 % of the region's 1,234 operations a second:"
                + " user=alice."),
        findings.stream().map(Finding::what).toList());
    assertEquals("a", findings.get(0).where());
    assertEquals(
        "No split divides that load: do this. See rowguard hot t.", findings.get(0).wayOut());
    assertEquals(List.of(), HotKeys.of("t2", users, List.of(server)));
  }

  private static HotRegion hot(String name, String verdict) {
    return new HotRegion(
        "s",
        name,
        "",
        "",
        0,
        1,
        60,
        1_000,
        234.4,
        0,
        verdict,
        "do this",
        null,
        null,
        0,
        0,
        null,
        List.of(new HotKeyRate("alice", 5, 0.9, 1_000, 111, 0)),
        List.of(new HotKeyRate("alice|0001", 10, 0.8, 1_000, 0, 0)));
  }
}
