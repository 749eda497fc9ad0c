package io.rowguard.tools.relayout;

import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.TableRegions;
import io.rowguard.tools.presplit.BoundaryProblems;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;

/** Asks every region of a table the same. Thread-safe. */
final class RegionAnswers {
  private static final int AT_ONCE = 16;

  private final Connection connection;
  private final TableName table;
  private final int timeoutMillis;

  /**
   * @param timeoutMillis the longest wait for the answer of one region
   */
  RegionAnswers(Connection connection, TableName table, int timeoutMillis) {
    this.connection = connection;
    this.table = table;
    this.timeoutMillis = timeoutMillis;
  }

  /**
   * The answer of one region.
   *
   * @param answer null when there is none
   * @param lacksRelayout whether its server took the request for something else: it has no observer
   *     that knows of relayouts
   * @param silence why there is no answer; null when there is one
   */
  record Said(
      RegionInfo region,
      ServerName server,
      RelayoutResponse answer,
      boolean lacksRelayout,
      String silence) {
    /** The region for people. */
    String range() {
      return BoundaryProblems.region(region.getStartKey(), region.getEndKey());
    }
  }

  /** One region's part of asking all. */
  @FunctionalInterface
  private interface Asking {
    Said of(HRegionLocation region);
  }

  /** Asks all regions, {@value #AT_ONCE} at a time; what they say is in the order of rows. */
  List<Said> to(RelayoutRequest request) throws IOException {
    return all(region -> ask(region, request));
  }

  /**
   * Has all regions count the rows that are not at home, each until it has found some or has no
   * more: a region that answers before it is through is asked to go on.
   */
  List<Said> counting(long generation) throws IOException {
    return all(region -> count(region, generation));
  }

  private Said count(HRegionLocation location, long generation) {
    List<RelayoutResponse.Item> inTheWay = new ArrayList<>();
    Said said = ask(location, RelayoutRequest.count(generation));
    while (said.answer() != null) {
      RelayoutResponse response = said.answer();
      byte[] next = response.next();
      for (RelayoutResponse.Item item : response.items()) {
        if (item.outcome() != RelayoutResponse.Outcome.LATER) {
          inTheWay.add(item);
        }
      }
      if (next == null || response.misplacedRows() > 0) {
        RelayoutResponse all =
            RelayoutResponse.of(
                response.version(),
                response.generation(),
                response.isMoving(),
                response.misplacedRows(),
                inTheWay);
        return new Said(said.region(), said.server(), all, false, null);
      }
      said = ask(location, RelayoutRequest.count(generation, next));
    }
    return said;
  }

  private List<Said> all(Asking asking) throws IOException {
    List<HRegionLocation> regions = TableRegions.of(connection, table);
    ExecutorService askers =
        Executors.newFixedThreadPool(Math.max(1, Math.min(AT_ONCE, regions.size())));
    try {
      List<Future<Said>> asked = new ArrayList<>();
      for (HRegionLocation region : regions) {
        asked.add(askers.submit(() -> asking.of(region)));
      }
      List<Said> said = new ArrayList<>();
      for (Future<Said> each : asked) {
        said.add(each.get());
      }
      return said;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    } finally {
      askers.shutdownNow();
    }
  }

  private Said ask(HRegionLocation location, RelayoutRequest request) {
    RegionInfo region = location.getRegion();
    try (Table asked =
        connection
            .getTableBuilder(table, null)
            .setOperationTimeout(timeoutMillis)
            .setReadRpcTimeout(timeoutMillis)
            .build()) {
      Result result = asked.get(request.toGet(rowIn(region)));
      try {
        return new Said(region, location.getServerName(), RelayoutResponse.of(result), false, null);
      } catch (IOException e) {
        return new Said(region, location.getServerName(), null, true, e.getMessage());
      }
    } catch (IOException e) {
      return new Said(region, location.getServerName(), null, false, NoAnswer.reason(e));
    }
  }

  /** Some row that is asked of this region. */
  private static byte[] rowIn(RegionInfo region) {
    // No row is empty.
    return region.getStartKey().length == 0 ? new byte[1] : region.getStartKey();
  }

  /**
   * Waits until every region says that it knows a version of the layouts.
   *
   * @param progress is told when their number grows
   * @throws CommandFailure when they do not within a time
   */
  void awaitVersion(long version, long mostMinutes, StepListener progress) throws IOException {
    long began = System.nanoTime();
    int before = -1;
    while (true) {
      List<Said> said = to(RelayoutRequest.state());
      List<Said> behind =
          said.stream()
              .filter(each -> each.answer() == null || each.answer().version() < version)
              .toList();
      if (behind.isEmpty()) {
        return;
      }
      if (behind.stream().anyMatch(Said::lacksRelayout)) {
        throw dumb(version, behind.stream().filter(Said::lacksRelayout).toList());
      }
      int there = said.size() - behind.size();
      if (there != before) {
        progress.counting("regions with version " + version, there, said.size());
        before = there;
      }
      if (System.nanoTime() - began > TimeUnit.MINUTES.toNanos(mostMinutes)) {
        throw behind(version, mostMinutes, behind);
      }
      pause();
    }
  }

  /** Waiting does not teach them. */
  private CommandFailure dumb(long version, List<Said> dumb) {
    Said first = dumb.get(0);
    return new CommandFailure(
        "A server does not know of relayouts. table="
            + table
            + " version="
            + version
            + " server="
            + first.server()
            + " regions="
            + dumb.size()
            + " example="
            + first.region().getEncodedName()
            + ". Nothing is lost: put this version's rowguard-server jar there, restart it"
            + " (docs/operations.md, Install), and give the same command again.");
  }

  private CommandFailure behind(long version, long mostMinutes, List<Said> behind) {
    Said first = behind.get(0);
    return new CommandFailure(
        "Some regions do not know the table's new descriptor after "
            + mostMinutes
            + " minutes. table="
            + table
            + " version="
            + version
            + " regions="
            + behind.size()
            + " example="
            + first.region().getEncodedName()
            + " server="
            + first.server()
            + " why=\""
            + (first.answer() == null
                ? first.silence()
                : "it has version " + first.answer().version())
            + "\". Is a region stuck in transition, or a server without the jar? Nothing is lost:"
            + " mend that and give the same command again.");
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
  }
}
