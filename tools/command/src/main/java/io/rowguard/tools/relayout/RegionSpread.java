package io.rowguard.tools.relayout;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * The moves of regions to servers, so that all servers have about as many of them: as few as
 * possible move. A pure function.
 */
final class RegionSpread {
  /** A region that goes to another server. */
  record Move(RegionInfo region, ServerName to) {}

  private final Map<ServerName, List<RegionInfo>> byServer = new LinkedHashMap<>();
  private final List<Move> moves = new ArrayList<>();

  private RegionSpread() {}

  /**
   * Spreads regions.
   *
   * @param servers where they may be; one or more
   * @param regions where they are; one that is elsewhere goes to one of the servers
   */
  static RegionSpread over(List<ServerName> servers, List<HRegionLocation> regions) {
    RegionSpread spread = new RegionSpread();
    servers.forEach(server -> spread.byServer.put(server, new ArrayList<>()));
    List<RegionInfo> homeless = new ArrayList<>();
    for (HRegionLocation each : regions) {
      List<RegionInfo> own = spread.byServer.get(each.getServerName());
      (own == null ? homeless : own).add(each.getRegion());
    }
    homeless.forEach(region -> spread.move(region, spread.least()));
    spread.even();
    return spread;
  }

  private void even() {
    while (true) {
      ServerName least = least();
      ServerName most = byServer.keySet().stream().max(byCount()).orElseThrow();
      List<RegionInfo> many = byServer.get(most);
      if (many.size() - byServer.get(least).size() < 2) {
        return;
      }
      // From the end: neighbours are the first to stay.
      move(many.remove(many.size() - 1), least);
    }
  }

  private void move(RegionInfo region, ServerName to) {
    byServer.get(to).add(region);
    moves.removeIf(move -> move.region().equals(region));
    moves.add(new Move(region, to));
  }

  private ServerName least() {
    return byServer.keySet().stream().min(byCount()).orElseThrow();
  }

  private Comparator<ServerName> byCount() {
    return Comparator.comparingInt(server -> byServer.get(server).size());
  }

  /** The moves. */
  List<Move> moves() {
    return List.copyOf(moves);
  }
}
