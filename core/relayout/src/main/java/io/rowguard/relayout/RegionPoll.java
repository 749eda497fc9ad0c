package io.rowguard.relayout;

import io.rowguard.layout.FailureText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/**
 * Sends the regions of a table one request, several at a time, and collects what comes of it.
 * Thread-safe.
 */
public final class RegionPoll {
  /** No limit of the time for all regions together. */
  public static final long UNLIMITED = Long.MAX_VALUE;

  private static final byte[] FIRST_ROW = {0};

  private final Connection connection;
  private final int responseMillis;
  private final long totalMillis;
  private final LongSupplier nanoTime;

  /**
   * A poll.
   *
   * @param connection with the rights to ask; stays open
   * @param responseMillis the longest wait for one response
   * @param totalMillis the longest wait for all regions together, or {@link #UNLIMITED}
   */
  public RegionPoll(Connection connection, int responseMillis, long totalMillis) {
    this(connection, responseMillis, totalMillis, System::nanoTime);
  }

  /**
   * A poll that counts of regions are ended in by another clock.
   *
   * @param nanoTime as {@link System#nanoTime}
   */
  RegionPoll(Connection connection, int responseMillis, long totalMillis, LongSupplier nanoTime) {
    this.connection = connection;
    this.responseMillis = responseMillis;
    this.totalMillis = totalMillis;
    this.nanoTime = nanoTime;
  }

  /**
   * A way to list all regions of a table.
   *
   * @param <E> thrown where they cannot be listed
   */
  public interface Regions<E extends Exception> {
    /** Lists the regions as they are now. */
    List<HRegionLocation> list() throws E;
  }

  /** One region's part of a poll. */
  private interface Ask {
    PolledRegion region(HRegionLocation location) throws IOException;
  }

  /**
   * Sends each region the request once. Of a region that is split or merged meanwhile only a part
   * may have responded.
   *
   * @param regions of one table
   * @return one result for each region, in their order. An interrupted wait leaves the thread
   *     interrupted, and only failures
   */
  public List<PolledRegion> once(List<HRegionLocation> regions, RelayoutRequest request) {
    return all(regions, location -> ask(location, request, rowIn(location.getRegion())));
  }

  /**
   * Sends each region the request; one that has counted only a part of its rows, and has found
   * nothing in the way, is asked to go on. Every row of the table is in a region that has
   * responded, or in one that fails.
   *
   * @param regions of one table; listed again in the end
   * @return as with {@link #once}. A region fails that has not counted all of its rows in half of
   *     the time for all, and one that is not there in the end: once it is split, a request to its
   *     first row reaches one daughter only
   * @throws E if the regions cannot be listed
   */
  public <E extends Exception> List<PolledRegion> toTheEnd(
      Regions<E> regions, RelayoutRequest request) throws E {
    List<PolledRegion> polled = all(regions.list(), location -> askOn(location, request));
    Set<String> there =
        regions.list().stream()
            .map(location -> location.getRegion().getEncodedName())
            .collect(Collectors.toSet());
    polled.replaceAll(
        each ->
            there.contains(each.region().getEncodedName())
                ? each
                : PolledRegion.failed(each.location(), "was split or merged meanwhile"));
    return polled;
  }

  private List<PolledRegion> all(List<HRegionLocation> regions, Ask ask) {
    List<Callable<PolledRegion>> calls = new ArrayList<>();
    for (HRegionLocation region : regions) {
      calls.add(() -> ask.region(region));
    }
    return TimedCalls.all(
        calls,
        totalMillis,
        "rowguard-poll",
        (i, failure) -> PolledRegion.failed(regions.get(i), failure));
  }

  private PolledRegion askOn(HRegionLocation location, RelayoutRequest request) throws IOException {
    long began = nanoTime.getAsLong();
    PolledRegion polled = ask(location, request, rowIn(location.getRegion()));
    while (polled.response() != null && polled.response().isUnfinished()) {
      if (nanoTime.getAsLong() - began > TimeUnit.MILLISECONDS.toNanos(totalMillis) / 2) {
        return PolledRegion.failed(location, "needs longer to count than it is waited for");
      }
      byte[] from = polled.response().next();
      polled = ask(location, RelayoutRequest.count(request.generation(), from), from);
    }
    return polled;
  }

  private PolledRegion ask(HRegionLocation location, RelayoutRequest request, byte[] row)
      throws IOException {
    Result result;
    try (Table table =
        connection
            .getTableBuilder(location.getRegion().getTable(), null)
            .setOperationTimeout(responseMillis)
            .setReadRpcTimeout(responseMillis)
            .build()) {
      result = table.get(request.toGet(row));
    }
    try {
      return PolledRegion.responded(location, RelayoutResponse.of(result));
    } catch (IOException e) {
      return PolledRegion.lackingRelayout(location, FailureText.of(e));
    }
  }

  /** A row of the region, not empty: HBase has no empty rows. */
  private static byte[] rowIn(RegionInfo region) {
    return region.getStartKey().length == 0 ? FIRST_ROW : region.getStartKey();
  }
}
