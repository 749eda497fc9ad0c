package io.rowguard.tools.doctor;

import io.rowguard.relayout.PolledRegion;
import io.rowguard.relayout.RegionPoll;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.NoAnswer;
import io.rowguard.tools.cluster.TableRegions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;

/** Asks the regions of a table whose rows move whether its movers have been told to wait. */
final class RelayoutPause {
  private RelayoutPause() {}

  /** A finding where they have been; empty where not, or where nothing answers in time. */
  static List<Finding> of(Cluster cluster, TableName table) {
    int millis = (int) TimeUnit.SECONDS.toMillis(cluster.timeoutSeconds());
    long paused;
    try {
      paused =
          cluster
              .ask(
                  () ->
                      new RegionPoll(cluster.connection(), millis, millis)
                          .once(
                              TableRegions.of(cluster.connection(), table),
                              RelayoutRequest.state()))
              .stream()
              .filter(RelayoutPause::isPaused)
              .count();
    } catch (NoAnswer e) {
      return List.of(); // regions that are silent are found by the sample of rows
    }
    return paused == 0
        ? List.of()
        : List.of(
            Finding.note(
                "relayout_paused",
                table.getNameAsString(),
                null,
                "The relayout is paused in "
                    + paused
                    + (paused == 1 ? " region" : " regions")
                    + ": its runs wait, and only writes take their rows along.",
                "rowguard relayout resume " + table + " lets them go on."));
  }

  private static boolean isPaused(PolledRegion region) {
    return region.response() != null && region.response().isPaused();
  }
}
