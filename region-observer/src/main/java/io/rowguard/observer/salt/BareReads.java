package io.rowguard.observer.salt;

import io.rowguard.config.BoundedScans;
import io.rowguard.config.LayoutStamp;
import io.rowguard.config.Relayout;
import io.rowguard.config.RowguardKey;
import io.rowguard.config.StaleLayoutException;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.observer.decide.Refusal;
import io.rowguard.observer.decide.SaltObstacles;
import io.rowguard.observer.metrics.WriteMetrics;
import io.rowguard.observer.peers.TablePeers;
import io.rowguard.observer.request.CurrentRequest;
import io.rowguard.observer.request.RegionFeature;
import io.rowguard.observer.request.RequestRows;
import io.rowguard.readdressing.ReaddressedAction;
import io.rowguard.readdressing.ReaddressedCell;
import io.rowguard.routing.Route;
import io.rowguard.routing.RowRouter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Consistency;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.util.Bytes;

/** Reads of bare keys in a table whose rows are salted. Thread-safe. */
public final class BareReads implements RegionFeature {
  private final RegionInfo region;
  private final String context;
  private final RowkeyLayout layout;
  private final RowRouter router;
  private final boolean moves;
  private final LayoutStamp stamp;
  private final List<LayoutBoundaries> boundaries = new ArrayList<>(2);
  private final BoundedScans scans;
  private final TablePeers peers;
  private final int timeoutMillis;
  private final WriteMetrics metrics;

  /**
   * @param region the region that is read
   */
  public BareReads(RegionInfo region, TableConfig config, TablePeers peers, WriteMetrics metrics) {
    this.region = region;
    this.context = "table=" + region.getTable();
    Relayout relayout = config.relayout();
    this.layout = config.layout();
    this.stamp = LayoutStamp.of(config);
    this.router = config.router();
    this.moves = relayout != null;
    this.boundaries.add(LayoutBoundaries.of(config.group()));
    if (relayout != null) {
      this.boundaries.add(LayoutBoundaries.of(relayout.previousGroup()));
    }
    this.scans = config.scans();
    this.peers = peers;
    this.timeoutMillis = config.saltTimeoutMillis();
    this.metrics = metrics;
  }

  @Override
  public boolean isElsewhere(Mutation mutation) {
    return router.isBareKey(mutation.getRow());
  }

  /**
   * Refuses a call of {@code MultiRowMutationEndpoint} with a condition on a bare key: the endpoint
   * would evaluate it on a row that is never stored.
   */
  @Override
  public void beforeEndpoint(String service, Supplier<byte[]> request) throws IOException {
    if (!service.equals(RequestRows.MULTI_ROW_SERVICE)) {
      return;
    }
    for (byte[] row : RequestRows.ofMultiRowConditions(request.get())) {
      Route route = router.route(row);
      if (route.kind() == Route.Kind.AT && !route.isRow()) {
        metrics.bareKeyRejected();
        throw Refusal.of(
                SaltObstacles.refusal(
                    "A condition on a bare key would be asked of a row that is never stored.",
                    context,
                    row,
                    route.otherRow(),
                    layout))
            .exception();
      }
    }
  }

  /**
   * Whether a Get asks for a bare key. One that names a version was planned with both layouts, and
   * asks for a row as it is stored.
   */
  @Override
  public boolean hasCells(Get get) {
    return (!moves || LayoutStamp.isRaw(get)) && router.isBareKey(get.getRow());
  }

  /**
   * Reads the cells of a bare key, with the bare key as their row: of the first row that shows any.
   */
  @Override
  public List<Cell> cells(Get get) throws IOException {
    metrics.bareRead();
    List<Cell> cells = Collections.emptyList();
    for (byte[] row : router.rowsToRead(get.getRow())) {
      if (cells.isEmpty()) {
        cells = cellsOf(get, row);
      }
    }
    return cells;
  }

  private List<Cell> cellsOf(Get get, byte[] saltedRow) throws IOException {
    long millis = CurrentRequest.millisLeft(timeoutMillis);
    if (millis <= 0) {
      throw Refusal.busyException(
          "Earlier reads of this request have taken its time, try again. " + context);
    }
    Get salted = salted(get, saltedRow);
    stamp.mark(salted);
    Result result;
    try {
      result = peers.get(salted, millis);
    } catch (StaleLayoutException e) {
      throw Refusal.busyException(
          "Regions of the table have not reopened yet, try again. " + context);
    }
    List<Cell> cells = new ArrayList<>();
    if (!result.isEmpty()) {
      for (Cell cell : result.rawCells()) {
        cells.add(ReaddressedCell.withoutTags(cell, get.getRow()));
      }
    }
    return cells;
  }

  /**
   * The same Get of the salted row, as it is forwarded. It asks for cells even where existence is
   * asked for, since HBase answers that from the cells of a hook; and never another replica than
   * the primary, since a hook cannot say that its cells may be stale.
   */
  private Get salted(Get get, byte[] saltedRow) throws IOException {
    return ReaddressedAction.get(
            get, saltedRow, travelling(get.getFilter(), get.getRow(), saltedRow))
        .setCheckExistenceOnly(false)
        .setConsistency(Consistency.STRONG)
        .setReplicaId(-1)
        .setPriority(HConstants.HIGH_QOS);
  }

  /**
   * A filter that can travel to another server. Those with which HBase's access control and
   * visibility labels hide cells cannot, and without them the read would show too much.
   */
  private Filter travelling(Filter filter, byte[] bareKey, byte[] saltedRow) throws IOException {
    if (filter != null) {
      try {
        Class<?> type = filter.getClass();
        type.getMethod("parseFrom", byte[].class).invoke(null, (Object) filter.toByteArray());
      } catch (ReflectiveOperationException | IOException | RuntimeException e) {
        throw new DoNotRetryIOException(
            SaltObstacles.refusal(
                "A Get of a bare key with a filter of this server's own is not answered: "
                    + filter.getClass().getName()
                    + ".",
                context,
                bareKey,
                saltedRow,
                layout),
            e);
      }
    }
    return filter;
  }

  /**
   * Refuses a scan between bounds where no row of the layout can lie. One that names a stamp has
   * bounds of a layout, if maybe of the one before or after this region's: they are a client's that
   * knows both for a while, and asks elsewhere too.
   *
   * @throws DoNotRetryIOException with what to do instead
   */
  @Override
  public void before(Scan scan) throws DoNotRetryIOException {
    if (scans == BoundedScans.ACCEPT || isOfTheRegion(scan) || !LayoutStamp.isRaw(scan)) {
      return;
    }
    byte[] from = isBoundOfTheUser(scan) ? scan.getStartRow() : new byte[0];
    byte[] to = scan.getStopRow();
    byte[] first = scan.isReversed() ? to : from;
    byte[] last = scan.isReversed() ? from : to;
    boolean withFirst = !scan.isReversed() || scan.includeStopRow();
    boolean withLast = scan.isReversed() || scan.includeStopRow();
    byte[] start = withFirst || first.length == 0 ? first : successor(first);
    byte[] end = withLast && last.length > 0 ? successor(last) : last;
    boolean empty = end.length > 0 && Bytes.compareTo(start, end) >= 0;
    if (!empty && boundaries.stream().noneMatch(some -> some.isReachable(start, end))) {
      metrics.scanRejected();
      throw new DoNotRetryIOException(
          "No row of the layout lies between the bounds of this scan, so it would find nothing. "
              + context
              + " startRow=\""
              + RowText.abbreviated(scan.getStartRow())
              + "\" stopRow=\""
              + RowText.abbreviated(scan.getStopRow())
              + "\". If these are bare keys, scan through io.rowguard.client.SaltedTable; "
              + RowguardKey.SCAN.key()
              + "=accept lets the scan run. Layout: "
              + layout);
    }
  }

  /** Whether a scan is of just this region, as that of each task of a MapReduce job is. */
  private boolean isOfTheRegion(Scan scan) {
    return !scan.isReversed()
        && Bytes.equals(scan.getStartRow(), region.getStartKey())
        && Bytes.equals(scan.getStopRow(), region.getEndKey());
  }

  /**
   * Whether a scan surely begins where its user said. HBase's client sets the start row anew when
   * it goes on: to the region's first row (reversed: after its last), or after the last row it got,
   * which it says by excluding that or by adding a zero byte to it ({@code
   * ConnectionUtils#createClosestRowAfter}). There a scan of the whole table may well come by where
   * no row can lie.
   */
  private boolean isBoundOfTheUser(Scan scan) {
    byte[] start = scan.getStartRow();
    byte[] regionBegins = scan.isReversed() ? region.getEndKey() : region.getStartKey();
    boolean afterARow =
        !scan.includeStartRow() || (start.length > 0 && start[start.length - 1] == 0);
    return !afterARow && !Bytes.equals(start, regionBegins);
  }

  /** The next row, in the order of rows. */
  private static byte[] successor(byte[] row) {
    return Arrays.copyOf(row, row.length + 1);
  }
}
