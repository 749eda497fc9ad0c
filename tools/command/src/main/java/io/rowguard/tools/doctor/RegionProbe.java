package io.rowguard.tools.doctor;

import io.rowguard.config.BoundedScans;
import io.rowguard.config.Mode;
import io.rowguard.config.Relayout;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.Explanation;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import io.rowguard.relayout.KeyScan;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.NoAnswer;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** Looks at a few rows of one region, by scans that fetch keys only. Each is one request. */
final class RegionProbe {
  /** A row that does not fit. */
  record BadRow(Verdict verdict, String row, String problem) {}

  /** The rows that were seen: how many, and which of them do not fit. */
  record Sample(int rows, List<BadRow> bad) {}

  /** The ends of a region that holds rows. */
  static final class Ends {
    final byte[] first;
    final byte[] last;

    Ends(byte[] first, byte[] last) {
      this.first = first;
      this.last = last;
    }
  }

  private final Cluster cluster;
  private final RegionView region;
  private final TableConfig config;

  RegionProbe(Cluster cluster, RegionView region, TableConfig config) {
    this.cluster = cluster;
    this.region = region;
    this.config = config;
  }

  /**
   * Whether the observer would refuse these scans: in salt mode, where no row of the layout can lie
   * between their bounds (LayoutRegionObserver takes a bound that is the region's own for none).
   */
  boolean wouldBeRefused() {
    Relayout relayout = config.relayout();
    return config.mode() == Mode.SALT
        && config.scans() == BoundedScans.REJECT
        && !isReachable(config.group())
        && (relayout == null || !isReachable(relayout.previousGroup()));
  }

  private boolean isReachable(EntityGroup group) {
    LayoutBoundaries boundaries = LayoutBoundaries.of(group);
    byte[] none = new byte[0];
    return boundaries.isReachable(none, region.info().getEndKey())
        && boundaries.isReachable(region.info().getStartKey(), none);
  }

  /** Judges the first rows of the region; rows that have not moved yet are as they should be. */
  Sample sample(int rows) throws NoAnswer {
    RowkeyLayout layout = config.layout();
    List<BadRow> bad = new ArrayList<>();
    List<byte[]> seen = rows(rows, false);
    for (byte[] row : seen) {
      Verdict verdict = layout.check(row);
      if (!verdict.conforms() && !isOld(row)) {
        Explanation explanation = layout.explain(row);
        bad.add(new BadRow(verdict, RowText.abbreviated(row), explanation.problem()));
      }
    }
    return new Sample(seen.size(), bad);
  }

  private boolean isOld(byte[] row) {
    return config.relayout() != null
        && config.relayout().change().place(row) == LayoutChange.Place.OLD;
  }

  /** The first and the last row; null when there is none. */
  Ends ends() throws NoAnswer {
    List<byte[]> first = rows(1, false);
    List<byte[]> last = first.isEmpty() ? first : rows(1, true);
    return last.isEmpty() ? null : new Ends(first.get(0), last.get(0));
  }

  private List<byte[]> rows(int most, boolean reversed) throws NoAnswer {
    byte[] start = region.info().getStartKey();
    byte[] end = region.info().getEndKey();
    Scan scan =
        KeyScan.of(most)
            .setReversed(reversed)
            .withStartRow(reversed ? end : start, !reversed)
            .withStopRow(reversed ? start : end, reversed)
            .setLimit(most)
            .setReadType(Scan.ReadType.PREAD);
    return cluster.ask(
        () -> {
          List<byte[]> rows = new ArrayList<>();
          try (Table table = cluster.connection().getTable(region.info().getTable());
              ResultScanner scanner = table.getScanner(scan)) {
            for (Result result : scanner) {
              rows.add(result.getRow());
            }
          }
          return rows;
        });
  }
}
