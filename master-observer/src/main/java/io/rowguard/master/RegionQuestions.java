package io.rowguard.master;

import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;

/**
 * Sends all regions of a table one request, for no longer than {@link #MILLIS}: a client waits for
 * the response, and so does one of the master's handlers. Thread-safe.
 */
final class RegionQuestions {
  /** All that it may take, whatever the number of regions. */
  static final int MILLIS = 20_000;

  private static final byte[] FIRST_ROW = {0};

  private final Connection connection;
  private final int millis;

  /**
   * @param connection with the master's rights
   */
  RegionQuestions(Connection connection) {
    this(connection, MILLIS);
  }

  /**
   * @param millis all that it may take
   */
  RegionQuestions(Connection connection, int millis) {
    this.connection = connection;
    this.millis = millis;
  }

  /** The answer of one region. Immutable. */
  static final class Said {
    private final RegionInfo region;
    private final RelayoutResponse response;
    private final String failure;

    private Said(RegionInfo region, RelayoutResponse response, String failure) {
      this.region = region;
      this.response = response;
      this.failure = failure;
    }

    static Said answer(RegionInfo region, RelayoutResponse response) {
      return new Said(region, response, null);
    }

    static Said failure(RegionInfo region, String failure) {
      return new Said(region, null, failure);
    }

    RegionInfo region() {
      return region;
    }

    /** Null where there is none. */
    RelayoutResponse answer() {
      return response;
    }

    /** Why there is no response; null where there is one. */
    String failure() {
      return failure;
    }
  }

  /**
   * The answers of all regions, in the order of the regions.
   *
   * @param regions of one table, at least one; the answers are theirs only as long as none is split
   *     or merged meanwhile
   */
  List<Said> ask(List<RegionInfo> regions, RelayoutRequest request) {
    List<Callable<Said>> calls = new ArrayList<>();
    for (RegionInfo region : regions) {
      calls.add(() -> ask(region, request));
    }
    return TimedCalls.all(
        calls,
        millis,
        "rowguard-ask-" + regions.get(0).getTable(),
        (i, failure) -> Said.failure(regions.get(i), failure));
  }

  private Said ask(RegionInfo region, RelayoutRequest request) throws IOException {
    long began = System.nanoTime();
    byte[] row = region.getStartKey().length == 0 ? FIRST_ROW : region.getStartKey();
    try (Table table =
        connection
            .getTableBuilder(region.getTable(), null)
            .setOperationTimeout(millis)
            .setReadRpcTimeout(millis)
            .build()) {
      RelayoutResponse response = RelayoutResponse.of(table.get(request.toGet(row)));
      while (isUnfinished(response)) {
        if (System.nanoTime() - began > TimeUnit.MILLISECONDS.toNanos(millis) / 2) {
          return Said.failure(region, "needs longer to count than the master waits");
        }
        byte[] from = response.next();
        response =
            RelayoutResponse.of(
                table.get(RelayoutRequest.count(request.generation(), from).toGet(from)));
      }
      return Said.answer(region, response);
    }
  }

  /**
   * Whether a region has found nothing in the way so far, but has not looked at all of its rows.
   */
  private static boolean isUnfinished(RelayoutResponse response) {
    return response.next() != null && response.misplacedRows() == 0 && response.items().size() == 1;
  }
}
