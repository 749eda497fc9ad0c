package io.rowguard.tools.cluster;

import java.util.EnumSet;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.ServerMetrics;

/** The configuration of a cluster's region servers. */
public final class ServerSettings {
  /** Where these do not show it, neither do the others: a firewall is one for all. */
  private static final int MOST_ASKED = 3;

  private ServerSettings() {}

  /**
   * The configuration of a region server, of the first few that are asked; where none shows it,
   * that of this client.
   */
  public static Configuration of(Cluster cluster) {
    InfoPages pages = new InfoPages(cluster.conf(), cluster.timeoutSeconds());
    try {
      for (ServerMetrics server :
          cluster
              .ask(() -> cluster.admin().getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS)))
              .getLiveServerMetrics()
              .values()
              .stream()
              .limit(MOST_ASKED)
              .toList()) {
        Configuration settings = of(pages, server);
        if (settings != null) {
          return settings;
        }
      }
    } catch (NoAnswer e) {
      throw cluster.unreachable(e);
    }
    return cluster.conf();
  }

  /** Null where the server does not show it. */
  private static Configuration of(InfoPages pages, ServerMetrics server) {
    int port = server.getInfoServerPort();
    if (port <= 0) {
      return null;
    }
    try {
      Map<String, String> shown = pages.configuration(server.getServerName().getHostname(), port);
      Configuration settings = new Configuration(false);
      shown.forEach(settings::set);
      return settings;
    } catch (NoAnswer e) {
      // Closed to us, or asking for a login: then the client's own has to do.
      return null;
    }
  }
}
