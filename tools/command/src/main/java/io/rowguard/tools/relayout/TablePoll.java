package io.rowguard.tools.relayout;

import io.rowguard.relayout.PolledRegion;
import io.rowguard.relayout.RegionPoll;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.tools.cli.CommandFailure;
import io.rowguard.tools.cluster.TableRegions;
import io.rowguard.tools.presplit.BoundaryProblems;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/** Polls every region of a table, as {@code hbase:meta} has them then. Thread-safe. */
final class TablePoll {
  private final Connection connection;
  private final TableName table;
  private final RegionPoll poll;

  /**
   * @param responseMillis the longest wait for the response of one region
   */
  TablePoll(Connection connection, TableName table, int responseMillis) {
    this.connection = connection;
    this.table = table;
    this.poll = new RegionPoll(connection, responseMillis, RegionPoll.UNLIMITED);
  }

  /** A polled region for people. */
  static String range(PolledRegion polled) {
    return BoundaryProblems.region(polled.region().getStartKey(), polled.region().getEndKey());
  }

  /** Sends all regions a request; the results are in the order of rows. */
  List<PolledRegion> once(RelayoutRequest request) throws IOException {
    return uninterrupted(poll.once(TableRegions.of(connection, table), request));
  }

  /**
   * Has all regions count the rows that are not at home, each until it has found something in the
   * way or has no more rows. A region that is split or merged meanwhile has a failure.
   */
  List<PolledRegion> counting(long generation) throws IOException {
    return uninterrupted(
        poll.toTheEnd(() -> TableRegions.of(connection, table), RelayoutRequest.count(generation)));
  }

  private static List<PolledRegion> uninterrupted(List<PolledRegion> polled) {
    if (Thread.currentThread().isInterrupted()) {
      throw new CommandFailure("Interrupted.");
    }
    return polled;
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
      List<PolledRegion> polled = once(RelayoutRequest.state());
      List<PolledRegion> behind =
          polled.stream()
              .filter(each -> each.response() == null || each.response().version() < version)
              .toList();
      if (behind.isEmpty()) {
        return;
      }
      if (behind.stream().anyMatch(PolledRegion::lacksRelayout)) {
        throw lackingRelayout(
            version, behind.stream().filter(PolledRegion::lacksRelayout).toList());
      }
      int there = polled.size() - behind.size();
      if (there != before) {
        progress.counting("regions with version " + version, there, polled.size());
        before = there;
      }
      if (System.nanoTime() - began > TimeUnit.MINUTES.toNanos(mostMinutes)) {
        throw behind(version, mostMinutes, behind);
      }
      pause();
    }
  }

  /** No wait helps those. */
  private CommandFailure lackingRelayout(long version, List<PolledRegion> lacking) {
    PolledRegion first = lacking.get(0);
    return new CommandFailure(
        "A server does not know of relayouts. table="
            + table
            + " version="
            + version
            + " server="
            + first.server()
            + " regions="
            + lacking.size()
            + " example="
            + first.region().getEncodedName()
            + ". Nothing is lost: put this version's rowguard-server jar there, restart it"
            + " (docs/operations.md, Install); then"
            + wayOn(table));
  }

  private CommandFailure behind(long version, long mostMinutes, List<PolledRegion> behind) {
    PolledRegion first = behind.get(0);
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
            + (first.response() == null
                ? first.failure()
                : "it has version " + first.response().version())
            + "\". Is a region stuck in transition, or a server without the jar? Nothing is lost:"
            + " mend that; then"
            + wayOn(table));
  }

  /**
   * The end of a message where a step may be done or not; "back" given again would turn it again.
   */
  static String wayOn(TableName table) {
    return " rowguard relayout status " + table + " says what comes next.";
  }

  /** Sleeps until it is worth asking again. */
  static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(200);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CommandFailure("Interrupted.", e);
    }
  }
}
