package io.rowguard.tools.simulate;

/**
 * How many writes each region got in each part of a run: a matrix of at most {@value #MOST_SLOTS}
 * slots of time, each of the same number of keys, whatever the number of keys. Not thread-safe.
 *
 * <p>Where nobody knows how many keys there will be, slots begin small; whenever there would be too
 * many, neighbours become one.
 */
final class Timeline {
  /** The most slots there are. */
  static final int MOST_SLOTS = 128;

  // Fewer, and chance alone makes one of the regions of a moment look hot.
  private static final int KEYS_PER_REGION = 20;

  private final int regions;
  private final long[][] writes = new long[MOST_SLOTS][];
  private long keysPerSlot;
  private int slots;

  /**
   * @param keys how many keys there will be; 0 when nobody knows
   */
  Timeline(int regions, long keys) {
    this.regions = regions;
    this.keysPerSlot =
        Math.max((long) KEYS_PER_REGION * regions, (keys + MOST_SLOTS - 1) / MOST_SLOTS);
  }

  /** Counts a write of the key number {@code index} into a region. */
  void add(long index, int region) {
    while (index / keysPerSlot >= MOST_SLOTS) {
      halve();
    }
    int slot = (int) (index / keysPerSlot);
    slot(slot)[region]++;
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
    for (int i = 0; i < a.length; i++) {
      a[i] += b[i];
    }
    return a;
  }

  /** Counts what another one of the same run counted. */
  void add(Timeline other) {
    if (other.keysPerSlot != keysPerSlot) {
      throw new IllegalArgumentException("Timelines of one run have the same slots.");
    }
    for (int slot = 0; slot < other.slots; slot++) {
      if (other.writes[slot] != null) {
        sum(slot(slot), other.writes[slot]);
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
    return writes[slot] == null ? 0 : writes[slot][region];
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
