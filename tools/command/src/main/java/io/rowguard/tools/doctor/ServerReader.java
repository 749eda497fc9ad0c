package io.rowguard.tools.doctor;

import io.rowguard.config.Guards;
import io.rowguard.config.RowguardKey;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.InfoPages;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.hot.HotReader;
import io.rowguard.tools.hot.HotRegion;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;

/** Asks every server for what concerns Rowguard: four requests to the info port of each. */
final class ServerReader {
  private static final String COUNTERS =
      "Hadoop:service=HBase,name=RegionServer,sub=Coprocessor.Region.CP_" + Guards.OBSERVER + "*";

  /** The keys on which servers must agree, beside Rowguard's own. */
  private static final Set<String> KEYS =
      Set.of(
          Guards.COPROCESSOR_KEYS.get(0),
          Guards.COPROCESSOR_KEYS.get(1),
          "hbase.coprocessor.enabled",
          "hbase.coprocessor.user.enabled",
          "hbase.skip.load.duplicate.table.coprocessor",
          HConstants.HBASE_REGION_SPLIT_POLICY_KEY,
          HConstants.HREGION_MAX_FILESIZE);

  private final Cluster cluster;
  private final InfoPages pages;

  ServerReader(Cluster cluster) {
    this.cluster = cluster;
    this.pages = new InfoPages(cluster.conf(), cluster.timeoutSeconds());
  }

  /** The facts of all servers: masters first, then region servers by name. */
  List<ServerFacts> read(ClusterMetrics metrics) {
    List<Callable<ServerFacts>> works = new ArrayList<>();
    ServerName active = metrics.getMasterName();
    if (active != null) {
      Set<String> coprocessors = Set.copyOf(metrics.getMasterCoprocessorNames());
      works.add(() -> facts(active, true, metrics.getMasterInfoPort(), coprocessors));
    }
    int backupPort =
        cluster.conf().getInt(HConstants.MASTER_INFO_PORT, HConstants.DEFAULT_MASTER_INFOPORT);
    for (ServerName backup : new TreeMap<>(byName(metrics.getBackupMasterNames())).values()) {
      // Its port is only known to itself: by default that of all masters.
      works.add(() -> facts(backup, true, backupPort, Set.of()));
    }
    for (ServerMetrics server : new TreeMap<>(metrics.getLiveServerMetrics()).values()) {
      works.add(
          () ->
              facts(
                  server.getServerName(),
                  false,
                  server.getInfoServerPort(),
                  server.getCoprocessorNames()));
    }
    return cluster.each(works);
  }

  private static Map<String, ServerName> byName(List<ServerName> servers) {
    Map<String, ServerName> byName = new TreeMap<>();
    servers.forEach(server -> byName.put(server.getServerName(), server));
    return byName;
  }

  private ServerFacts facts(ServerName name, boolean isMaster, int port, Set<String> coprocessors) {
    String host = name.getHostname();
    PluginJars jars = null;
    Map<String, String> settings = null;
    Map<String, Long> counters = null;
    Map<String, List<HotRegion>> load = Map.of();
    String silence = port > 0 ? null : "it has no info port";
    if (silence == null) {
      try {
        jars = PluginJars.of(pages.classPath(host, port));
        settings = relevant(pages.configuration(host, port));
        counters = isMaster ? Map.of() : pages.numbers(host, port, COUNTERS);
        load = isMaster ? Map.of() : HotReader.load(pages, name, port, null);
      } catch (NoAnswer e) {
        silence = host + ":" + port + ": " + e.getMessage();
      }
    }
    return new ServerFacts(
        name.getServerName(), isMaster, jars, settings, counters, load, coprocessors, silence);
  }

  private static Map<String, String> relevant(Map<String, String> configuration) {
    Map<String, String> relevant = new TreeMap<>();
    configuration.forEach(
        (key, value) -> {
          if (RowguardKey.isOurs(key) || KEYS.contains(key)) {
            relevant.put(key, value);
          }
        });
    return relevant;
  }
}
