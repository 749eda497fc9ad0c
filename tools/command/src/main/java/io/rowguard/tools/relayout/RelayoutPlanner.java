package io.rowguard.tools.relayout;

import io.rowguard.config.Guards;
import io.rowguard.config.Merges;
import io.rowguard.config.Mode;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.AddedSteps;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowText;
import io.rowguard.relayout.MovingRowSearch;
import io.rowguard.tools.cluster.RegionSizes;
import io.rowguard.tools.cluster.TableRegions;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;

/** Finds out what a relayout would do, and what is in its way. Changes nothing. */
final class RelayoutPlanner {
  /** Rows a second, where none are given; benchmarks.md has the measurement. */
  static final double USUAL_ROWS_PER_SECOND = 10_000;

  private final AlteredTable table;
  private final PlanRequest request;
  private final PlanFindings findings = new PlanFindings();
  private final ClusterFiles files;
  private TableDescriptor descriptor;
  private TableConfig config;
  private MoveEstimate estimate;
  private List<byte[]> newRegions = List.of();
  private int regions;
  private boolean compactsFirst;

  RelayoutPlanner(AlteredTable table, PlanRequest request) {
    this.table = table;
    this.request = request;
    this.files = new ClusterFiles(table.servers(), findings);
  }

  RelayoutPlan plan() throws IOException {
    try (Admin admin = table.connection().getAdmin()) {
      descriptor = table.descriptor();
      config = TableConfig.of(descriptor, table.servers());
      List<HRegionLocation> located = TableRegions.of(table.connection(), table.name());
      regions = located.size();
      if (!admin.isTableEnabled(table.name())) {
        obstacle("disabled", "The table is disabled.", "enable '" + table.name() + "'");
      } else if (hasLayoutToLeave() && canChange()) {
        declaration();
        snapshots(admin);
        ClusterMetrics metrics =
            admin.getClusterMetrics(EnumSet.of(Option.MASTER_COPROCESSORS, Option.LIVE_SERVERS));
        if (areRegionsOpen() && doRegionsAnswer(metrics)) {
          sample();
          newRegions(admin, metrics, located);
          files.look(table.name(), movingBytesOnDisk());
          compactsFirst = config.layoutVersion() > 0 && table.mayHaveLeftovers();
          new ReplicationFindings(
                  table, descriptor, List.of(config.layout(), request.to()), findings)
              .lookAtAll(admin, metrics);
          furtherNotes(admin);
        }
      }
    }
    return result();
  }

  private Guards guards() {
    return Guards.of(descriptor, table.servers());
  }

  private void obstacle(String code, String what, String wayOut) {
    findings.obstacle(code, what, wayOut);
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
          "The table declares no layout, so the form of its rows is unknown.",
          "Declare the layout that its rows have (docs/operations.md, Enable); where they have no"
              + " salt, one without a salt.");
    } else if (config.relayout() != null) {
      obstacle(
          "other_relayout",
          "The table is in relayout already: " + config.relayout().change() + ".",
          "rowguard relayout status "
              + table.name()
              + " says how far it is; finish it or turn it back.");
    }
    return findings.isClear();
  }

  private boolean canChange() {
    if (config.layout().parts().equals(request.to().parts())) {
      obstacle(
          "same_layout",
          "The table has this layout: " + config.layout() + ".",
          "Nothing is to be done. --to names the layout that the rows are to get.");
      return false;
    }
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
    for (String problem : TableConfig.of(changed, table.servers()).problems()) {
      obstacle("not_for_this_table", problem, "Alter the table so that it can, then plan again.");
    }
    if (!guards().hasObserver()) {
      obstacle(
          "no_observer",
          "The table has no region observer, which is what moves rows.",
          "alter '" + table.name() + "', {'coprocessor' => '|" + Guards.OBSERVER + "|1001|'}");
    }
    if (!guards().hasPolicy()) {
      findings.note(
          "The table has not the layout's split policy ("
              + Guards.POLICY
              + "): regions may be cut inside groups.");
    }
  }

  /** Whether all are; and finds what else steps would wait for in vain. */
  private boolean areRegionsOpen() throws IOException {
    TableObstacles obstacles = new TableObstacles(table);
    List<RelayoutObstacle> found = obstacles.all();
    found.forEach(findings::obstacle);
    if (!obstacles.unreadable().isEmpty()) {
      findings.note(
          "Whether compactions are switched on is not known of servers whose pages cannot be read: "
              + String.join(", ", obstacles.unreadable())
              + ".");
    }
    return found.stream().noneMatch(each -> each.code().equals(TableObstacles.OFFLINE));
  }

  private boolean doRegionsAnswer(ClusterMetrics metrics) throws IOException {
    return new ServerCapabilities(table, metrics, findings).ask(guards(), config.layoutVersion());
  }

  private void snapshots(Admin admin) throws IOException {
    List<String> found = RunningWork.snapshots(admin.getProcedures(), table.name());
    if (!found.isEmpty()) {
      obstacle(
          "snapshot",
          "A snapshot of the table is being made or restored: " + String.join(", ", found) + ".",
          "Wait for its end, then plan again.");
    }
  }

  private void sample() throws IOException {
    estimate =
        MoveSample.of(
            table.connection(),
            table.name(),
            LayoutChange.of(config.layout(), request.to()),
            config.mode() == Mode.SALT,
            request.sampleRegions(),
            request.sampleRows());
    if (estimate.strays().rows() > 0) {
      findings.obstacle(StrayRows.of(estimate.strays().rows(), estimate.strays().example()));
    }
    if (estimate.tooLong().rows() > 0) {
      obstacle(
          "rows_too_long",
          "Rows cannot move, since their new rows would be longer than allowed: "
              + estimate.tooLong().rows()
              + " of those looked at, such as \""
              + estimate.tooLong().example()
              + "\".",
          "Where rowguard.row.max.length is below HBase's own limit, raise it; else write them"
              + " under shorter keys and delete them.");
    }
    if (estimate.misfits().rows() > 0) {
      findings.note(
          estimate.misfits().rows()
              + " of the rows looked at fit neither layout, such as \""
              + estimate.misfits().example()
              + "\"; they stay where they are.");
    }
    if (estimate.ofTheFuture().rows() > 0) {
      findings.note(
          estimate.ofTheFuture().rows()
              + " of the rows looked at have cells of the future, such as \""
              + estimate.ofTheFuture().example()
              + "\". They move as they are, with deletes that are dated so. Where such a row has"
              + " left, it takes no write with the server's time before a major compaction, which"
              + " start and back see to.");
    }
    if (!estimate.isExact() && isEncoded()) {
      findings.note(
          "The table's blocks are encoded (DATA_BLOCK_ENCODING), and servers say the sizes of"
              + " encoded cells: more rows may move than the estimate says.");
    }
    AddedSteps steps = AddedSteps.of(config.layout(), request.to());
    if (steps != null && estimate.movingRows() == 0 && steps.isInRanges()) {
      findings.note(noteOf(steps));
    }
  }

  private boolean isEncoded() {
    return Arrays.stream(descriptor.getColumnFamilies())
        .anyMatch(family -> family.getDataBlockEncoding() != DataBlockEncoding.NONE);
  }

  /** Not from a sample: all rows are read that steps by the first of a key's segments concern. */
  private String noteOf(AddedSteps steps) throws IOException {
    try (Table source = table.connection().getTable(table.name())) {
      for (KeyRange range : steps.rows()) {
        byte[] row = MovingRowSearch.first(source, steps.change(), range);
        if (row != null) {
          return "Some rows move that the sample has missed, such as \""
              + RowText.abbreviated(row)
              + "\".";
        }
      }
    }
    return "0 rows move: none is at or above the new step. Unless such a row is written before"
        + " all regions have reopened, one alter of rowguard.layout does it, too"
        + " (docs/enforcement.md, Steps of a live table).";
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
          "alter '" + table.name() + "', SPLIT_ENABLED => 'true'; or --regions 1 makes none.");
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

  private long movingBytesOnDisk() throws IOException {
    double compression = RegionSizes.of(table.connection(), table.name()).compression();
    return Math.round(compression * estimate.movingBytes());
  }

  private void furtherNotes(Admin admin) throws IOException {
    findings.note(
        "From start to finish bulk loads, snapshots and restores of the table are refused: hold the"
            + " jobs that make them.");
    if (config.merges() != Merges.REJECT && isNormalized() && admin.isNormalizerEnabled()) {
      findings.note(
          "The normalizer is on for the table, and rowguard.merge is not reject: it may merge the"
              + " regions that are made for the new rows as long as they are small, by default once"
              + " they are three days old. alter '"
              + table.name()
              + "', METADATA => {'rowguard.merge' => 'reject'} keeps them.");
    }
  }

  /** As the normalizer's worker in the master decides it. */
  private boolean isNormalized() {
    return descriptor.getValue(TableDescriptorBuilder.NORMALIZATION_ENABLED) != null
        ? descriptor.isNormalizationEnabled()
        : table.servers().getBoolean("hbase.table.normalization.enabled", false);
  }

  private RelayoutPlan result() {
    boolean isGiven = request.rowsPerSecond() > 0;
    return new RelayoutPlan(
        table.name().getNameAsString(),
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
        files.needed(),
        files.free(),
        compactsFirst,
        findings.obstacles(),
        findings.notes());
  }
}
