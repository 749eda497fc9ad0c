package io.rowguard.tools.doctor;

import io.rowguard.tools.presplit.BoundaryProblems;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * A region of a table as the cluster reports it.
 *
 * @param server its server, as of the last report to the master; null when unknown
 * @param bytes its store files, in whole mebibytes; -1 when not known
 */
record RegionView(RegionInfo info, ServerName server, long bytes) {
  /** The region for people. */
  String name() {
    return BoundaryProblems.region(info.getStartKey(), info.getEndKey());
  }
}
