package io.rowguard.tools.relayout;

import io.rowguard.config.TableConfig;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.tools.cluster.NoAnswer;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.replication.ReplicationLoadSource;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.replication.ReplicationPeerDescription;

/**
 * Looks at the clusters that a table replicates to for what is in the way of a relayout. Those that
 * it only gets edits from are not known here. Changes nothing.
 */
final class ReplicationFindings {
  private static final String OF_HBASE = "HBaseInterClusterReplicationEndpoint";

  /** HBase 2.5 and 2.6 have a peer with it for region replicas, which gets edits of all tables. */
  private static final String OF_REPLICAS = "RegionReplicaReplicationEndpoint";

  private static final String BULK_LOADS = "hbase.replication.bulkload.enabled";

  /** A cluster that is not there is not waited for long. */
  private static final int PEER_MILLIS = 20_000;

  private final AlteredTable table;
  private final TableDescriptor descriptor;
  private final List<RowkeyLayout> layouts;
  private final PlanFindings findings;

  /**
   * @param layouts the table's own, and the one that rows are to go to
   */
  ReplicationFindings(
      AlteredTable table,
      TableDescriptor descriptor,
      List<RowkeyLayout> layouts,
      PlanFindings findings) {
    this.table = table;
    this.descriptor = descriptor;
    this.layouts = layouts;
    this.findings = findings;
  }

  /** Looks at each peer of the cluster. */
  void lookAtAll(Admin admin, ClusterMetrics metrics) throws IOException {
    List<ReplicationPeerDescription> peers = admin.listReplicationPeers();
    if (!isReplicated(descriptor)) {
      if (!peers.isEmpty()) {
        findings.note(
            peers.size()
                + " replication peers exist; the table's families do not replicate. Edits that"
                + " arrive from other clusters are moved like any write.");
      }
      return;
    }
    if (table.servers().getBoolean(BULK_LOADS, false)) {
      findings.obstacle(
          "replicated_bulk_loads",
          "Bulk loads are replicated (" + BULK_LOADS + "), as files with this cluster's rows.",
          "Load the files in each cluster by itself, and set it to false.");
    }
    for (ReplicationPeerDescription peer : peers) {
      if (peer.getPeerConfig().needToReplicate(descriptor.getTableName())) {
        look(peer.getPeerId(), peer.getPeerConfig(), metrics);
      }
    }
  }

  /** Whether the edits of a table go to other clusters. */
  private static boolean isReplicated(TableDescriptor descriptor) {
    return Arrays.stream(descriptor.getColumnFamilies())
        .anyMatch(family -> family.getScope() != HConstants.REPLICATION_SCOPE_LOCAL);
  }

  /** Looks at one peer that the table's edits go to. */
  void look(String peer, ReplicationPeerConfig config, ClusterMetrics metrics) {
    String name = "Peer " + peer;
    String endpoint = config.getReplicationEndpointImpl();
    if (endpoint != null && endpoint.endsWith("." + OF_REPLICAS)) {
      return;
    }
    if (endpoint != null && !endpoint.isEmpty() && !endpoint.endsWith("." + OF_HBASE)) {
      findings.obstacle(
          "peer_endpoint",
          name
              + " has an endpoint of its own, "
              + endpoint
              + ": it gets edits under rows of both layouts, and none that takes a moved row away.",
          "It has to be without the table meanwhile (set_peer_exclude_tableCFs).");
      return;
    }
    if (config.isSerial()) {
      findings.note(
          name
              + " is serial: it keeps the order of one row's edits, not of those that go to a row"
              + " before and after it moves. They come to the same.");
    }
    long lag = lagMillis(peer, metrics);
    if (lag > TimeUnit.SECONDS.toMillis(1)) {
      findings.note(
          name
              + " is behind by "
              + TimeUnit.MILLISECONDS.toSeconds(lag)
              + " s. Begin when it is"
              + " not: where start has to compact the table, delete markers go that edits on"
              + " their way may lie below.");
    }
    lookAtTable(name, config);
  }

  private static long lagMillis(String peer, ClusterMetrics metrics) {
    long most = 0;
    for (ServerMetrics server : metrics.getLiveServerMetrics().values()) {
      for (ReplicationLoadSource source :
          server.getReplicationLoadSourceMap().getOrDefault(peer, List.of())) {
        most = Math.max(most, source.getReplicationLag());
      }
    }
    return most;
  }

  /** The other cluster has to take edits under rows of both layouts home. */
  private void lookAtTable(String name, ReplicationPeerConfig config) {
    try {
      Configuration conf =
          HBaseConfiguration.createClusterConf(table.servers(), config.getClusterKey());
      conf.setInt("hbase.client.retries.number", 2);
      conf.setInt("hbase.client.operation.timeout", PEER_MILLIS);
      conf.setInt("hbase.client.meta.operation.timeout", PEER_MILLIS);
      try (Connection connection = ConnectionFactory.createConnection(conf);
          Admin admin = connection.getAdmin()) {
        TableDescriptor there = admin.getDescriptor(descriptor.getTableName());
        TableConfig known = TableConfig.of(there, table.servers());
        if (known.knownLayouts() == null || !layouts.stream().allMatch(each -> has(known, each))) {
          findings.obstacle(
              "peer_layouts",
              name
                  + " leads to a cluster whose table does not take edits under rows of both"
                  + " layouts.",
              "There, too: alter '"
                  + table.name()
                  + "', METADATA => {'rowguard.replication.layouts'"
                  + " => '"
                  + layouts.get(0)
                  + " ; "
                  + layouts.get(1)
                  + "'}");
        }
      }
    } catch (IOException | RuntimeException e) {
      findings.note(
          name
              + " leads to a cluster whose table cannot be read from here: "
              + NoAnswer.reason(e)
              + ". See to it that its rowguard.replication.layouts names both layouts.");
    }
  }

  private static boolean has(TableConfig config, RowkeyLayout layout) {
    return config.knownLayouts().layouts().stream()
        .anyMatch(known -> known.parts().equals(layout.parts()));
  }
}
