package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RegionSpreadTest {
  private static final ServerName A = ServerName.valueOf("a", 1, 1);
  private static final ServerName B = ServerName.valueOf("b", 1, 1);
  private static final ServerName C = ServerName.valueOf("c", 1, 1);

  private static HRegionLocation at(int number, ServerName server) {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
            .setStartKey(Bytes.toBytes(number))
            .setEndKey(Bytes.toBytes(number + 1))
            .build();
    return new HRegionLocation(region, server);
  }

  private static Map<ServerName, Integer> after(
      List<ServerName> servers, List<HRegionLocation> regions) {
    Map<String, ServerName> places = new HashMap<>();
    regions.forEach(each -> places.put(each.getRegion().getEncodedName(), each.getServerName()));
    for (RegionSpread.Move move : RegionSpread.over(servers, regions).moves()) {
      places.put(move.region().getEncodedName(), move.to());
    }
    Map<ServerName, Integer> counts = new HashMap<>();
    places.values().forEach(server -> counts.merge(server, 1, Integer::sum));
    return counts;
  }

  @Test
  void over_allOnOneServer_becomesEven() {
    List<HRegionLocation> regions = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      regions.add(at(i, A));
    }
    Map<ServerName, Integer> counts = after(List.of(A, B, C), regions);
    assertEquals(7, counts.values().stream().mapToInt(count -> count).sum());
    assertEquals(3, counts.values().stream().mapToInt(count -> count).max().orElseThrow());
    assertEquals(2, counts.values().stream().mapToInt(count -> count).min().orElseThrow());
    assertEquals(4, RegionSpread.over(List.of(A, B, C), regions).moves().size());
  }

  @Test
  void over_whatIsEven_movesNothing() {
    List<HRegionLocation> regions = List.of(at(0, A), at(1, B), at(2, A));
    assertEquals(List.of(), RegionSpread.over(List.of(A, B), regions).moves());
  }

  @Test
  void over_aServerThatMayHaveNone_isLeft() {
    Map<ServerName, Integer> counts =
        after(List.of(A, B), List.of(at(0, C), at(1, C), at(2, A), at(3, A)));
    assertEquals(Map.of(A, 2, B, 2), counts);
  }
}
