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
  /** The active master stands still for 5 to 60 s; past its session a backup takes its place. */
  PAUSE_MASTER,
  /** A data node stands still for 5 to 30 s. */
  PAUSE_DATANODE,
  /** A region server is off the network for 5 to 60 s; past its session it is a zombie then. */
  CUT_REGION_SERVER(Need.NETWORK),
  /** A region server's packets to one other server are lost, for 5 to 60 s. */
  PART_SERVERS(Need.NETWORK),
  /** A region server has a link of 2 Mbit/s, with packets up to 0.4 s late, for 5 to 30 s. */
  SLOW_REGION_SERVER(Need.NETWORK),
  /** A server loses what comes and goes, for less than 0.5 s, again and again for 5 to 30 s. */
  FLAP(Need.NETWORK),
  /** A data node's disk has no room for 5 to 60 s. */
  FULL_DISK(Need.SMALL_DISK),
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

  private final Need need;

  Fault() {
    this(Need.NOTHING);
  }

  Fault(Need need) {
    this.need = need;
  }

  /** The needs of faults that not each machine can meet. */
  enum Need {
    /** A cluster as it is. */
    NOTHING,
    /** Servers with a network of their own. */
    NETWORK,
    /** A data node with a small disk. */
    SMALL_DISK
  }

  Need need() {
    return need;
  }

  static String names() {
    return names(Stream.of(values()));
  }

  /** The names of those with this need. */
  static String names(Need need) {
    return names(Stream.of(values()).filter(fault -> fault.need == need));
  }

  private static String names(Stream<Fault> faults) {
    return faults.map(Fault::toString).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
