package io.rowguard.tools.adopt;

import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.NoAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/** The first rows of some regions of a live table, evenly spread over it. */
final class TableSample {
  private static final int REGIONS = 20;
  private static final int ROWS_PER_REGION = 20;

  private TableSample() {}

  /** Reads rows; one short scan per region that is looked at. */
  static List<byte[]> of(Cluster cluster, TableName table) {
    cluster.requireTable(table);
    try {
      List<RegionInfo> regions = cluster.ask(() -> cluster.admin().getRegions(table));
      int count = Math.min(regions.size(), REGIONS);
      List<byte[]> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        RegionInfo region = regions.get((int) ((long) i * regions.size() / count));
        rows.addAll(cluster.ask(() -> rowsOf(cluster, region)));
      }
      return rows;
    } catch (NoAnswer e) {
      throw cluster.unreachable(e);
    }
  }

  private static List<byte[]> rowsOf(Cluster cluster, RegionInfo region) throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(region.getStartKey())
            .withStopRow(region.getEndKey())
            .setLimit(ROWS_PER_REGION)
            .setCacheBlocks(false)
            .setFilter(new FirstKeyOnlyFilter());
    List<byte[]> rows = new ArrayList<>();
    try (Table opened = cluster.connection().getTable(region.getTable());
        ResultScanner scanner = opened.getScanner(scan)) {
      for (Result result : scanner) {
        rows.add(result.getRow());
      }
    }
    return rows;
  }
}
