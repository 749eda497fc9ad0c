package io.rowguard.load;

import io.rowguard.layout.EntityGroup;
import java.util.Collections;
import java.util.List;

/**
 * The content of a {@link LoadSummary} at one time. Immutable.
 *
 * <p>Weights are sampled operations, each halved per half-life that it is old. So with a steady
 * load the weight of all is what came in 1.44 half-lives.
 */
public final class LoadSnapshot {
  private final EntityGroup group;
  private final double halfLives;
  private final double reads;
  private final double writes;
  private final double lost;
  private final List<HeavyKey> rows;
  private final List<HeavyKey> groups;
  private final double unseenRowAtMost;
  private final double unseenGroupAtMost;
  private final List<SampledRow> sample;

  LoadSnapshot(
      EntityGroup group,
      double halfLives,
      double reads,
      double writes,
      double lost,
      List<HeavyKey> rows,
      List<HeavyKey> groups,
      double unseenRowAtMost,
      double unseenGroupAtMost,
      List<SampledRow> sample) {
    this.group = group;
    this.halfLives = halfLives;
    this.reads = reads;
    this.writes = writes;
    this.lost = lost;
    this.rows = Collections.unmodifiableList(rows);
    this.groups = Collections.unmodifiableList(groups);
    this.unseenRowAtMost = unseenRowAtMost;
    this.unseenGroupAtMost = unseenGroupAtMost;
    this.sample = sample;
  }

  /** The groups that rows belong to. */
  EntityGroup group() {
    return group;
  }

  /** The weight of all reads. */
  public double reads() {
    return reads;
  }

  /** The weight of all writes. */
  public double writes() {
    return writes;
  }

  /** The weight of all that was counted. */
  public double total() {
    return reads + writes;
  }

  /** The weight of what came while another thread was inside, and was not counted. */
  public double lost() {
    return lost;
  }

  /** The rows with a counter, those of the most certain weight first. */
  public List<HeavyKey> rows() {
    return rows;
  }

  /** The entity groups with a counter, likewise; the rows where every row is its own group. */
  public List<HeavyKey> groups() {
    return groups;
  }

  /** The weight that a row without a counter has at most, but for {@link #lost}. */
  public double unseenRowAtMost() {
    return unseenRowAtMost;
  }

  /** The weight that an entity group without a counter has at most, likewise. */
  public double unseenGroupAtMost() {
    return unseenGroupAtMost;
  }

  /** The sample, in the order in which it came. */
  List<SampledRow> sample() {
    return sample;
  }

  /**
   * The rate that a weight stands for, in sampled operations per half-life, as if it had been the
   * same all the time. Multiply it by how many operations one sampled one stands for.
   */
  public double perHalfLife(double weight) {
    // A rate r for t half-lives leaves the weight r (1 - 2^-t) / ln 2.
    double room = 1 - Math.pow(2, -halfLives);
    return room <= 0 ? 0 : weight * Math.log(2) / room;
  }
}
