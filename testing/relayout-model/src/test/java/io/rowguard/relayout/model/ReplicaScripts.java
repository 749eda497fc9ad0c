package io.rowguard.relayout.model;

import static io.rowguard.relayout.model.ReplicaEdit.Kind.DELETE_C1_VERSION;
import static io.rowguard.relayout.model.ReplicaEdit.Kind.DELETE_FAMILY;
import static io.rowguard.relayout.model.ReplicaEdit.Kind.PUT_C1;
import static io.rowguard.relayout.model.ReplicaEdit.Kind.PUT_C2;

/** Clusters that replicate, each with an operator's alters of its table. */
final class ReplicaScripts {
  private ReplicaScripts() {}

  /** A table of one layout for good. */
  static Descriptor[] always(int layout) {
    return new Descriptor[] {Descriptor.home(layout, 0)};
  }

  /** From layout A to layout B, all of it. */
  static Descriptor[] startToFinish() {
    return new Descriptor[] {
      Descriptor.home(0, 0), Descriptor.prepared(0, 1), Descriptor.moving(0, 1), home(1, 1)
    };
  }

  /** The same without its first alter. */
  static Descriptor[] preparedToFinish() {
    return new Descriptor[] {Descriptor.prepared(0, 1), Descriptor.moving(0, 1), home(1, 1)};
  }

  /** From A to B, and back before it is over. */
  static Descriptor[] backAndFinish() {
    return new Descriptor[] {
      Descriptor.prepared(0, 1), Descriptor.moving(0, 1), Descriptor.moving(1, 2), home(0, 2)
    };
  }

  /** The same, and on to B again. */
  static Descriptor[] backAndForth() {
    return new Descriptor[] {
      Descriptor.prepared(0, 1),
      Descriptor.moving(0, 1),
      Descriptor.moving(1, 2),
      Descriptor.moving(0, 3),
      home(1, 3)
    };
  }

  private static Descriptor home(int layout, int generation) {
    return Descriptor.home(layout, generation);
  }

  /** Two clusters that ship to each other and both go from A to B, by themselves. */
  static ReplicaSetting bothChange() {
    return ReplicaSetting.of("both change").cluster(startToFinish(), 1).cluster(startToFinish(), 0);
  }

  /** The same from where both know both layouts. */
  static ReplicaSetting bothMove() {
    return ReplicaSetting.of("both move")
        .cluster(preparedToFinish(), 1)
        .cluster(preparedToFinish(), 0);
  }

  /** Cluster 1 goes from A to B. Cluster 2 stays with other buckets, and reads both. */
  static ReplicaSetting otherBuckets() {
    return ReplicaSetting.of("other buckets")
        .cluster(startToFinish(), 1)
        .knows(2)
        .cluster(always(2), 0)
        .knows(0, 1);
  }

  /** Cluster 1 ships to cluster 2, and that to cluster 3; those that change do so at any time. */
  static ReplicaSetting chain() {
    return ReplicaSetting.of("chain")
        .cluster(always(0), 1)
        .cluster(preparedToFinish(), 2)
        .cluster(preparedToFinish());
  }

  /** Each ships to the next, the third one to the first. */
  static ReplicaSetting ring() {
    return ReplicaSetting.of("ring")
        .cluster(preparedToFinish(), 1)
        .cluster(always(0), 2)
        .knows(1)
        .cluster(preparedToFinish(), 0);
  }

  /** Cluster 2 turns back. */
  static ReplicaSetting oneTurnsBack() {
    return ReplicaSetting.of("one turns back")
        .cluster(always(0), 1)
        .cluster(backAndFinish())
        .compactions(1);
  }

  /**
   * One cluster that turns back twice. Its clients have timestamps of the past, as late edits do,
   * so it needs no other: a delete and what it covers come below what has been moved away.
   */
  static ReplicaSetting lateDelete() {
    return ReplicaSetting.of("late delete")
        .cluster(backAndForth())
        .compactions(0)
        .edit(0, DELETE_C1_VERSION, 4)
        .edit(0, DELETE_FAMILY, 3)
        .edit(0, PUT_C2, 2);
  }

  /** Cluster 2 becomes a peer of cluster 1 while that changes, and gets a copy of its table. */
  static ReplicaSetting latePeer() {
    return ReplicaSetting.of("late peer")
        .cluster(startToFinish())
        .cluster(always(0))
        .knows(1)
        .latePeer(0, 1);
  }

  /** Two puts of cluster 1, and a delete of cluster 2 between them. */
  static ReplicaSetting putsAndADelete(ReplicaSetting setting) {
    return setting.edit(0, PUT_C1, 2).edit(1, DELETE_FAMILY, 3).edit(0, PUT_C2, 4);
  }
}
