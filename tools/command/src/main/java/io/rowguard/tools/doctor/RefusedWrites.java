package io.rowguard.tools.doctor;

import io.rowguard.tools.cli.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The counts of the observers for one table since their servers started, over all servers whose
 * pages could be read. A pure function.
 */
final class RefusedWrites {
  private RefusedWrites() {}

  /**
   * Notes about what was refused, and what was let through though it did not fit.
   *
   * @param namespace and qualifier: the table's name, as HBase's metrics have it
   */
  static List<Finding> of(
      String table, String namespace, String qualifier, List<ServerFacts> servers) {
    String prefix = "Namespace_" + namespace + "_table_" + qualifier + "_metric_";
    Map<String, Long> counts = new TreeMap<>();
    for (ServerFacts server : servers) {
      if (server.counters() != null) {
        server
            .counters()
            .forEach(
                (name, count) -> {
                  if (name.startsWith(prefix)) {
                    counts.merge(name.substring(prefix.length()), count, Long::sum);
                  }
                });
      }
    }
    List<Finding> findings = new ArrayList<>();
    note(findings, "writes_refused", "refused", "rejected_", table, counts);
    note(
        findings,
        "writes_let_through",
        "let through though they did not fit",
        "accepted_",
        table,
        counts);
    return findings;
  }

  private static void note(
      List<Finding> findings,
      String code,
      String verb,
      String prefix,
      String table,
      Map<String, Long> counts) {
    String list =
        counts.entrySet().stream()
            .filter(each -> each.getKey().startsWith(prefix) && each.getValue() > 0)
            .map(
                each ->
                    each.getKey().substring(prefix.length())
                        + " "
                        + Terminal.count(each.getValue()))
            .collect(Collectors.joining(", "));
    if (!list.isEmpty()) {
      findings.add(
          Finding.note(
              code,
              table,
              null,
              "Since the servers started, writes were " + verb + ": " + list + ".",
              "The region servers' logs have a sample of the rows (\"Refused.\", \"Let"
                  + " through.\")."));
    }
  }
}
