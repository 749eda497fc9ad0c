package io.rowguard.tools.relayout;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import io.rowguard.config.Guards;
import io.rowguard.config.Mode;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.LayoutChange;
import io.rowguard.relayout.Question;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.RegionSizes;
import io.rowguard.tools.cluster.TableRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Finds out what a relayout would do, and what is in its way. Changes nothing. */
final class RelayoutPlanner {
  /** Rows a second, where nobody has measured; benchmarks.md has what was measured. */
  static final double USUAL_ROWS_PER_SECOND = 5_000;

  private static final Set<String> SNAPSHOT_PROCEDURES =
      Set.of("SnapshotProcedure", "RestoreSnapshotProcedure", "CloneSnapshotProcedure");
  private static final Set<String> ENDED = Set.of("SUCCESS", "FAILED", "ROLLEDBACK");

  private final Connection connection;
  private final Configuration servers;
  private final TableName table;
  private final PlanRequest request;
  private final int timeoutMillis;
  private final List<RelayoutObstacle> obstacles = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private TableDescriptor descriptor;
  private TableConfig config;
  private MoveEstimate estimate;
  private List<byte[]> newRegions = List.of();
  private int regions;
  private long diskBytes;
  private long diskFree = -1;

  /**
   * @param servers the configuration of the region servers
   * @param timeoutMillis the longest wait for the answer of one region
   */
  RelayoutPlanner(
      Connection connection,
      Configuration servers,
      TableName table,
      PlanRequest request,
      int timeoutMillis) {
    this.connection = connection;
    this.servers = servers;
    this.table = table;
    this.request = request;
    this.timeoutMillis = timeoutMillis;
  }

  RelayoutPlan plan() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      descriptor = admin.getDescriptor(table);
      config = TableConfig.of(descriptor, servers);
      List<HRegionLocation> located = TableRegions.of(connection, table);
      regions = located.size();
      if (!admin.isTableEnabled(table)) {
        obstacle("disabled", "The table is disabled.", "enable '" + table + "'");
      } else if (hasLayoutToLeave() && canChange()) {
        declaration();
        ClusterMetrics metrics =
            admin.getClusterMetrics(EnumSet.of(Option.MASTER_COPROCESSORS, Option.LIVE_SERVERS));
        whoKnowsOfRelayouts(metrics, located);
        procedures(admin);
        sample();
        newRegions(admin, metrics, located);
        disk(located);
        furtherNotes(admin);
      }
    }
    return result();
  }

  private void obstacle(String code, String what, String wayOut) {
    obstacles.add(new RelayoutObstacle(code, what, wayOut));
  }

  private boolean hasLayoutToLeave() {
    if (config.isWrong()) {
      obstacle(
          "wrong_configuration",
          String.join(" ", config.problems()),
          "Mend the table's descriptor (alter) or hbase-site.xml.");
    } else if (!config.hasLayout()) {
      obstacle(
          "no_layout",
          "The table declares no layout, so nobody knows what its rows are.",
          "Declare the layout that its rows have (docs/operations.md, Enable); where they have no"
              + " salt, one without a salt.");
    } else if (config.relayout() != null) {
      obstacle(
          "other_relayout",
          "The table is in relayout already: " + config.relayout().change() + ".",
          "rowguard relayout status " + table + " says how far it is; finish it or turn it back.");
    }
    return obstacles.isEmpty();
  }

  private boolean canChange() {
    String obstacle = LayoutChange.obstacle(config.layout(), request.to());
    if (obstacle != null) {
      obstacle(
          "layouts",
          "Rows cannot go from " + config.layout() + " to " + request.to() + ": " + obstacle + ".",
          "Another bare key is another table: copy the rows (docs/operations.md, Change a layout)."
              + " Where a row can be read both ways, end the derived segment with another"
              + " literal.");
      return false;
    }
    try {
      EntityGroup unused = EntityGroup.of(request.to(), config.declaredGroup());
      return unused != null;
    } catch (IllegalArgumentException e) {
      obstacle(
          "group",
          "The table's entity group does not go with the new layout: " + e.getMessage() + ".",
          "Change the salt so that it is derived from segments of the group only, or alter"
              + " rowguard.group first.");
      return false;
    }
  }

  /** The one validator judges the descriptor as it would be. */
  private void declaration() {
    TableDescriptor changed = RelayoutDeclaration.prepared(descriptor, config, request.to());
    for (String problem : TableConfig.of(changed, servers).problems()) {
      obstacle("not_for_this_table", problem, "Alter the table so that it can, then plan again.");
    }
    if (!Guards.of(descriptor, servers).hasObserver()) {
      obstacle(
          "no_observer",
          "The table has no region observer, which is what moves rows.",
          "alter '" + table + "', {'coprocessor' => '|" + Guards.OBSERVER + "|1001|'}");
    }
    if (!Guards.of(descriptor, servers).hasPolicy()) {
      notes.add(
          "The table has not the layout's split policy ("
              + Guards.POLICY
              + "): regions may be cut inside groups.");
    }
  }

  private void whoKnowsOfRelayouts(ClusterMetrics metrics, List<HRegionLocation> located)
      throws IOException {
    Set<String> dumb = new TreeSet<>();
    List<RegionAnswers.Said> silent = new ArrayList<>();
    long behind = 0;
    for (RegionAnswers.Said said :
        new RegionAnswers(connection, table, timeoutMillis).to(Question.state())) {
      if (said.isDumb()) {
        dumb.add(String.valueOf(said.server()));
      } else if (said.answer() == null) {
        silent.add(said);
      } else if (said.answer().version() != config.layoutVersion()) {
        behind++;
      }
    }
    if (!dumb.isEmpty() && Guards.of(descriptor, servers).hasObserver()) {
      obstacle(
          "old_servers",
          "Servers do not know of relayouts: " + String.join(", ", dumb) + ".",
          "Put this version's rowguard-server jar there and restart them (docs/operations.md,"
              + " Install).");
    }
    if (!silent.isEmpty()) {
      obstacle(
          "silent_regions",
          silent.size()
              + " regions do not answer, such as "
              + silent.get(0).region().getEncodedName()
              + ": "
              + silent.get(0).silence()
              + ".",
          "Wait until all regions are open, then plan again; --timeout SECONDS waits longer.");
    }
    if (behind > 0) {
      obstacle(
          "regions_behind",
          behind + " regions do not have the table's descriptor of now yet.",
          "Wait until the last alter is through, then plan again.");
    }
    Set<ServerName> others = new TreeSet<>(metrics.getLiveServerMetrics().keySet());
    located.forEach(region -> others.remove(region.getServerName()));
    if (!others.isEmpty()) {
      notes.add(
          "These servers have no region of the table, so they could not be asked whether they know"
              + " of relayouts: "
              + others.stream().map(ServerName::getServerName).collect(Collectors.joining(", "))
              + ". rowguard doctor compares the jars of all.");
    }
    if (!metrics.getMasterCoprocessorNames().contains("LayoutMasterObserver")) {
      notes.add(
          "The active master has not loaded the master observer: nothing refuses a wrong alter, a"
              + " snapshot or a restore in the middle (docs/master-observer.md).");
    }
  }

  private void procedures(Admin admin) throws IOException {
    List<String> found = runningSnapshots(admin.getProcedures(), table);
    if (!found.isEmpty()) {
      obstacle(
          "snapshot",
          "A snapshot of the table is being made or restored: " + String.join(", ", found) + ".",
          "Wait for its end, then plan again.");
    }
  }

  /**
   * The procedures of a table's snapshots that run, as {@code Admin.getProcedures} tells of them.
   */
  static List<String> runningSnapshots(String procedures, TableName table) {
    List<String> found = new ArrayList<>();
    JsonArray all;
    try {
      all = JsonParser.parseString(procedures).getAsJsonArray();
    } catch (JsonParseException | IllegalStateException e) {
      throw new IllegalArgumentException("The master lists its procedures in an unknown form.", e);
    }
    for (JsonElement each : all) {
      JsonObject procedure = each.getAsJsonObject();
      String name = text(procedure, "className");
      String simple = name.substring(name.lastIndexOf('.') + 1);
      if (SNAPSHOT_PROCEDURES.contains(simple)
          && !ENDED.contains(text(procedure, "state"))
          && names(procedure, table)) {
        found.add(simple);
      }
    }
    return found;
  }

  private static String text(JsonObject json, String key) {
    return json.has(key) && json.get(key).isJsonPrimitive() ? json.get(key).getAsString() : "";
  }

  /** Names travel as Base64 in what procedures say of themselves. */
  private static boolean names(JsonObject procedure, TableName table) {
    String text = procedure.toString();
    String coded = Base64.getEncoder().encodeToString(table.getQualifier());
    return text.contains('"' + coded + '"')
        || text.contains('"' + table.getQualifierAsString() + '"');
  }

  private void sample() throws IOException {
    LayoutChange change = LayoutChange.of(config.layout(), request.to());
    estimate =
        MoveSample.of(
            connection,
            table,
            change,
            config.mode() == Mode.SALT,
            request.sampleRegions(),
            request.sampleRows());
    if (estimate.strays() > 0) {
      obstacles.add(StrayRows.of(estimate.strays(), estimate.stray()));
    }
    if (estimate.misfits() > 0) {
      notes.add(
          estimate.misfits()
              + " of the rows looked at fit neither layout, such as \""
              + estimate.misfit()
              + "\"; they stay where they are.");
    }
  }

  private void newRegions(Admin admin, ClusterMetrics metrics, List<HRegionLocation> located)
      throws IOException {
    EntityGroup group = EntityGroup.of(request.to(), config.declaredGroup());
    List<byte[]> starts = located.stream().map(each -> each.getRegion().getStartKey()).toList();
    int wanted =
        request.regions() > 0
            ? request.regions()
            : NewRegions.wanted(group, estimate, metrics.getLiveServerMetrics().size());
    List<byte[]> keys = NewRegions.boundaries(group, wanted, estimate.newRows());
    newRegions = NewRegions.missing(group, keys, starts);
    if (newRegions.isEmpty()) {
      return;
    }
    if (!descriptor.isSplitEnabled()) {
      obstacle(
          "split_disabled",
          "The table's regions may not be split (SPLIT_ENABLED), and " + makes() + ".",
          "alter '" + table + "', SPLIT_ENABLED => 'true'; or --regions 1 makes none.");
    } else if (!admin.isSplitEnabled()) {
      obstacle(
          "split_disabled",
          "Splits are switched off in this cluster, and " + makes() + ".",
          "splitormerge_switch 'SPLIT', true; or --regions 1 makes none.");
    }
  }

  private String makes() {
    return newRegions.size() + " are to be made";
  }

  private void disk(List<HRegionLocation> located) throws IOException {
    RegionSizes sizes = RegionSizes.of(connection, table);
    long stored = located.stream().mapToLong(each -> sizes.diskBytes(each.getRegion())).sum();
    double share = estimate.bytes() == 0 ? 0 : (double) estimate.movingBytes() / estimate.bytes();
    // What is in memory only has no size on disk yet.
    diskBytes = stored == 0 ? estimate.movingBytes() : Math.round(share * stored);
    String root = servers.get("hbase.rootdir");
    if (root == null) {
      return;
    }
    try {
      Path path = new Path(root);
      FileSystem fs = path.getFileSystem(servers);
      diskBytes *= fs.getDefaultReplication(path);
      diskFree = fs.getStatus(path).getRemaining();
    } catch (IOException | IllegalArgumentException e) {
      notes.add("The free disk space is not known: " + NoAnswer.reason(e) + ".");
      return;
    }
    if (diskBytes > diskFree) {
      obstacle(
          "disk_space",
          "The rows that move need "
              + Terminal.bytes(diskBytes)
              + " more until the next major compaction, and "
              + Terminal.bytes(diskFree)
              + " are free.",
          "Make room, or major-compact the table first if it has deleted much.");
    }
  }

  private void furtherNotes(Admin admin) throws IOException {
    int peers = admin.listReplicationPeers().size();
    if (peers > 0) {
      notes.add(
          peers
              + " replication peers exist; the table's families do not replicate (else that would"
              + " be in the way). What arrives from other clusters is moved like any write.");
    }
    notes.add(
        "From start to finish bulk loads, snapshots and restores of the table are refused: hold the"
            + " jobs that make them.");
  }

  private RelayoutPlan result() {
    boolean isGiven = request.rowsPerSecond() > 0;
    return new RelayoutPlan(
        table.getNameAsString(),
        config.hasLayout() ? config.layout().toString() : config.declaredLayout(),
        request.to().toString(),
        config.declaredGroup(),
        config.mode().name().toLowerCase(Locale.ROOT),
        config.layoutVersion(),
        estimate,
        regions,
        newRegions,
        isGiven ? request.rowsPerSecond() : USUAL_ROWS_PER_SECOND,
        isGiven,
        diskBytes,
        diskFree,
        config.layoutVersion() > 0,
        List.copyOf(obstacles),
        List.copyOf(notes));
  }
}
