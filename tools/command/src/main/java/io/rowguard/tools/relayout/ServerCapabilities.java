package io.rowguard.tools.relayout;

import io.rowguard.config.Guards;
import io.rowguard.relayout.PolledRegion;
import io.rowguard.relayout.RelayoutRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerName;

/** The servers and masters that know of relayouts: region servers are asked, masters say it. */
final class ServerCapabilities {
  private static final String MASTER_OBSERVER = "LayoutMasterObserver";

  private final AlteredTable table;
  private final ClusterMetrics metrics;
  private final PlanFindings findings;

  /**
   * @param metrics with the master's coprocessors and the live servers
   */
  ServerCapabilities(AlteredTable table, ClusterMetrics metrics, PlanFindings findings) {
    this.table = table;
    this.metrics = metrics;
    this.findings = findings;
  }

  /**
   * Asks every region for the version of the layouts that it knows.
   *
   * @param guards of the table
   * @param version that all ought to know
   * @return whether all have answered something
   */
  boolean ask(Guards guards, long version) throws IOException {
    Set<ServerName> others = new TreeSet<>(metrics.getLiveServerMetrics().keySet());
    Set<String> lacking = new TreeSet<>();
    List<PolledRegion> silent = new ArrayList<>();
    long behind = 0;
    for (PolledRegion polled : table.quickPoll().once(RelayoutRequest.state())) {
      others.remove(polled.server());
      if (polled.lacksRelayout()) {
        lacking.add(String.valueOf(polled.server()));
      } else if (polled.response() == null) {
        silent.add(polled);
      } else if (polled.response().version() != version) {
        behind++;
      }
    }
    if (!lacking.isEmpty() && guards.hasObserver()) {
      findings.obstacle(
          "old_servers",
          "Servers do not know of relayouts: " + String.join(", ", lacking) + ".",
          "Put this version's rowguard-server jar there and restart them (docs/operations.md,"
              + " Install).");
    }
    if (!silent.isEmpty()) {
      findings.obstacle(
          "silent_regions",
          silent.size()
              + " regions do not answer, such as "
              + silent.get(0).region().getEncodedName()
              + ": "
              + silent.get(0).failure()
              + ".",
          "Wait until all regions are open, then plan again.");
    }
    if (behind > 0) {
      findings.obstacle(
          "regions_behind",
          behind + " regions do not have the table's descriptor of now yet.",
          "Wait until the last alter is through, then plan again.");
    }
    if (!others.isEmpty()) {
      findings.note(
          "These servers have no region of the table, so they could not be asked whether they know"
              + " of relayouts: "
              + others.stream().map(ServerName::getServerName).collect(Collectors.joining(", "))
              + ". rowguard doctor compares the jars of all.");
    }
    if (!metrics.getMasterCoprocessorNames().contains(MASTER_OBSERVER)) {
      findings.note(
          "The active master has not loaded the master observer: nothing refuses a wrong alter, a"
              + " snapshot or a restore in the middle (docs/enforcement.md).");
    }
    return silent.isEmpty();
  }
}
