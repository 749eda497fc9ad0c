package io.rowguard.load;

import io.rowguard.layout.EntityGroup;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The targets of a region's operations: its heaviest rows and entity groups, and a sample of its
 * rows, all of which lose half of their weight in each half-life. At most 64 KB. Thread-safe.
 *
 * <p>{@link #record} allocates nothing and never waits. A thread that finds another one inside goes
 * on, and what it came with is counted as lost; so nothing is lost of which {@link
 * LoadSnapshot#lost} does not say how much: the weight of a key is at most so much more.
 *
 * <p>Weights grow with time instead of all shrinking ("forward decay"): a key counts {@code 2^t} at
 * {@code t} half-lives, and now and then all weights are divided by a power of two.
 */
public final class LoadSummary {
  private static final int ROWS = 192;
  private static final int GROUPS = 128;
  private static final int SAMPLE = 256;
  private static final int MOST_EXPONENT = 64;
  private static final long PAUSE_NANOS = 1_000;
  private static final double LOG_2 = Math.log(2);

  private final EntityGroup group;
  private final double halfLifeNanos;
  private final long start;
  private final HeavyKeys rows;

  /** Null where every row is its own group. */
  private final HeavyKeys groups;

  private final RowReservoir sample;

  /** 1 while a thread is inside. All below, and what the three above hold, is for that thread. */
  private final AtomicInteger inside = new AtomicInteger();

  /** Operations lost since a thread was inside last. */
  private final AtomicLong lostLately = new AtomicLong();

  /** The half-lives since the start at which a weight is 1. */
  private double base;

  private double reads;
  private double writes;
  private double lost;

  private LoadSummary(EntityGroup group, double halfLifeNanos, long start, long seed) {
    this.group = group;
    this.halfLifeNanos = halfLifeNanos;
    this.start = start;
    this.rows = new HeavyKeys(ROWS);
    this.groups = group.segment() == null ? null : new HeavyKeys(GROUPS);
    this.sample = new RowReservoir(SAMPLE, new SplittableRandom(seed));
  }

  /**
   * An empty summary.
   *
   * @param group the groups that rows belong to
   * @param halfLifeSeconds above 0
   * @param now the time in nanoseconds, as {@link System#nanoTime} has it
   * @param seed of the sample
   */
  public static LoadSummary of(EntityGroup group, int halfLifeSeconds, long now, long seed) {
    return new LoadSummary(group, TimeUnit.SECONDS.toNanos(halfLifeSeconds), now, seed);
  }

  /**
   * Counts operations on the row of {@code length} bytes from {@code offset}.
   *
   * @param operations how many, 1 or more
   * @param now the time in nanoseconds, not before the one that it was made at
   */
  public void record(
      byte[] row, int offset, int length, int operations, boolean isWrite, long now) {
    int groupEnd = groups == null ? 0 : groupEnd(row, offset, length);
    long groupHash = HeavyKeys.hash(row, offset, groupEnd);
    long rowHash = HeavyKeys.hash(row, offset, length);
    if (!inside.compareAndSet(0, 1)) {
      lostLately.addAndGet(operations);
      return;
    }
    try {
      double halfLives = halfLives(now);
      double weight = operations * weightAt(halfLives);
      if (isWrite) {
        writes += weight;
      } else {
        reads += weight;
      }
      rows.add(rowHash, row, offset, length, weight, isWrite);
      if (groups != null) {
        groups.add(groupHash, row, offset, groupEnd, weight, isWrite);
      }
      sample.offer(row, offset, length, halfLives + log2(operations), isWrite);
    } finally {
      inside.set(0);
    }
  }

  /** A row that does not conform is a group of its own. */
  private int groupEnd(byte[] row, int offset, int length) {
    int end = group.end(row, offset, length);
    return end < 0 ? length : end;
  }

  private static double log2(int operations) {
    return operations == 1 ? 0 : Math.log(operations) / LOG_2;
  }

  private double halfLives(long now) {
    return (now - start) / halfLifeNanos;
  }

  /** The weight of an operation now; takes over what was lost, as if that were of now. */
  private double weightAt(double halfLives) {
    double exponent = halfLives - base;
    if (exponent > MOST_EXPONENT) {
      double whole = Math.floor(exponent);
      double factor = Math.pow(2, -whole);
      rows.scale(factor);
      if (groups != null) {
        groups.scale(factor);
      }
      reads *= factor;
      writes *= factor;
      lost *= factor;
      base += whole;
      exponent -= whole;
    }
    double weight = Math.pow(2, exponent);
    if (lostLately.get() != 0) {
      lost += weight * lostLately.getAndSet(0);
    }
    return weight;
  }

  /**
   * The content at a time. Waits for a thread inside, for some microseconds; what comes meanwhile
   * counts as lost.
   */
  public LoadSnapshot snapshot(long now) {
    while (!inside.compareAndSet(0, 1)) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    try {
      double halfLives = halfLives(now);
      double factor = 1 / weightAt(halfLives);
      List<HeavyKey> heavyRows = rows.keys(factor);
      return new LoadSnapshot(
          group,
          halfLives,
          reads * factor,
          writes * factor,
          lost * factor,
          heavyRows,
          groups == null ? heavyRows : groups.keys(factor),
          rows.unseenAtMost() * factor,
          groups == null ? rows.unseenAtMost() * factor : groups.unseenAtMost() * factor,
          Collections.unmodifiableList(sample.sample(halfLives)));
    } finally {
      inside.set(0);
    }
  }
}
