package io.rowguard.relayout.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A few clusters with one table, to be explored to the end: who ships to whom, and which edits. */
final class ReplicaSetting {
  /** The most layouts that rows can be of: A, B and C. */
  static final int LAYOUTS = 3;

  private final String name;
  private final List<Descriptor[]> alters = new ArrayList<>();
  private final List<Integer> peers = new ArrayList<>();
  private final List<Integer> known = new ArrayList<>();
  private final List<ReplicaEdit> edits = new ArrayList<>();
  private int lateFrom = -1;
  private int lateTo = -1;
  private boolean repeats;
  private boolean restarts;
  private int compactions;
  private ReplicaMistake mistake;

  private ReplicaSetting(String name) {
    this.name = name;
  }

  static ReplicaSetting of(String name) {
    return new ReplicaSetting(name);
  }

  /**
   * A cluster whose table goes from the first of these descriptors through all others.
   *
   * @param shipsTo the clusters that its edits are shipped to, by their numbers from 0
   */
  ReplicaSetting cluster(Descriptor[] descriptors, int... shipsTo) {
    alters.add(descriptors);
    peers.add(mask(shipsTo));
    known.add(0);
    return this;
  }

  /** The last cluster's {@code rowguard.replication.layouts}, beside its table's own. */
  ReplicaSetting knows(int... layouts) {
    known.set(known.size() - 1, mask(layouts));
    return this;
  }

  /** A client of a cluster makes this edit. */
  ReplicaSetting edit(int cluster, ReplicaEdit.Kind kind, int timestamp) {
    edits.add(new ReplicaEdit(kind, timestamp, cluster));
    return this;
  }

  /**
   * The one cluster becomes a peer of the other in the middle, and then gets a copy of its table.
   */
  ReplicaSetting latePeer(int from, int to) {
    lateFrom = from;
    lateTo = to;
    return this;
  }

  /** Edits arrive once more, at any later time. */
  ReplicaSetting repeats() {
    repeats = true;
    return this;
  }

  /** Regions lose their memory, with the pulls that they are in the middle of. */
  ReplicaSetting restarts() {
    restarts = true;
    return this;
  }

  /** Major compactions in these clusters. */
  ReplicaSetting compactions(int... clusters) {
    compactions |= mask(clusters);
    return this;
  }

  ReplicaSetting with(ReplicaMistake planted) {
    mistake = planted;
    return this;
  }

  private static int mask(int... numbers) {
    return Arrays.stream(numbers).map(number -> 1 << number).reduce(0, (one, other) -> one | other);
  }

  String name() {
    return mistake == null ? name : name + " [" + mistake + "]";
  }

  int clusters() {
    return alters.size();
  }

  /** The descriptors of a cluster's table, in their order. */
  Descriptor[] alters(int cluster) {
    return alters.get(cluster);
  }

  int peers(int cluster) {
    return peers.get(cluster);
  }

  int known(int cluster) {
    return known.get(cluster);
  }

  List<ReplicaEdit> edits() {
    return edits;
  }

  ReplicaCells cells() {
    return new ReplicaCells(edits.toArray(ReplicaEdit[]::new));
  }

  boolean hasLatePeer() {
    return lateFrom >= 0;
  }

  int lateFrom() {
    return lateFrom;
  }

  int lateTo() {
    return lateTo;
  }

  boolean hasRepeats() {
    return repeats;
  }

  boolean hasRestarts() {
    return restarts;
  }

  boolean hasCompactions(int cluster) {
    return (compactions >>> cluster & 1) == 1;
  }

  boolean has(ReplicaMistake planted) {
    return mistake == planted;
  }
}
