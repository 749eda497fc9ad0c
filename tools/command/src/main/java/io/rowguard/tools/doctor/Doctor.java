package io.rowguard.tools.doctor;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.NoAnswer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Looks at a cluster: its servers, then table by table. Changes nothing. */
final class Doctor {
  private final Cluster cluster;
  private final Request request;
  private final List<Finding> findings = new ArrayList<>();

  Doctor(Cluster cluster, Request request) {
    this.cluster = cluster;
    this.request = request;
  }

  /**
   * Looks at everything.
   *
   * @throws CommandFailure when the cluster does not say which tables and servers it has, or a
   *     table that was asked for does not exist
   */
  Diagnosis examine() {
    ClusterMetrics metrics = metrics();
    Map<String, TableDescriptor> descriptors = descriptors();
    List<ServerFacts> servers = new ServerReader(cluster).read(metrics);
    findings.addAll(new ServerCheck(metrics.getHBaseVersion(), servers).findings());
    for (var dead : metrics.getDeadServerNames()) {
      findings.add(
          Finding.note(
              "server_dead", null, dead.getServerName(), "The master takes it for dead.", null));
    }
    Configuration conf = serverConfiguration(servers);
    List<TableFacts> tables = new ArrayList<>();
    int unguarded = 0;
    for (TableDescriptor descriptor : chosen(descriptors)) {
      ConfigurationCheck check = new ConfigurationCheck(descriptor, conf);
      if (!check.isMeant()) {
        unguarded++;
        unguarded(descriptor);
      } else {
        if (!request.tables().isEmpty()) {
          findings.addAll(check.hints());
        }
        tables.add(
            new TableExamination(cluster, request, metrics, servers, conf, check, descriptor)
                .examine(findings));
      }
    }
    return diagnosis(metrics, servers, tables, unguarded);
  }

  private ClusterMetrics metrics() {
    try {
      return cluster.ask(
          () ->
              cluster
                  .admin()
                  .getClusterMetrics(
                      EnumSet.of(
                          Option.HBASE_VERSION,
                          Option.MASTER,
                          Option.MASTER_INFO_PORT,
                          Option.MASTER_COPROCESSORS,
                          Option.BACKUP_MASTERS,
                          Option.LIVE_SERVERS,
                          Option.DEAD_SERVERS)));
    } catch (NoAnswer e) {
      throw cluster.unreachable(e);
    }
  }

  private Map<String, TableDescriptor> descriptors() {
    try {
      Map<String, TableDescriptor> byName = new TreeMap<>();
      for (TableDescriptor each : cluster.ask(() -> cluster.admin().listTableDescriptors())) {
        byName.put(each.getTableName().getNameAsString(), each);
      }
      return byName;
    } catch (NoAnswer e) {
      throw cluster.unreachable(e);
    }
  }

  private List<TableDescriptor> chosen(Map<String, TableDescriptor> descriptors) {
    if (request.tables().isEmpty()) {
      return List.copyOf(descriptors.values());
    }
    List<TableDescriptor> chosen = new ArrayList<>();
    for (String name : new LinkedHashSet<>(request.tables())) {
      TableDescriptor descriptor = descriptors.get(name);
      if (descriptor == null) {
        throw new CommandFailure(
            "There is no such table. table="
                + name
                + " tables="
                + descriptors.keySet().stream().limit(20).collect(Collectors.joining(","))
                + (descriptors.size() > 20 ? ",..." : ""));
      }
      chosen.add(descriptor);
    }
    return chosen;
  }

  /** As the region servers have it, else as this client has it, which may not be the same. */
  private Configuration serverConfiguration(List<ServerFacts> servers) {
    for (ServerFacts server : servers) {
      if (!server.isMaster() && server.settings() != null) {
        Configuration conf = new Configuration(false);
        server.settings().forEach(conf::set);
        return conf;
      }
    }
    findings.add(
        Finding.note(
            "settings_unknown",
            null,
            null,
            "No region server shows its configuration, so this client's hbase-site.xml is taken"
                + " instead.",
            null));
    return cluster.conf();
  }

  private void unguarded(TableDescriptor descriptor) {
    if (!request.tables().isEmpty()) {
      findings.add(
          Finding.note(
              "no_rowguard",
              descriptor.getTableName().getNameAsString(),
              null,
              "The table has nothing of Rowguard: any row can be written, any split made.",
              "rowguard explain and rowguard presplit help to find a layout."));
    }
  }

  private Diagnosis diagnosis(
      ClusterMetrics metrics, List<ServerFacts> servers, List<TableFacts> tables, int unguarded) {
    // The same mistake in hbase-site.xml is found with every table.
    List<Finding> reported =
        findings.stream()
            .distinct()
            .filter(each -> !request.ignored().contains(each.code()))
            .sorted(Comparator.comparing(Finding::severity))
            .toList();
    int ignored = (int) findings.stream().distinct().count() - reported.size();
    return new Diagnosis(metrics.getHBaseVersion(), servers, tables, unguarded, reported, ignored);
  }
}
