package io.rowguard.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The counters against exact counts of the same streams. */
class HeavyKeysTest {
  private static final int STREAMS = 300;
  private static final int CAPACITY = 192;
  private static final double ROUNDING = 1e-9;

  @Test
  void keys_zipfOverAMillion_haveTheTrueTopTen() {
    int found = 0;
    int seeds = 2;
    for (int seed = 0; seed < seeds; seed++) {
      // The ranks are no rows that stand together, nor in order.
      Random random = new Random(seed);
      int[] stream = Streams.zipf(1_000_000, 1.1, 1_000_000, random);
      int turn = 2 * random.nextInt(1 << 20) + 1;
      HeavyKeys keys = new HeavyKeys(CAPACITY);
      int[] counts = new int[1_000_000];
      for (int rank : stream) {
        counts[rank]++;
        byte[] key = Streams.key(shuffled(rank, turn));
        keys.add(HeavyKeys.hash(key, 0, key.length), key, 0, key.length, 1, rank % 2 == 0);
      }
      Set<String> named = new HashSet<>();
      keys.keys(1).subList(0, 10).forEach(key -> named.add(text(key)));
      found +=
          (int)
              IntStream.range(0, counts.length)
                  .boxed()
                  .sorted((a, b) -> counts[b] - counts[a])
                  .limit(10)
                  .filter(rank -> named.contains(text(Streams.key(shuffled(rank, turn)))))
                  .count();
    }
    assertTrue(found >= 0.95 * 10 * seeds, "found=" + found + " of=" + 10 * seeds);
  }

  private static int shuffled(int rank, int turn) {
    return rank * turn & (1 << 20) - 1;
  }

  @Test
  void add_randomStreams_keepTheBounds() {
    for (int seed = 0; seed < STREAMS; seed++) {
      Random random = new Random(seed);
      int capacity = 1 + random.nextInt(60);
      HeavyKeys keys = new HeavyKeys(capacity);
      Map<String, double[]> exact = new HashMap<>();
      int universe = 1 + random.nextInt(300);
      double skew = random.nextDouble() * 3;
      double total = 0;
      int count = random.nextInt(3_000);
      for (int i = 0; i < count; i++) {
        if (random.nextInt(500) == 0) {
          keys.scale(0.25);
          total *= 0.25;
          exact.values().forEach(weights -> scale(weights, 0.25));
        }
        byte[] key = longOrShort((int) (universe * Math.pow(random.nextDouble(), 1 + skew)));
        double weight = random.nextInt(4) == 0 ? 0 : random.nextDouble() * 10;
        boolean isWrite = random.nextBoolean();
        add(keys, key, weight, isWrite);
        exact.computeIfAbsent(text(key), k -> new double[2])[isWrite ? 1 : 0] += weight;
        total += weight;
      }
      requireBounds(keys, capacity, exact, total, "seed=" + seed);
    }
  }

  private static void scale(double[] weights, double factor) {
    weights[0] *= factor;
    weights[1] *= factor;
  }

  /** Some are longer than what is kept of them, and of one beginning. */
  private static byte[] longOrShort(int number) {
    byte[] key = Streams.key(number);
    return number % 3 == 0 ? Streams.bytes("x".repeat(80) + text(key)) : key;
  }

  private static void requireBounds(
      HeavyKeys keys, int capacity, Map<String, double[]> exact, double total, String context) {
    double most = total / capacity + ROUNDING * total;
    Set<String> seen = new HashSet<>();
    List<HeavyKey> found = keys.keys(1);
    assertTrue(found.size() <= capacity, context);
    double last = Double.POSITIVE_INFINITY;
    int longOnes = 0;
    for (HeavyKey key : found) {
      assertTrue(key.atLeast() <= last, context + ": sorted");
      last = key.atLeast();
      assertTrue(key.error() <= most, context + " error=" + key.error() + " most=" + most);
      if (!key.isWhole()) {
        assertEquals(HeavyKeys.KEPT_BYTES, key.key().length, context);
        longOnes++;
        continue;
      }
      double[] weights = exact.get(text(key));
      assertTrue(seen.add(text(key)), context + ": one counter per key");
      assertTrue(key.reads() <= weights[0] + most * ROUNDING + ROUNDING, context);
      assertTrue(key.writes() <= weights[1] + most * ROUNDING + ROUNDING, context);
      assertTrue(
          weights[0] + weights[1] <= key.atMost() + ROUNDING * total + ROUNDING,
          context + " key=" + text(key));
    }
    double unseen = keys.unseenAtMost() + ROUNDING * total;
    assertTrue(unseen <= most + ROUNDING * total, context);
    int heavyLongOnes = 0;
    for (Map.Entry<String, double[]> each : exact.entrySet()) {
      double weight = each.getValue()[0] + each.getValue()[1];
      if (each.getKey().length() > HeavyKeys.KEPT_BYTES) {
        heavyLongOnes += weight > unseen ? 1 : 0;
      } else if (!seen.contains(each.getKey())) {
        assertTrue(weight <= unseen, context + " key=" + each.getKey() + " weight=" + weight);
      }
    }
    assertTrue(longOnes >= heavyLongOnes, context + ": long keys are told apart");
  }

  @Test
  void add_sameBeginningAndLength_areDifferentKeys() {
    HeavyKeys keys = new HeavyKeys(4);
    String beginning = "b".repeat(HeavyKeys.KEPT_BYTES);
    add(keys, Streams.bytes(beginning + "1"), 3, true);
    add(keys, Streams.bytes(beginning + "2"), 2, true);
    List<HeavyKey> found = keys.keys(1);
    assertEquals(2, found.size());
    assertEquals(3, found.get(0).atLeast());
    assertEquals(65, found.get(0).length());
    assertFalse(found.get(0).isWhole());
  }

  @Test
  void add_emptyKeyAndPartOfAnArray_areKeys() {
    HeavyKeys keys = new HeavyKeys(4);
    byte[] around = Streams.bytes("xxalicexx");
    add(keys, around, 2, 5, 1, /* isWrite= */ false);
    add(keys, Streams.bytes("alice"), 1, /* isWrite= */ true);
    add(keys, new byte[0], 0.5, /* isWrite= */ true);
    List<HeavyKey> found = keys.keys(2);
    assertEquals(List.of("alice", ""), found.stream().map(HeavyKeysTest::text).toList());
    assertEquals(2, found.get(0).reads());
    assertEquals(2, found.get(0).writes());
    assertEquals(0, found.get(0).error());
  }

  private static void add(HeavyKeys keys, byte[] key, double weight, boolean isWrite) {
    add(keys, key, 0, key.length, weight, isWrite);
  }

  private static void add(
      HeavyKeys keys, byte[] bytes, int offset, int length, double weight, boolean isWrite) {
    // Many of one slot, so that probing and closing gaps is tried, too.
    long hash = HeavyKeys.hash(bytes, offset, length);
    keys.add((hash & ~0xffL) | (hash & 3), bytes, offset, length, weight, isWrite);
  }

  private static String text(HeavyKey key) {
    return text(key.key());
  }

  private static String text(byte[] key) {
    return new String(Arrays.copyOf(key, key.length), StandardCharsets.UTF_8);
  }
}
