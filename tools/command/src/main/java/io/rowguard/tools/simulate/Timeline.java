package io.rowguard.tools.simulate;

import java.util.Arrays;

/**
 * How many writes each region (or server) got in each part of a run: a matrix of at most {@value
 * #MOST_SLOTS} slots of time, each of the same number of keys, whatever the number of keys. Not
 * thread-safe.
 *
 * <p>Where the number of keys is unknown, slots begin small; whenever there would be too many,
 * neighbours become one.
 */
final class Timeline {
  /** The most slots there are. */
  static final int MOST_SLOTS = 128;

  // Fewer, and chance alone makes one of the regions of a moment look hot.
  private static final int KEYS_PER_REGION = 20;

  private int regions;
  private final long[][] writes = new long[MOST_SLOTS][];
  private long keysPerSlot;
  private int slots;

  /**
   * @param keys how many keys there will be; 0 when unknown
   */
  Timeline(int regions, long keys) {
    this.regions = regions;
    this.keysPerSlot =
        Math.max((long) KEYS_PER_REGION * regions, (keys + MOST_SLOTS - 1) / MOST_SLOTS);
  }

  /**
   * A timeline that was counted elsewhere.
   *
   * @param writes by slot and region
   */
  static Timeline of(long keysPerSlot, long[][] writes) {
    Timeline timeline = new Timeline(writes.length == 0 ? 0 : writes[0].length, 0);
    timeline.keysPerSlot = keysPerSlot;
    for (int slot = 0; slot < writes.length; slot++) {
      timeline.writes[slot] = writes[slot].clone();
    }
    timeline.slots = writes.length;
    return timeline;
  }

  /** Counts a write of the key number {@code index} into a region, which may be a new one. */
  void add(long index, int region) {
    while (index / keysPerSlot >= MOST_SLOTS) {
      halve();
    }
    regions = Math.max(regions, region + 1);
    int slot = (int) (index / keysPerSlot);
    slot(slot);
    if (region >= writes[slot].length) {
      writes[slot] = Arrays.copyOf(writes[slot], Math.max(region + 1, 2 * writes[slot].length));
    }
    writes[slot][region]++;
  }

  private long[] slot(int slot) {
    if (writes[slot] == null) {
      writes[slot] = new long[regions];
    }
    slots = Math.max(slots, slot + 1);
    return writes[slot];
  }

  private void halve() {
    for (int i = 0; i < MOST_SLOTS / 2; i++) {
      writes[i] = sum(writes[2 * i], writes[2 * i + 1]);
    }
    for (int i = MOST_SLOTS / 2; i < MOST_SLOTS; i++) {
      writes[i] = null;
    }
    slots = (slots + 1) / 2;
    keysPerSlot *= 2;
  }

  private static long[] sum(long[] a, long[] b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    long[] sum = a.length >= b.length ? a : Arrays.copyOf(a, b.length);
    for (int i = 0; i < b.length; i++) {
      sum[i] += b[i];
    }
    return sum;
  }

  /** Counts what another one of the same run counted. */
  void add(Timeline other) {
    if (other.keysPerSlot != keysPerSlot) {
      throw new IllegalArgumentException("Timelines of one run have the same slots.");
    }
    for (int slot = 0; slot < other.slots; slot++) {
      if (other.writes[slot] != null) {
        writes[slot] = sum(slot(slot), other.writes[slot]);
      }
    }
  }

  /** How many slots there are. */
  int slots() {
    return slots;
  }

  /** How many keys one slot has; the last may have fewer. */
  long keysPerSlot() {
    return keysPerSlot;
  }

  /** How many writes a region got in a slot. */
  long writes(int slot, int region) {
    long[] row = writes[slot];
    return row == null || region >= row.length ? 0 : row[region];
  }

  /** The region with the most writes in a slot; of several the first. */
  int hottest(int slot) {
    int hottest = 0;
    for (int region = 1; region < regions; region++) {
      if (writes(slot, region) > writes(slot, hottest)) {
        hottest = region;
      }
    }
    return hottest;
  }

  /** The hottest region's share of the writes in a slot; 0 when there were none. */
  double hottestShare(int slot) {
    long total = 0;
    for (int region = 0; region < regions; region++) {
      total += writes(slot, region);
    }
    return total == 0 ? 0 : (double) writes(slot, hottest(slot)) / total;
  }

  /** The mean of {@link #hottestShare} over all slots. */
  double meanHottestShare() {
    double sum = 0;
    for (int slot = 0; slot < slots; slot++) {
      sum += hottestShare(slot);
    }
    return slots == 0 ? 0 : sum / slots;
  }
}
