package io.rowguard.deploy;

import static io.rowguard.deploy.Trial.BARE_ORDER;
import static io.rowguard.deploy.Trial.BARE_ROW;
import static io.rowguard.deploy.Trial.ORDER;
import static io.rowguard.deploy.Trial.ROW;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.deploy.Script.ScriptResult;
import io.rowguard.testing.Eventually;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.util.VersionInfo;

/**
 * Checks after each command for a running HBase in {@code docs/operations.md} and in {@code
 * deploy/dist/shell}.
 */
final class OperationsSteps {
  static final String WARN_LIVE =
      "alter 'live', {'coprocessor' => '|io.rowguard.observer.LayoutRegionObserver|1001|',"
          + " SPLIT_POLICY => 'io.rowguard.split.LayoutRegionSplitPolicy',"
          + " METADATA => {'rowguard.layout' =>"
          + " '{salt:hex(2)=murmur3(tenant)%256}-{tenant:word}/{id:text}',"
          + " 'rowguard.group' => 'tenant', 'rowguard.mode' => 'warn'}}";
  static final String REJECT_LIVE = "alter 'live', {METADATA => {'rowguard.mode' => 'reject'}}";

  private static final String OFF = "alter 'orders', {METADATA => {'rowguard.mode' => 'off'}}";
  private static final String UNSET_OBSERVER =
      "alter 'orders', METHOD => 'table_att_unset', NAME => 'COPROCESSOR$1'";

  private static final String UNSET_KEYS =
      "alter 'orders', METHOD => 'table_att_unset',"
          + " NAME => ['rowguard.layout', 'rowguard.group', 'rowguard.mode']";
  private static final String UNSET_POLICY =
      "alter 'orders', METHOD => 'table_att_unset', NAME => 'SPLIT_POLICY'";
  private static final String UNSET_ALL =
      "alter 'orders', METHOD => 'table_att_unset', NAME => ['COPROCESSOR$1', 'SPLIT_POLICY',"
          + " 'rowguard.layout', 'rowguard.group', 'rowguard.mode']";

  private static final String WARN_ORDERS =
      "alter 'orders', {'coprocessor' => '|io.rowguard.observer.LayoutRegionObserver|1001|',"
          + " SPLIT_POLICY => 'io.rowguard.split.LayoutRegionSplitPolicy',"
          + " METADATA => {'rowguard.layout' =>"
          + " '{salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}',"
          + " 'rowguard.group' => 'user', 'rowguard.mode' => 'warn'}}";

  /** HBase's shell names a coprocessor in small letters when it is not given a name. */
  private static final String UNSET_ENABLED_OBSERVER =
      "alter 'orders', METHOD => 'table_att_unset', NAME => 'coprocessor$1'";

  private static final String OBSERVER =
      "coprocessor$1=|io.rowguard.observer.LayoutRegionObserver|1001|";
  private static final String POLICY = "SPLIT_POLICY=io.rowguard.split.LayoutRegionSplitPolicy";
  private static final List<String> GUARDS_OF_LIVE =
      List.of(
          POLICY,
          OBSERVER,
          "rowguard.group=tenant",
          "rowguard.layout={salt:hex(2)=murmur3(tenant)%256}-{tenant:word}/{id:text}",
          "rowguard.mode=warn");

  private final Standalone standalone;
  private final Trial trial;

  OperationsSteps(Standalone standalone, Trial trial) {
    this.standalone = standalone;
    this.trial = trial;
  }

  /** Those of the page, up to the removal of the jar. */
  Map<String, Step> page() {
    Map<String, Step> all = new HashMap<>(enable());
    all.putAll(turnOff());
    return all;
  }

  private Map<String, Step> enable() {
    return Map.of(
        WARN_LIVE,
        this::warnLive,
        "rowguard audit live",
        command -> assertFinds(command, "2 of 3 rows would be refused"),
        REJECT_LIVE,
        this::rejectLive,
        "describe 'live'",
        command -> assertPrintsGuards(command, "live"),
        "rowguard doctor live",
        this::doctor,
        "curl -s 'http://SERVER:16030/jmx?qry=Hadoop:service=HBase,name=RegionServer,"
            + "sub=Coprocessor.Region.CP_io.rowguard.*'",
        this::watch);
  }

  /** Those that turn it off and, the last, take all of it off the tables. */
  private Map<String, Step> turnOff() {
    return Map.of(
        OFF,
        command -> {
          trial.createOrders();
          trial.refuses("orders", BARE_ORDER);
          trial.execute(command.text());
          trial.accepts("orders", BARE_ORDER);
        },
        "describe 'orders'",
        command -> assertTrue(trial.execute(command.text()).contains("COPROCESSOR$1")),
        UNSET_OBSERVER,
        command -> {
          trial.createOrders();
          trial.execute(command.text());
          trial.accepts("orders", BARE_ORDER);
        },
        UNSET_KEYS,
        command -> {
          trial.createOrders();
          trial.execute(command.text());
          trial.accepts("orders", BARE_ORDER);
        },
        UNSET_POLICY,
        command -> {
          trial.execute(command.text());
          assertEquals(
              List.of("COPROCESSOR$1=|io.rowguard.observer.LayoutRegionObserver|1001|"),
              trial.guards("orders"));
        },
        UNSET_ALL,
        command -> {
          trial.createOrders();
          trial.accepts("orders", ORDER);
          trial.execute(command.text());
          trial.execute(onLive(command));
          for (String table : List.of("orders", "live")) {
            assertEquals(List.of(), trial.guards(table));
          }
          trial.accepts("orders", BARE_ORDER);
          trial.accepts("live", BARE_ROW);
        });
  }

  /** "With the names that it shows": the shell named the coprocessor of the other table itself. */
  private static String onLive(Command command) {
    return command.text().replace("orders", "live").replace("COPROCESSOR", "coprocessor");
  }

  private void warnLive(Command command) throws Exception {
    trial.createPlain("live", BARE_ROW);
    trial.execute(command.text());
    assertEquals(GUARDS_OF_LIVE, trial.guards("live"));
    trial.accepts("live", BARE_ROW + "/1");
    trial.accepts("live", ROW);
    Eventually.isTrue("the sample", () -> logged("Let through. ", "table=live"));
  }

  private void rejectLive(Command command) throws Exception {
    trial.execute(command.text());
    trial.refuses("live", BARE_ROW + "/2");
    Eventually.isTrue("the sample", () -> logged("Refused. ", "table=live"));
    // "What already lies in the table stays. It can be read, deleted"
    assertTrue(trial.has("live", BARE_ROW));
    trial.delete("live", BARE_ROW);
    assertFalse(trial.has("live", BARE_ROW));
    // "Something forgotten? warn again."
    trial.execute(command.text().replace("reject", "warn"));
    trial.accepts("live", BARE_ROW + "/2");
    trial.execute(command.text());
    trial.refuses("live", BARE_ROW + "/3");
  }

  /** All servers have the jar, the table both guards, and the rows from before do not fit. */
  private void doctor(Command command) throws Exception {
    String found = assertFinds(command, "rows_do_not_fit");
    assertTrue(found.contains("observer, split policy"), found);
    for (String problem : List.of("jar_missing", "jar_versions_differ", "no_master_observer")) {
      assertFalse(found.contains(problem), found);
    }
  }

  /** Runs the distribution's rowguard command on the cluster, where it has something to report. */
  private String assertFinds(Command command, String words) throws Exception {
    ScriptResult outcome = standalone.rowguard(command.text());
    assertEquals(1, outcome.status(), outcome.text());
    assertTrue(outcome.text().contains(words), outcome.text());
    return outcome.text();
  }

  /** The metrics that the table of the section names, as bash gets them from the servers' pages. */
  private void watch(Command command) throws Exception {
    assertTrue(command.text().contains("SERVER:16030"));
    String curl = command.text().replace("SERVER:16030", trial.serverPage());
    String page = "region server  http://" + trial.serverPage() + "/jmx\n";
    assertTrue(standalone.run("status").text().contains(page));
    // Counters are shown after ten seconds.
    for (String counter :
        List.of("conforming", "accepted_literal_missing", "rejected_literal_missing")) {
      Pattern shown =
          Pattern.compile("Namespace_default_table_live_metric_" + counter + "\": [1-9]");
      Eventually.isTrue(counter, () -> shown.matcher(standalone.bash(curl).text()).find());
    }
    String none = "\"Namespace_default_table_live_metric_rejected_wrong_configuration\": 0";
    // For a moment after a region opened, HBase shows none of its beans.
    Eventually.isTrue("none", () -> standalone.bash(curl).text().contains(none));
    if (!VersionInfo.getVersion().startsWith("2.5.")) { // which has no such page
      assertShows(trial.serverPage(), "/prometheus", "live_metric_rejected_literal_missing");
    }
    assertShows(trial.serverPage(), "/jmx", "name=RegionServer,sub=RowguardSplits\"");
    assertShows(trial.serverPage(), "/jmx", "\"UnsplittableRegions\"");
    assertShows(trial.serverPage(), "/jmx", "\"WronglyConfiguredRegions\"");
    String masterBean = "CP_io.rowguard.master.LayoutMasterObserver";
    assertShows(trial.masterPage(), "/jmx", masterBean);
    assertShows(trial.masterPage(), "/jmx", "Failed_checks\": 0");
  }

  private void assertShows(String page, String path, String text) throws Exception {
    Eventually.isTrue(
        text + " on " + path,
        () -> standalone.bash("curl -s 'http://" + page + path + "'").text().contains(text));
  }

  private boolean logged(String... words) throws Exception {
    return standalone
        .log()
        .lines()
        .anyMatch(line -> List.of(words).stream().allMatch(line::contains));
  }

  /** Those of the files that enable, check and disable, one after the other. */
  Map<String, Step> snippets() {
    return Map.of(
        WARN_ORDERS,
        command -> {
          trial.createPlain("orders", BARE_ORDER);
          trial.execute(command.text());
          trial.accepts("orders", BARE_ORDER);
        },
        "alter 'orders', {METADATA => {'rowguard.mode' => 'reject'}}",
        command -> {
          trial.execute(command.text());
          trial.refuses("orders", BARE_ORDER);
          trial.accepts("orders", ORDER);
        },
        "describe 'orders'",
        command -> assertPrintsGuards(command, "orders"),
        "list.each { |t| describe t }",
        command -> assertPrintsGuards(command, "orders"),
        OFF,
        command -> {
          trial.execute(command.text());
          trial.accepts("orders", BARE_ORDER);
        },
        UNSET_KEYS,
        command -> {
          trial.execute(command.text());
          assertEquals(List.of(POLICY, OBSERVER), trial.guards("orders"));
        },
        UNSET_ENABLED_OBSERVER,
        command -> {
          trial.execute(command.text());
          assertEquals(List.of(POLICY), trial.guards("orders"));
        },
        UNSET_POLICY,
        command -> {
          trial.execute(command.text());
          assertEquals(List.of(), trial.guards("orders"));
          trial.accepts("orders", BARE_ORDER);
        });
  }

  /** All that the table has of Rowguard is in what the shell prints. */
  private void assertPrintsGuards(Command command, String table) throws Exception {
    String printed = trial.execute(command.text());
    for (String guard : trial.guards(table)) {
      String key = guard.substring(0, guard.indexOf('='));
      assertTrue(printed.contains(key), () -> key + " in " + printed);
    }
  }
}
