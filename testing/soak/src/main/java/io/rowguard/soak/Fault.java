package io.rowguard.soak;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Harm that the nemesis does to a cluster. Named on command lines in lower case, with hyphens. */
enum Fault {
  /** {@code kill -9} of a region server; it comes back later. */
  KILL_REGION_SERVER,
  /** {@code kill -9} of the active master or a backup. */
  KILL_MASTER,
  /** {@code kill -9} of a data node. */
  KILL_DATANODE,
  /** A region server stands still for 5 to 60 s; past its session it comes back as a zombie. */
  PAUSE_REGION_SERVER,
  /** A data node stands still for 5 to 30 s. */
  PAUSE_DATANODE,
  /** All of HBase's servers are ended in good order and started again, one after the other. */
  ROLLING_RESTART,
  /** A region server is killed, started without Rowguard's jar, and ends at a guarded region. */
  WITHOUT_JAR,
  /** A region is split, where the split policy says. */
  SPLIT,
  /** Two neighbours are merged. */
  MERGE,
  /** A region is moved to any other server. */
  MOVE,
  /** A table is flushed, and compacted. */
  COMPACT,
  /** HBase's balancer and normalizer run. */
  BALANCE;

  static String names() {
    return Stream.of(values()).map(Fault::toString).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
