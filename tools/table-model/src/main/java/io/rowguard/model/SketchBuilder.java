package io.rowguard.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Makes a {@link RowSketch} of rows in any order, in memory that grows with the logarithm of their
 * number: a buffer of {@value #BUFFER} rows, and of each power of two buffers one sketch at most,
 * as in a binary counter. So a row goes through few merges, each of equal parts, and the error of
 * the result stays near that of the last merge: 0.3 % of the weight (standard deviation), however
 * many rows there are. Not thread-safe.
 */
public final class SketchBuilder {
  private static final int BUFFER = 1024;
  private static final int FIRST_CAPACITY = 16;

  private final long weightPerRow;
  private final long weightPerByte;
  private final SplittableRandom random;
  private final List<RowSketch> levels = new ArrayList<>();
  private byte[][] buffer = new byte[FIRST_CAPACITY][];
  private int buffered;

  /**
   * @param weightPerRow what a row weighs beside its bytes
   * @param weightPerByte what each of its bytes weighs
   * @param random where the choices come from
   */
  public SketchBuilder(long weightPerRow, long weightPerByte, SplittableRandom random) {
    this.weightPerRow = weightPerRow;
    this.weightPerByte = weightPerByte;
    this.random = random;
  }

  /** Adds a row, which is kept as it is. */
  public void add(byte[] row) {
    if (buffered == buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.min(BUFFER, 2 * buffered));
    }
    buffer[buffered++] = row;
    if (buffered == BUFFER) {
      carry(0, takeBuffer());
    }
  }

  private void carry(int level, RowSketch sketch) {
    while (levels.size() <= level) {
      levels.add(null);
    }
    RowSketch same = levels.get(level);
    if (same == null) {
      levels.set(level, sketch);
    } else {
      levels.set(level, null);
      carry(level + 1, RowSketch.merge(List.of(same, sketch), random));
    }
  }

  private RowSketch takeBuffer() {
    Arrays.sort(buffer, 0, buffered, Arrays::compareUnsigned);
    long[] weights = new long[buffered];
    for (int i = 0; i < buffered; i++) {
      weights[i] = weightPerRow + weightPerByte * buffer[i].length;
    }
    RowSketch sketch = RowSketch.of(buffer, weights, buffered, random);
    Arrays.fill(buffer, 0, buffered, null);
    buffered = 0;
    return sketch;
  }

  /** The sketch of all rows added since the last call, or null when there are none. */
  public RowSketch take() {
    List<RowSketch> all = new ArrayList<>();
    if (buffered > 0) {
      all.add(takeBuffer());
    }
    // The small ones first, each merged into the next larger.
    levels.stream().filter(sketch -> sketch != null).forEach(all::add);
    levels.clear();
    return all.isEmpty() ? null : RowSketch.merge(all, random);
  }
}
