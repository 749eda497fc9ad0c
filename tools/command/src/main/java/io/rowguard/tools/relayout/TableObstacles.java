package io.rowguard.tools.relayout;

import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.InfoPages;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.TableRegions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;

/**
 * The obstacles for which a step would wait in vain: regions that no server has open, and
 * compactions that are switched off. Changes nothing.
 *
 * <p>{@code Admin.compactionSwitch} tells how the switch was by turning it, so it is read where a
 * server keeps it: in its configuration ({@code CompactSplit.setCompactionsEnabled}), which its
 * page {@code /conf} shows.
 */
final class TableObstacles {
  /** The code of regions that no server has open: nothing can be asked of those. */
  static final String OFFLINE = "offline_regions";

  private static final String SWITCH = "hbase.regionserver.compaction.enabled";
  private static final String REPORT_INTERVAL = "hbase.regionserver.msginterval";
  private static final int USUAL_REPORT_INTERVAL = 3_000;
  private static final long LEAST_MOVE_MILLIS = 3_000;
  private static final long POLL_MILLIS = 100;
  private static final int PAGE_SECONDS = 10;
  private static final int AT_ONCE = 16;
  private static final int MOST_NAMES = 10;

  private final AlteredTable table;
  private final List<String> unreadable = new ArrayList<>();

  TableObstacles(AlteredTable table) {
    this.table = table;
  }

  /** All that is found. */
  List<RelayoutObstacle> all() throws IOException {
    List<RelayoutObstacle> found = new ArrayList<>();
    try (Admin admin = table.connection().getAdmin()) {
      RelayoutObstacle offline = offlineRegions(admin);
      if (offline != null) {
        found.add(offline);
      }
      RelayoutObstacle off = compactionsOff(admin);
      if (off != null) {
        found.add(off);
      }
    }
    return found;
  }

  /** The servers whose switch could not be read, after {@link #all}. */
  List<String> unreadable() {
    return List.copyOf(unreadable);
  }

  /**
   * Regions that no server has reported to the master for two reports, as one that moves would be.
   */
  private RelayoutObstacle offlineRegions(Admin admin) throws IOException {
    int interval = table.servers().getInt(REPORT_INTERVAL, USUAL_REPORT_INTERVAL);
    long until =
        System.nanoTime()
            + TimeUnit.MILLISECONDS.toNanos(Math.max(LEAST_MOVE_MILLIS, 2L * interval));
    while (true) {
      List<HRegionLocation> offline = notReported(admin);
      if (offline.isEmpty()) {
        return null;
      }
      if (System.nanoTime() > until) {
        return new RelayoutObstacle(
            OFFLINE,
            offline.size() + " regions are open on no server: " + names(offline) + ".",
            "If they do not open soon, look for regions in transition on the master's page; assign"
                + " '"
                + offline.get(0).getRegion().getEncodedName()
                + "' in the HBase shell opens one that was unassigned.");
      }
      sleep();
    }
  }

  private List<HRegionLocation> notReported(Admin admin) throws IOException {
    Set<byte[]> open = new TreeSet<>(Arrays::compareUnsigned);
    for (ServerMetrics server : servers(admin).values()) {
      open.addAll(server.getRegionMetrics().keySet());
    }
    return TableRegions.of(table.connection(), table.name()).stream()
        .filter(region -> !open.contains(region.getRegion().getRegionName()))
        .toList();
  }

  private static Map<ServerName, ServerMetrics> servers(Admin admin) throws IOException {
    return admin.getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS)).getLiveServerMetrics();
  }

  private static String names(List<HRegionLocation> regions) {
    return regions.stream()
            .limit(MOST_NAMES)
            .map(region -> region.getRegion().getEncodedName())
            .collect(Collectors.joining(", "))
        + (regions.size() > MOST_NAMES ? " ..." : "");
  }

  private RelayoutObstacle compactionsOff(Admin admin) throws IOException {
    if (!table.descriptor().isCompactionEnabled()) {
      return new RelayoutObstacle(
          "compactions_off",
          "Compactions of the table are switched off (COMPACTION_ENABLED).",
          "alter '" + table.name() + "', COMPACTION_ENABLED => 'true'");
    }
    Map<ServerName, Integer> ports = new TreeMap<>();
    servers(admin).forEach((name, server) -> ports.put(name, server.getInfoServerPort()));
    ports.keySet().retainAll(ownServers());
    List<String> off = new ArrayList<>();
    switches(ports)
        .forEach(
            (server, value) -> {
              if (value == null) {
                unreadable.add(server.getServerName());
              } else if (!Boolean.parseBoolean(value)) {
                off.add(server.getServerName());
              }
            });
    if (off.isEmpty()) {
      return null;
    }
    return new RelayoutObstacle(
        "compactions_off",
        "Compactions are switched off on servers of the table: " + String.join(", ", off) + ".",
        "compaction_switch true in the HBase shell; where hbase-site.xml says "
            + SWITCH
            + "=false, mend that, too.");
  }

  private Set<ServerName> ownServers() throws IOException {
    return TableRegions.of(table.connection(), table.name()).stream()
        .map(HRegionLocation::getServerName)
        .filter(server -> server != null)
        .collect(Collectors.toSet());
  }

  /** The state of each server's switch; null where it does not show it. */
  private Map<ServerName, String> switches(Map<ServerName, Integer> ports) {
    InfoPages pages = new InfoPages(table.connection().getConfiguration(), PAGE_SECONDS);
    Map<ServerName, Future<String>> asked = new TreeMap<>();
    ExecutorService askers =
        Executors.newFixedThreadPool(Math.max(1, Math.min(AT_ONCE, ports.size())));
    try {
      ports.forEach((server, port) -> asked.put(server, askers.submit(read(pages, server, port))));
      Map<ServerName, String> found = new TreeMap<>();
      for (Map.Entry<ServerName, Future<String>> each : asked.entrySet()) {
        found.put(each.getKey(), each.getValue().get());
      }
      return found;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    } finally {
      askers.shutdownNow();
    }
  }

  private static Callable<String> read(InfoPages pages, ServerName server, int port) {
    return () -> {
      if (port <= 0) {
        return null;
      }
      try {
        return pages.configuration(server.getHostname(), port).getOrDefault(SWITCH, "true");
      } catch (NoAnswer e) {
        return null; // closed to us, or asking for a login
      }
    };
  }

  private static void sleep() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
  }
}
