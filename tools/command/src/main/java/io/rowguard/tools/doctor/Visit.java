package io.rowguard.tools.doctor;

import io.rowguard.tools.cluster.Cluster;
import io.rowguard.tools.cluster.ClusterOptions;

/** One visit of the doctor; apart from the command, which must load without HBase. */
final class Visit {
  private Visit() {}

  static Diagnosis make(ClusterOptions options, Request request) {
    try (Cluster cluster = Cluster.connect(options)) {
      return new Doctor(cluster, request).examine();
    }
  }
}
