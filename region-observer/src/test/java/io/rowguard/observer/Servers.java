package io.rowguard.observer;

import io.rowguard.testing.Eventually;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;

/** The live region servers of a cluster, and which region is where. */
final class Servers {
  private final HBaseTestingUtility hbase;

  Servers(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** The tables of which HBase keeps its own: since 3.0 it has namespaces in hbase:meta, too. */
  List<TableName> systemTables() throws IOException {
    return hbase.getAdmin().tableExists(TableName.NAMESPACE_TABLE_NAME)
        ? List.of(TableName.META_TABLE_NAME, TableName.NAMESPACE_TABLE_NAME)
        : List.of(TableName.META_TABLE_NAME);
  }

  /** How many of them live. */
  int count() {
    return live().size();
  }

  /** Changes the configuration of each; regions that open from then on go by it. */
  void configure(Consumer<Configuration> change) {
    for (RegionServerThread thread : live()) {
      change.accept(thread.getRegionServer().getConfiguration());
    }
  }

  /** Where a region is open, null while it is nowhere. */
  ServerName of(RegionInfo region) {
    for (RegionServerThread thread : live()) {
      HRegionServer server = thread.getRegionServer();
      HRegion open = server.getOnlineRegion(region.getRegionName());
      if (open != null && open.isAvailable()) {
        return server.getServerName();
      }
    }
    return null;
  }

  /** The open regions of a table, in the order of their keys. */
  List<HRegion> regionsOf(TableName table) {
    return live().stream()
        .flatMap(thread -> thread.getRegionServer().getRegions(table).stream())
        .map(HRegion.class::cast)
        .sorted((a, b) -> RegionInfo.COMPARATOR.compare(a.getRegionInfo(), b.getRegionInfo()))
        .toList();
  }

  /** The observer that HBase loaded for a region. */
  static Object observerOf(HRegion region) {
    return region.getCoprocessorHost().findCoprocessor(LayoutRegionObserver.class.getName());
  }

  /** A server that is not this one. */
  ServerName otherThan(ServerName server) {
    return live().stream()
        .map(Servers::nameOf)
        .filter(name -> !name.equals(server))
        .findFirst()
        .orElseThrow();
  }

  /** Moves a region; it is open there when this returns. */
  void move(RegionInfo region, ServerName to) throws Exception {
    if (!to.equals(of(region))) {
      hbase.getAdmin().move(region.getEncodedNameAsBytes(), to);
    }
    Eventually.isTrue(region + " on " + to, () -> to.equals(of(region)));
  }

  /** Kills a server as a crash does; another is at work in its place when this returns. */
  void killAndReplace(ServerName doomed) throws Exception {
    killAndReplace(doomed, () -> {});
  }

  /** The same; what is to be done as soon as it does nothing more is done then. */
  void killAndReplace(ServerName doomed, Runnable onceKilled) throws Exception {
    int all = count();
    hbase.getMiniHBaseCluster().killRegionServer(doomed);
    onceKilled.run();
    Eventually.isTrue(doomed + " is dead", () -> count() < all);
    start();
    Eventually.isTrue(
        "the dead server's place is taken",
        () -> hbase.getAdmin().getRegionServers().size() == all);
  }

  /** Starts one more. */
  void start() throws IOException {
    hbase.getMiniHBaseCluster().startRegionServer().waitForServerOnline();
  }

  /** Stops one of them, which first gives its regions away. */
  void stop(ServerName server) throws Exception {
    hbase.getMiniHBaseCluster().stopRegionServer(server);
    Eventually.isTrue(
        server + " is gone",
        () ->
            !hbase.getAdmin().getRegionServers().contains(server)
                && live().stream().noneMatch(live -> server.equals(nameOf(live))));
  }

  private static ServerName nameOf(RegionServerThread thread) {
    return thread.getRegionServer().getServerName();
  }

  private List<RegionServerThread> live() {
    return hbase.getMiniHBaseCluster().getLiveRegionServerThreads();
  }
}
