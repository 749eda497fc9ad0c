package io.rowguard.tools.simulate;

import io.rowguard.model.RowSketch;
import io.rowguard.model.SketchBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * The keys that were written in each slot of a {@link Timeline}, so that the writes of a moment can
 * be told by regions that were made only later: one {@link RowSketch} per slot, which is its error
 * and its size. Not thread-safe.
 */
final class WriteMap {
  private final RowSketch[] slots = new RowSketch[Timeline.MOST_SLOTS];
  private final SketchBuilder now;
  private final SplittableRandom random;
  private long keysPerSlot;
  private int current;

  WriteMap(Timeline clock, SplittableRandom random) {
    this.keysPerSlot = clock.keysPerSlot();
    this.random = random;
    this.now = new SketchBuilder(1, 0, random.split());
  }

  /**
   * Adds a row, which is kept as it is.
   *
   * @param clock has counted the row already, so that its slots are those of the row
   */
  void add(Timeline clock, long number, byte[] row) {
    while (keysPerSlot < clock.keysPerSlot()) {
      halve();
    }
    int slot = (int) (number / keysPerSlot);
    if (slot != current) {
      end();
      current = slot;
    }
    now.add(row);
  }

  private void end() {
    slots[current] = merged(slots[current], now.take());
  }

  private RowSketch merged(RowSketch a, RowSketch b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return RowSketch.merge(List.of(a, b), random);
  }

  private void halve() {
    end();
    for (int i = 0; i < slots.length / 2; i++) {
      slots[i] = merged(slots[2 * i], slots[2 * i + 1]);
    }
    Arrays.fill(slots, slots.length / 2, slots.length, null);
    current /= 2;
    keysPerSlot *= 2;
  }

  /** The writes of each slot by the regions between split keys. */
  Timeline by(List<byte[]> splitKeys) {
    end();
    int used = 1 + lastUsed();
    long[][] writes = new long[used][splitKeys.size() + 1];
    for (int slot = 0; slot < used; slot++) {
      RowSketch rows = slots[slot];
      long below = 0;
      for (int region = 0; rows != null && region <= splitKeys.size(); region++) {
        long to =
            region == splitKeys.size() ? rows.weight() : rows.weightBelow(splitKeys.get(region));
        writes[slot][region] = to - below;
        below = to;
      }
    }
    return Timeline.of(keysPerSlot, writes);
  }

  private int lastUsed() {
    int last = slots.length - 1;
    while (last > 0 && Objects.isNull(slots[last])) {
      last--;
    }
    return last;
  }
}
