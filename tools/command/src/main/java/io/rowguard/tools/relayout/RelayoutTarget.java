package io.rowguard.tools.relayout;

import io.rowguard.tools.cluster.ClusterOptions;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of every step of a relayout: the table, the cluster, the form of the answer. */
final class RelayoutTarget {
  @Parameters(
      index = "0",
      paramLabel = "TABLE",
      description = "Its name, with the namespace if any.")
  private String table;

  @Option(names = "--json", description = "Print the answer as JSON.")
  private boolean isJson;

  @Mixin private ClusterOptions cluster;

  /** For picocli. */
  RelayoutTarget() {}

  String table() {
    return table;
  }

  boolean isJson() {
    return isJson;
  }

  ClusterOptions cluster() {
    return cluster;
  }
}
