package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.mapreduce.relayout.MovePace;
import io.rowguard.testing.Eventually;
import io.rowguard.tools.ClusterSession;
import io.rowguard.tools.CommandResult;
import io.rowguard.tools.ObservedCluster;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.TableRegions;
import io.rowguard.tools.relayout.StepRequest.MoveRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Steps of a table that cannot be compacted: switched off, or a region is offline. */
class CompactionTroubleIT {
  private static final String TO = MovingTable.SIXTEEN.toString();

  @TempDir private Path directory;

  private HBaseTestingUtility hbase;
  private ClusterSession session;

  @BeforeEach
  void setUp() throws Exception {
    hbase = ObservedCluster.running();
    session = new ClusterSession(hbase, directory);
  }

  @AfterEach
  void switchCompactionsOn() throws Exception {
    hbase.getAdmin().compactionSwitch(true, List.of());
  }

  private MajorCompaction compaction(MovingTable table, List<String> said) throws IOException {
    AlteredTable altered =
        new AlteredTable(
            hbase.getConnection(),
            hbase.getConfiguration(),
            table.name(),
            Duration.ofSeconds(2),
            said::add);
    return new MajorCompaction(altered, Set.of(), said::add);
  }

  private List<HRegionLocation> regions(MovingTable table) throws IOException {
    return TableRegions.of(hbase.getConnection(), table.name());
  }

  private CommandResult run(int exitCode, String step, String... args) {
    CommandResult result = session.run("relayout " + step, args);
    assertEquals(exitCode, result.exitCode(), result.out() + result.err());
    return result;
  }

  private RegionInfo takeOffline(MovingTable table) throws Exception {
    RegionInfo region = regions(table).get(1).getRegion();
    hbase.getAdmin().unassign(region.getRegionName());
    Eventually.isTrue(
        "the master hears of it",
        () ->
            hbase.getAdmin().getClusterMetrics().getLiveServerMetrics().values().stream()
                .noneMatch(
                    server -> server.getRegionMetrics().containsKey(region.getRegionName())));
    return region;
  }

  @Test
  void steps_withCompactionsSwitchedOff_refuseAndSayWhatHelps() throws Exception {
    MovingTable table = MovingTable.create(hbase, "no_compaction", MovingTable.EIGHT, "reject");
    table.fill(MovingTable.EIGHT, 20, 1);
    run(0, "start", "no_compaction", "--yes", "--to", TO, "--regions", "1");
    run(0, "run", "no_compaction");
    Map<String, String> before = table.cells(MovingTable.SIXTEEN);
    hbase.getAdmin().compactionSwitch(false, List.of());

    CommandResult back = run(2, "back", "no_compaction", "--yes");
    assertTrue(back.err().contains("compaction_switch true"), back.err());
    assertTrue(back.err().contains("nothing was done"), back.err());
    assertEquals("2", table.value("rowguard.layout.version"));
    run(0, "finish", "no_compaction", "--yes");
    String eight = MovingTable.EIGHT.toString();
    CommandResult plan = run(1, "plan", "no_compaction", "--to", eight);
    assertTrue(plan.out().contains("compactions_off"), plan.out());
    assertTrue(plan.out().contains("compaction_switch true"), plan.out());
    assertTrue(plan.out().contains("1 thing is in the way."), plan.out());
    CommandResult start = run(1, "start", "no_compaction", "--yes", "--to", eight);
    assertTrue(start.out().contains("Nothing was done."), start.out());
    assertEquals(TO, table.value("rowguard.layout"));

    hbase.getAdmin().compactionSwitch(true, List.of());
    run(0, "start", "no_compaction", "--yes", "--to", eight, "--regions", "1");
    run(0, "run", "no_compaction");
    assertEquals(before, table.cells(MovingTable.EIGHT));
  }

  @Test
  void plan_ofATableThatMayNotBeCompacted_saysSo() throws Exception {
    MovingTable table = MovingTable.create(hbase, "not_compacted", MovingTable.EIGHT, "reject");
    table.alter("COMPACTION_ENABLED", "false");
    CommandResult plan = run(1, "plan", "not_compacted", "--to", TO);
    assertTrue(plan.out().contains("COMPACTION_ENABLED => 'true'"), plan.out());
  }

  /** The wait's own end: compactions were switched off after the look at them, say. */
  @Test
  void compact_withoutProgress_endsAndNamesRegionsAndServers() throws Exception {
    MovingTable table = MovingTable.create(hbase, "stuck", MovingTable.EIGHT, "reject", "04");
    table.fill(MovingTable.EIGHT, 20, 1);
    hbase.getAdmin().compactionSwitch(false, List.of());
    List<String> said = new CopyOnWriteArrayList<>();

    CommandFailure failure =
        assertThrows(
            CommandFailure.class,
            () -> compaction(table, said).run("The test wants it.", "Go on."));
    String message = failure.getMessage();
    for (HRegionLocation region : regions(table)) {
      assertTrue(message.contains(region.getRegion().getEncodedName()), message);
      assertTrue(message.contains("server=" + region.getServerName()), message);
    }
    assertTrue(message.contains("compaction_switch true"), message);
    assertTrue(message.endsWith("Go on."), message);
    assertEquals(2, said.size(), said.toString());

    hbase.getAdmin().compactionSwitch(true, List.of());
    compaction(table, said).run("The test wants it.", "");
  }

  @Test
  void steps_withARegionOffline_findItAndRefuse() throws Exception {
    MovingTable table = MovingTable.create(hbase, "offline", MovingTable.EIGHT, "reject", "04");
    table.fill(MovingTable.EIGHT, 20, 1);
    RegionInfo offline = takeOffline(table);

    CommandResult plan = run(1, "plan", "offline", "--to", TO);
    assertTrue(plan.out().contains("offline_regions"), plan.out());
    assertTrue(plan.out().contains(offline.getEncodedName()), plan.out());
    assertTrue(plan.out().contains("1 thing is in the way."), plan.out());
    run(1, "start", "offline", "--yes", "--to", TO);
    hbase.getAdmin().assign(offline.getRegionName());
    run(0, "start", "offline", "--yes", "--to", TO, "--regions", "1");
    assertTrue(
        RelayoutSteps.of(
                hbase.getConnection(), hbase.getConfiguration(), table.name(), StepListener.none())
            .run(MoveRequest.usual(), MovePace.of(0))
            .isDone());

    takeOffline(table);
    CommandResult back = run(2, "back", "offline", "--yes");
    assertTrue(back.err().contains(offline.getEncodedName()), back.err());
    assertEquals("2", table.value("rowguard.layout.version"));
    CommandFailure failure =
        assertThrows(
            CommandFailure.class,
            () ->
                compaction(table, new CopyOnWriteArrayList<>())
                    .run("The test wants it.", "Go on."));
    assertTrue(failure.getMessage().contains(offline.getEncodedName()), failure.getMessage());
    hbase.getAdmin().assign(offline.getRegionName());
  }
}
