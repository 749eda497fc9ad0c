package io.rowguard.tools.relayout;

import io.rowguard.config.Mode;
import io.rowguard.config.TableConfig;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.RegionKeys;
import io.rowguard.tools.cluster.TableRegions;
import io.rowguard.tools.relayout.StepOutcome.FinishOutcome;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** The end of a relayout: when no region has an old row, the former layout is taken off. */
final class RelayoutFinish {
  private final AlteredTable table;
  private final StepListener listener;

  RelayoutFinish(AlteredTable table, StepListener listener) {
    this.table = table;
    this.listener = listener;
  }

  /**
   * Counts, and if there is nothing finishes.
   *
   * @throws CommandFailure when rows do not move (yet), or the master refuses
   */
  FinishOutcome run() throws IOException {
    TableConfig config = table.moving();
    table.awaitRegions();
    TableDescriptor counted = table.descriptor();
    listener.doing("Counting old rows in every region.");
    RegionCounts counts = RegionCounts.of(table, config);
    List<String> inTheWay = new ArrayList<>(counts.withMisplacedRows());
    inTheWay.addAll(counts.inTheWay());
    if (!inTheWay.isEmpty()) {
      return new FinishOutcome(
          false,
          counts.regions(),
          counts.misplacedRows(),
          inTheWay,
          null,
          config.layoutVersion(),
          0);
    }
    if (!table.descriptor().equals(counted)) {
      throw new CommandFailure(
          "The table has been altered while its old rows were counted, so the count is worth"
              + " nothing. table="
              + table.name()
              + ". Look who did that (rowguard relayout status "
              + table.name()
              + "), and give the command again.");
    }
    listener.doing("No region has an old row. Taking the former layout off.");
    table.alter(RelayoutDeclaration.finished(counted, config));
    TableConfig now = table.awaitRegions();
    return new FinishOutcome(
        true,
        counts.regions(),
        0,
        List.of(),
        now.layout().toString(),
        now.layoutVersion(),
        emptyRegions(now));
  }

  private int emptyRegions(TableConfig config) throws IOException {
    int empty = 0;
    for (HRegionLocation region : TableRegions.of(table.connection(), table.name())) {
      RegionKeys keys =
          new RegionKeys(table.connection(), region.getRegion(), config.mode() == Mode.SALT);
      empty += keys.read(row -> true) ? 0 : 1;
    }
    return empty;
  }
}
