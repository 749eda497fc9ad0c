package io.rowguard.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sketch against a map with every row. */
class RowSketchTest {
  private static final long SEED = 503;
  private static final int PER_ROW = 20;

  private static byte[] row(Random random, int different) {
    String number = Integer.toString(random.nextInt(different));
    return number.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
  }

  /** Bytes by row, and their sketch. */
  private record Both(TreeMap<byte[], Long> all, RowSketch sketch) {
    long total() {
      return all.values().stream().mapToLong(bytes -> bytes).sum();
    }

    long below(byte[] row) {
      return all.headMap(row).values().stream().mapToLong(bytes -> bytes).sum();
    }

    /** The largest error of the weight below any row, as a share of all. */
    double worst() {
      double worst = 0;
      long below = 0;
      for (Map.Entry<byte[], Long> row : all.entrySet()) {
        worst = Math.max(worst, (double) Math.abs(below - sketch.weightBelow(row.getKey())));
        below += row.getValue();
      }
      return worst / total();
    }
  }

  private static Both both(Random random, int rows, int different) {
    TreeMap<byte[], Long> all = new TreeMap<>(Arrays::compareUnsigned);
    SketchBuilder builder = new SketchBuilder(PER_ROW, 1, new SplittableRandom(random.nextLong()));
    for (int i = 0; i < rows; i++) {
      byte[] row = row(random, different);
      all.merge(row, (long) PER_ROW + row.length, Long::sum);
      builder.add(row);
    }
    return new Both(all, builder.take());
  }

  @ParameterizedTest(name = "{0} rows")
  @ValueSource(ints = {1, 2, 100, 256})
  void take_fewRows_isExact(int rows) {
    Both both = both(new Random(SEED), rows, 1_000_000);
    assertTrue(both.sketch.isExact());
    assertEquals(both.total(), both.sketch.weight());
    assertEquals(0, both.worst());
  }

  @Test
  void take_fewDifferentRowsOften_isExact() {
    Both both = both(new Random(SEED), 20_000, 200);
    assertTrue(both.sketch.isExact());
    assertEquals(0, both.worst());
  }

  @ParameterizedTest(name = "{0} rows")
  @ValueSource(ints = {257, 1_024, 1_025, 30_000, 300_000})
  void take_manyRows_isNear(int rows) {
    Random random = new Random(SEED);
    Both both = both(random, rows, Integer.MAX_VALUE);
    assertFalse(both.sketch.isExact());
    assertTrue(both.sketch.size() <= RowSketch.MOST_ENTRIES);
    assertEquals(both.total(), both.sketch.weight());
    assertArrayEquals(both.all.firstKey(), both.sketch.first());
    assertArrayEquals(both.all.lastKey(), both.sketch.last());
    // Five standard deviations.
    assertTrue(both.worst() < 0.016, "worst=" + both.worst());
  }

  @Test
  void take_oneRowIsMost_keepsItsWeight() {
    Random random = new Random(SEED);
    SketchBuilder builder = new SketchBuilder(1, 0, new SplittableRandom(SEED));
    byte[] heavy = {'5'};
    for (int i = 0; i < 100_000; i++) {
      builder.add(i % 10 == 0 ? row(random, 1_000_000) : heavy);
    }
    RowSketch sketch = builder.take();
    byte[] next = {'5', 0};
    double weight = (double) sketch.weightBelow(next) - sketch.weightBelow(heavy);
    assertEquals(90_000, weight, 1_000);
    assertArrayEquals(heavy, sketch.rowAt(sketch.weight() / 2));
  }

  @Test
  void take_twice_isEmptyThen() {
    SketchBuilder builder = new SketchBuilder(1, 1, new SplittableRandom(SEED));
    builder.add(new byte[] {1});
    assertEquals(2, builder.take().weight());
    assertNull(builder.take());
  }

  @Test
  void merge_manyGenerations_staysNear() {
    Random random = new Random(SEED);
    SplittableRandom choices = new SplittableRandom(SEED);
    TreeMap<byte[], Long> all = new TreeMap<>(Arrays::compareUnsigned);
    List<RowSketch> files = new ArrayList<>();
    for (int flush = 0; flush < 60; flush++) {
      Both both = both(random, 3_000, Integer.MAX_VALUE);
      both.all.forEach((row, bytes) -> all.merge(row, bytes, Long::sum));
      files.add(both.sketch);
      if (files.size() == 3) {
        RowSketch merged = RowSketch.merge(files, choices);
        files.clear();
        files.add(merged);
      }
    }
    Both both = new Both(all, RowSketch.merge(files, choices));
    assertEquals(both.total(), both.sketch.weight());
    assertTrue(both.worst() < 0.03, "worst=" + both.worst());
  }

  @Test
  void belowAndFrom_anyRow_divideTheWeight() {
    Random random = new Random(SEED);
    for (int rows : new int[] {1, 50, 5_000}) {
      Both both = both(random, rows, 100_000);
      for (int i = 0; i < 200; i++) {
        byte[] cut = row(random, 100_000);
        RowSketch below = both.sketch.below(cut);
        RowSketch above = both.sketch.from(cut);
        long sum = (below == null ? 0 : below.weight()) + (above == null ? 0 : above.weight());
        assertEquals(both.sketch.weight(), sum);
        if (below != null) {
          assertEquals((double) both.below(cut), (double) below.weight(), 0.02 * both.total());
          assertTrue(Arrays.compareUnsigned(below.last(), cut) < 0);
          assertArrayEquals(both.sketch.first(), below.first());
        }
        if (above != null) {
          assertTrue(Arrays.compareUnsigned(above.first(), cut) >= 0);
          assertArrayEquals(both.sketch.last(), above.last());
        }
      }
    }
  }
}
