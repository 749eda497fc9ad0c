package io.rowguard.tools.doctor;

import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowText;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.NoAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Looks at one table: what is configured, its regions, some of its rows. */
final class TableExamination {
  private static final long DEFAULT_MOST_BYTES = 10L << 30; // HConstants.DEFAULT_MAX_FILE_SIZE

  private final Cluster cluster;
  private final Request request;
  private final ClusterMetrics metrics;
  private final List<ServerFacts> servers;
  private final Configuration conf;
  private final ConfigurationCheck check;
  private final TableDescriptor descriptor;
  private final TableName name;
  private final TableConfig config;

  TableExamination(
      Cluster cluster,
      Request request,
      ClusterMetrics metrics,
      List<ServerFacts> servers,
      Configuration conf,
      ConfigurationCheck check,
      TableDescriptor descriptor) {
    this.cluster = cluster;
    this.request = request;
    this.metrics = metrics;
    this.servers = servers;
    this.conf = conf;
    this.check = check;
    this.descriptor = descriptor;
    this.name = descriptor.getTableName();
    this.config = check.config();
  }

  /** Adds what is wrong to a list; answers what was looked at. */
  TableFacts examine(List<Finding> findings) {
    findings.addAll(check.findings());
    List<RegionView> regions = List.of();
    Boolean enabled = null;
    try {
      enabled = cluster.ask(() -> cluster.admin().isTableEnabled(name));
      regions = regions();
    } catch (NoAnswer e) {
      findings.add(
          Finding.problem(
              "regions_unknown",
              name.getNameAsString(),
              null,
              "Its regions cannot be listed: " + e.getMessage() + ".",
              "Is hbase:meta being served? Try again, or with a longer --timeout."));
    }
    if (Boolean.FALSE.equals(enabled)) {
      findings.add(
          Finding.warning(
              "table_disabled",
              name.getNameAsString(),
              null,
              "The table is disabled: no server serves it, and its rows were not looked at.",
              "enable '" + name + "', or --ignore table_disabled where that is meant."));
    }
    RowSample sample = new RowSample(cluster, request, config, name.getNameAsString());
    if (config.hasLayout() && !regions.isEmpty()) {
      RegionCheck check =
          new RegionCheck(
              name.getNameAsString(),
              LayoutBoundaries.of(config.group()),
              config.relayout() == null
                  ? null
                  : LayoutBoundaries.of(config.relayout().previousGroup()));
      findings.addAll(
          check.boundaries(
              regions.stream().skip(1).map(region -> region.info().getStartKey()).toList()));
      if (Boolean.TRUE.equals(enabled)) {
        if (config.relayout() != null) {
          findings.addAll(RelayoutPause.of(cluster, name));
        }
        tooLarge(check, regions, findings);
        findings.addAll(sample.take(regions));
      }
    }
    findings.addAll(
        RefusedWrites.of(
            name.getNameAsString(),
            name.getNamespaceAsString(),
            name.getQualifierAsString(),
            servers));
    findings.addAll(HotKeys.of(name.getNameAsString(), config.group(), servers));
    return new TableFacts(
        name.getNameAsString(),
        config.declaredLayout(),
        config.declaredGroup(),
        config.hasLayout() ? config.mode().name().toLowerCase(Locale.ROOT) : null,
        check.guards().hasObserver(),
        check.guards().hasPolicy(),
        enabled,
        regions.size(),
        sample.regions(),
        sample.rows(),
        sample.bad());
  }

  /** Ascending by start key, without replicas. */
  private List<RegionView> regions() throws NoAnswer {
    List<RegionView> regions = new ArrayList<>();
    for (RegionInfo info : cluster.ask(() -> cluster.admin().getRegions(name))) {
      if (RegionReplicaUtil.isDefaultReplica(info)) {
        regions.add(view(info));
      }
    }
    regions.sort((a, b) -> RegionInfo.COMPARATOR.compare(a.info(), b.info()));
    return regions;
  }

  private RegionView view(RegionInfo info) {
    for (var server : metrics.getLiveServerMetrics().entrySet()) {
      ServerName serverName = server.getKey();
      ServerMetrics served = server.getValue();
      RegionMetrics region = served.getRegionMetrics().get(info.getRegionName());
      if (region != null) {
        return new RegionView(
            info, serverName, (long) region.getStoreFileSize().get(Size.Unit.BYTE));
      }
    }
    return new RegionView(info, null, -1);
  }

  private void tooLarge(RegionCheck check, List<RegionView> regions, List<Finding> findings) {
    long most =
        descriptor.getMaxFileSize() > 0
            ? descriptor.getMaxFileSize()
            : conf.getLong(HConstants.HREGION_MAX_FILESIZE, DEFAULT_MOST_BYTES);
    for (RegionView region : regions) {
      if (region.bytes() > most) {
        Finding finding = unsplittable(check, region, most);
        if (finding != null) {
          findings.add(finding);
        }
      }
    }
  }

  /** Two requests for a region that is too large. Null when it can be split, or that is unknown. */
  private Finding unsplittable(RegionCheck check, RegionView region, long most) {
    RegionInfo info = region.info();
    if (check.isOneGroup(info.getStartKey(), info.getEndKey())) {
      return check.unsplittable(region.name(), region.bytes(), most, null);
    }
    RegionProbe probe = new RegionProbe(cluster, region, config);
    if (probe.wouldBeRefused()) {
      return null;
    }
    try {
      RegionProbe.Ends ends = probe.ends();
      if (ends == null || !check.isOneGroupOfRows(ends.first, ends.last)) {
        return null;
      }
      byte[] first = ends.first;
      int groupEnd =
          config.layout().check(first).conforms()
              ? config.group().end(first, 0, first.length)
              : first.length;
      return check.unsplittable(
          region.name(), region.bytes(), most, RowText.abbreviated(first, 0, groupEnd));
    } catch (NoAnswer e) {
      return RowSample.notSampled(
          name.getNameAsString(), region.name(), "its first and last row", e.getMessage());
    }
  }
}
