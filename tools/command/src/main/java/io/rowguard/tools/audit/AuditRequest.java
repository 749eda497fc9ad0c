package io.rowguard.tools.audit;

import io.rowguard.layout.KeyRange;
import io.rowguard.tools.cluster.ClusterOptions;

/**
 * The wish for an audit: what, and where.
 *
 * @param table its name; null when the snapshot says it
 * @param snapshot a snapshot to read instead of the table; null for none
 * @param layout the layout to judge by; null for the one that the table declares
 * @param group the segment that ends the entity group; null for none
 * @param range the rows to read
 * @param examples how many examples to keep of each mistake
 * @param threads how many regions to read at a time in this process
 * @param temporary where the job may have files; null for the usual place
 * @param restore where a snapshot's references may be put; null for the usual place
 * @param cluster the cluster
 */
record AuditRequest(
    String table,
    String snapshot,
    String layout,
    String group,
    KeyRange range,
    int examples,
    int threads,
    String temporary,
    String restore,
    ClusterOptions cluster) {}
