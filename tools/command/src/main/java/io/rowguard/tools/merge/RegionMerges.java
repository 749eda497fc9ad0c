package io.rowguard.tools.merge;

import io.rowguard.config.Mode;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.PresplitBoundaries;
import io.rowguard.layout.RowText;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cli.LayoutArguments;
import io.rowguard.tools.cli.Terminal;
import io.rowguard.tools.cluster.ClientConfiguration;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.ClusterOptions;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.RegionKeys;
import io.rowguard.tools.cluster.RegionSizes;
import io.rowguard.tools.cluster.ServerSettings;
import io.rowguard.tools.cluster.TableNames;
import io.rowguard.tools.cluster.TableRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/** Looks which regions of a table can be merged, and merges them. */
final class RegionMerges {
  /** A region whose files it shares with its parents can be merged when they are compacted. */
  private static final long PATIENCE_NANOS = TimeUnit.MINUTES.toNanos(5);

  private static final long PAUSE_MILLIS = 1_000;

  private final Connection connection;
  private final TableName table;
  private final MergeRequest request;
  private final Terminal terminal;
  private final EntityGroup group;
  private final boolean isSalted;
  private String refusal;

  private RegionMerges(
      Connection connection,
      MergeRequest request,
      Terminal terminal,
      EntityGroup group,
      boolean isSalted) {
    this.connection = connection;
    this.table = TableNames.parse(request.table());
    this.request = request;
    this.terminal = terminal;
    this.group = group;
    this.isSalted = isSalted;
  }

  /**
   * Merges, or says what would be merged.
   *
   * @param isDry whether nothing is to be done
   * @param consent asks before anything is done, once the table is known to be there; throws where
   *     nothing is to be done
   * @throws CommandFailure when the table cannot be looked at, or may not be merged
   */
  static MergeOutcome of(
      ClusterOptions options,
      MergeRequest request,
      boolean isDry,
      Runnable consent,
      Terminal terminal) {
    TableName table = TableNames.parse(request.table());
    Configuration conf = ClientConfiguration.forJob(options);
    try {
      Configuration servers;
      try (Cluster cluster = Cluster.connect(options)) {
        cluster.requireTable(table);
        servers = ServerSettings.of(cluster);
      }
      try (Connection connection = ConnectionFactory.createConnection(conf);
          Admin admin = connection.getAdmin()) {
        TableDescriptor descriptor = admin.getDescriptor(table);
        TableConfig config = TableConfig.of(descriptor, servers);
        EntityGroup group = group(request, config);
        requireMergeable(admin, descriptor, config);
        boolean isSalted = config.hasLayout() && config.mode() == Mode.SALT;
        RegionMerges merges = new RegionMerges(connection, request, terminal, group, isSalted);
        if (isDry) {
          return merges.outcome(merges.plan());
        }
        consent.run();
        return merges.merge();
      }
    } catch (IOException e) {
      throw new CommandFailure(
          "The regions cannot be merged. table="
              + request.table()
              + " "
              + ClientConfiguration.where(conf)
              + " why=\""
              + NoAnswer.reason(e)
              + (isDry
                  ? "\". Is every region being served? rowguard doctor " + table + " says more."
                  : "\". Merges before it stay; give the command again to go on."),
          e);
    }
  }

  private static EntityGroup group(MergeRequest request, TableConfig config) {
    if (request.layout() != null) {
      return LayoutArguments.group(LayoutArguments.parse(request.layout()), request.group());
    }
    if (config.isWrong()) {
      throw new CommandFailure(
          config.problemMessage(request.table(), "it is unknown which boundaries are wanted")
              + " Or give a layout: --layout.");
    }
    if (!config.hasLayout()) {
      throw new CommandFailure(
          "The table declares no layout, so it is unknown which boundaries are wanted. table="
              + request.table()
              + ". Give the one that its rows have (--layout), or set "
              + RowguardKey.LAYOUT.key()
              + " on the table.");
    }
    return config.group();
  }

  private static void requireMergeable(Admin admin, TableDescriptor table, TableConfig config)
      throws IOException {
    if (config.relayout() != null) {
      throw new CommandFailure(
          "The table is in relayout, and regions of both layouts are wanted. table="
              + table.getTableName()
              + ". Finish it first: rowguard relayout finish "
              + table.getTableName());
    }
    if (!admin.isTableEnabled(table.getTableName())) {
      throw new CommandFailure(
          "The table is disabled, and regions are merged while they are open. table="
              + table.getTableName()
              + ". Enable it first.");
    }
    if (!table.isMergeEnabled()) {
      throw new CommandFailure(
          "The table's regions may not be merged (MERGE_ENABLED). table="
              + table.getTableName()
              + ". alter '"
              + table.getTableName()
              + "', MERGE_ENABLED => 'true'");
    }
    if (!admin.isMergeEnabled()) {
      throw new CommandFailure(
          "Merges are switched off in this cluster. HBase shell: splitormerge_switch 'MERGE',"
              + " true");
    }
  }

  private List<List<MergeRegion>> plan() throws IOException {
    List<MergeRegion> regions = new ArrayList<>();
    RegionSizes sizes = RegionSizes.of(connection, table);
    for (HRegionLocation each : TableRegions.of(connection, table)) {
      boolean isEmpty = !new RegionKeys(connection, each.getRegion(), isSalted).read(row -> true);
      // A region that moves between servers has no known size: taken for too large, it stays.
      boolean isKnown = sizes.of(each.getRegion()) != null;
      regions.add(
          new MergeRegion(
              each.getRegion().getEncodedName(),
              each.getRegion().getStartKey(),
              each.getRegion().getEndKey(),
              isKnown ? sizes.diskBytes(each.getRegion()) : request.smallerThan(),
              isEmpty));
    }
    List<byte[]> splitKeys = regions.stream().skip(1).map(MergeRegion::start).toList();
    return MergePlan.of(
        regions,
        PresplitBoundaries.of(LayoutBoundaries.of(group), splitKeys),
        request.smallerThan());
  }

  private MergeOutcome outcome(List<List<MergeRegion>> groups) throws IOException {
    return new MergeOutcome(
        request.table(),
        group.layout().toString(),
        false,
        TableRegions.of(connection, table).size(),
        groups.stream().map(RegionMerges::described).toList(),
        0,
        null);
  }

  private static MergeOutcome.Merge described(List<MergeRegion> group) {
    return new MergeOutcome.Merge(
        group.size(),
        RowText.toStringBinary(group.get(0).start()),
        RowText.toStringBinary(group.get(group.size() - 1).end()),
        group.stream().mapToLong(MergeRegion::bytes).sum(),
        (int) group.stream().filter(MergeRegion::isEmpty).count());
  }

  /** Merges until there is nothing more, or only what is refused for too long. */
  private MergeOutcome merge() throws IOException {
    List<MergeOutcome.Merge> done = new ArrayList<>();
    long lastSuccess = System.nanoTime();
    List<List<MergeRegion>> groups = plan();
    while (!groups.isEmpty() && System.nanoTime() - lastSuccess < PATIENCE_NANOS) {
      List<List<MergeRegion>> now = groups.subList(0, Math.min(request.atOnce(), groups.size()));
      List<MergeOutcome.Merge> merged = mergeAll(now);
      if (merged.isEmpty()) {
        groups = rotated(groups);
        pause();
      } else {
        done.addAll(merged);
        lastSuccess = System.nanoTime();
        terminal.note("Merged " + done.size() + " times; looking again.");
        groups = plan();
      }
    }
    return new MergeOutcome(
        request.table(),
        group.layout().toString(),
        true,
        TableRegions.of(connection, table).size(),
        done,
        groups.size(),
        groups.isEmpty() ? null : refusal);
  }

  /** Refused merges come last. */
  private List<List<MergeRegion>> rotated(List<List<MergeRegion>> groups) {
    List<List<MergeRegion>> rotated = new ArrayList<>(groups);
    Collections.rotate(rotated, -request.atOnce());
    return rotated;
  }

  private List<MergeOutcome.Merge> mergeAll(List<List<MergeRegion>> groups) throws IOException {
    Map<List<MergeRegion>, Future<Void>> asked = new LinkedHashMap<>();
    List<MergeOutcome.Merge> merged = new ArrayList<>();
    try (Admin admin = connection.getAdmin()) {
      for (List<MergeRegion> group : groups) {
        byte[][] names =
            group.stream().map(region -> Bytes.toBytes(region.name())).toArray(byte[][]::new);
        try {
          asked.put(group, admin.mergeRegionsAsync(names, /* forcible= */ false));
        } catch (IOException e) {
          refusal = NoAnswer.reason(e);
        }
      }
      for (Map.Entry<List<MergeRegion>, Future<Void>> each : asked.entrySet()) {
        if (isDone(each.getValue())) {
          merged.add(described(each.getKey()));
        }
      }
    }
    return merged;
  }

  private boolean isDone(Future<Void> merge) {
    try {
      merge.get(PATIENCE_NANOS, TimeUnit.NANOSECONDS);
      return true;
    } catch (ExecutionException e) {
      refusal = NoAnswer.reason(e);
      return false;
    } catch (TimeoutException e) {
      refusal = "a merge takes longer than five minutes";
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
  }
}
