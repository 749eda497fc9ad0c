package io.rowguard.tools.relayout;

import io.rowguard.config.Mode;
import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.EntityGroup;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.RegionSizes;
import io.rowguard.tools.cluster.TableRegions;
import io.rowguard.tools.relayout.StepOutcome.StartOutcome;
import io.rowguard.tools.relayout.StepRequest.PlanRequest;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * The beginning of a relayout: both layouts are declared; when every region knows them, and none
 * has a row that fits the new one only, regions are made for the new rows, and rows are let move.
 */
final class RelayoutStart {
  private final AlteredTable table;
  private final PlanRequest request;
  private final StepListener listener;
  private RelayoutPlan plan;

  RelayoutStart(AlteredTable table, PlanRequest request, StepListener listener) {
    this.table = table;
    this.request = request;
    this.listener = listener;
  }

  /**
   * Starts, or goes on with a start that was interrupted.
   *
   * @throws CommandFailure when the table is in another relayout, or the master refuses
   */
  StartOutcome run() throws IOException {
    TableConfig config = table.config();
    if (config.relayout() == null) {
      plan = new RelayoutPlanner(table, request).plan();
      if (!plan.isClear()) {
        return new StartOutcome(plan, false, 0, config.layoutVersion());
      }
      prepare();
    } else {
      requireSame(config.relayout());
      listener.doing("The table is in this relayout already; going on where its start was.");
    }
    config = table.awaitRegions();
    int made = 0;
    if (config.relayout().phase() == Relayout.Phase.PREPARED) {
      RelayoutObstacle strays = strays(config);
      if (strays != null) {
        return givenUp(strays);
      }
      made = makeRegions(config);
      table.awaitRegions();
      awaitSnapshots();
      listener.doing("Every region knows both layouts. Letting rows move.");
      table.alter(RelayoutDeclaration.moving(table.descriptor(), config));
      config = table.awaitRegions();
    }
    return new StartOutcome(plan, true, made, config.layoutVersion());
  }

  private void requireSame(Relayout relayout) {
    if (!relayout.change().to().parts().equals(request.to().parts())) {
      throw new CommandFailure(
          "The table is in another relayout. table="
              + table.name()
              + " from="
              + relayout.change().from()
              + " to="
              + relayout.change().to()
              + ". Finish it first (rowguard relayout finish "
              + table.name()
              + "), or turn it back (rowguard relayout back "
              + table.name()
              + ").");
    }
  }

  private void prepare() throws IOException {
    if (plan.compactsFirst()) {
      table.compactLeftovers(
          0,
          "an earlier relayout may have left delete markers.",
          "Nothing has been changed: mend that and give the same command again.");
    }
    listener.doing("Declaring both layouts. The old rows take the writes still.");
    TableDescriptor current = table.descriptor();
    table.alter(
        RelayoutDeclaration.prepared(
            current, TableConfig.of(current, table.servers()), request.to()));
  }

  /**
   * Waits for snapshots that began before the table was in relayout; others are refused. From HBase
   * 2.6.3 on a snapshot holds no lock of the table (HBASE-29386): one would miss a row that moves
   * from a region which is yet to come to one which has been.
   */
  private void awaitSnapshots() throws IOException {
    long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(AlteredTable.PATIENCE_MINUTES);
    boolean isTold = false;
    try (Admin admin = table.connection().getAdmin()) {
      while (true) {
        List<String> found = RunningWork.snapshots(admin.getProcedures(), table.name());
        if (found.isEmpty()) {
          return;
        }
        String what = "Snapshots of the table are under way: " + String.join(", ", found) + ".";
        if (System.nanoTime() - until > 0) {
          throw new CommandFailure(
              what
                  + " Nothing has moved: give the same command again when they are over, or rowguard"
                  + " relayout back "
                  + table.name()
                  + " to give up.");
        }
        if (!isTold) {
          listener.doing(what + " Waiting for their end.");
          isTold = true;
        }
        TablePoll.pause();
      }
    }
  }

  /**
   * Has every region look for rows that fit only the layout that rows are to go to: no other one
   * can be written now. Null when there are none.
   */
  private RelayoutObstacle strays(TableConfig config) throws IOException {
    listener.doing("Looking for rows that fit only the layout that rows are to go to.");
    RegionCounts counts = RegionCounts.of(table, config);
    if (!counts.inTheWay().isEmpty()) {
      throw new CommandFailure(
          counts.inTheWay().get(0)
              + " table="
              + table.name()
              + ". Nothing has moved: give the same command again to go on, or rowguard relayout"
              + " back "
              + table.name()
              + " to give up.");
    }
    if (counts.misplacedRows() == 0) {
      return null;
    }
    return StrayRows.search(
            table.connection(),
            table.name(),
            config.relayout().change(),
            config.mode() == Mode.SALT,
            request.threads(),
            listener)
        .obstacle(counts.misplacedRows());
  }

  private StartOutcome givenUp(RelayoutObstacle strays) throws IOException {
    listener.doing("Nothing has moved yet. Taking the new layout off.");
    table.alter(RelayoutDeclaration.givenUp(table.descriptor(), table.config()));
    TableConfig config = table.awaitRegions();
    RelayoutPlan found = plan == null ? new RelayoutPlanner(table, request).plan() : plan;
    return new StartOutcome(found.with(strays), false, 0, config.layoutVersion());
  }

  /** After both layouts are known: a boundary of the new one may be none of the old. */
  private int makeRegions(TableConfig config) throws IOException {
    List<byte[]> missing = plan == null ? missingRegions(config) : plan.newRegions();
    if (missing.isEmpty()) {
      return 0;
    }
    listener.doing("Making " + missing.size() + " regions for the new rows.");
    RegionSplits splits =
        new RegionSplits(
            table.connection(),
            config.group(),
            table.name(),
            listener,
            AlteredTable.PATIENCE_MINUTES);
    splits.at(missing);
    int moved = splits.spread(missing);
    listener.doing("Gave " + moved + " of them to other servers.");
    return missing.size();
  }

  private List<byte[]> missingRegions(TableConfig config) throws IOException {
    MoveEstimate estimate =
        MoveSample.of(
            table.connection(),
            table.name(),
            config.relayout().change(),
            config.mode() == Mode.SALT,
            request.sampleRegions(),
            request.sampleRows());
    EntityGroup group = config.group();
    int wanted = request.regions();
    if (wanted == 0) {
      try (Admin admin = table.connection().getAdmin()) {
        wanted = NewRegions.wanted(group, estimate, RegionSizes.servers(admin).size());
      }
    }
    List<byte[]> keys = NewRegions.boundaries(group, wanted, estimate.newRows());
    return NewRegions.missing(
        group, keys, TableRegions.startKeys(table.connection(), table.name()));
  }
}
