package io.rowguard.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowOrder;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The sample's weights against exact ones. */
class RowReservoirTest {
  private static final int CAPACITY = 64;

  @Test
  void sample_fewerRowsThanRoom_isExact() {
    RowReservoir reservoir = new RowReservoir(CAPACITY, new SplittableRandom(1));
    for (int i = 0; i < 10; i++) {
      reservoir.offer(Streams.key(i), 0, 7, i, i % 2 == 0);
    }
    List<SampledRow> sample = reservoir.sample(9);
    assertEquals(10, sample.size());
    for (int i = 0; i < 10; i++) {
      assertEquals(Math.pow(2, i - 9), sample.get(i).weight(), 1e-12);
      assertEquals(i % 2 == 0, sample.get(i).isWrite());
      assertTrue(sample.get(i).isWhole());
    }
  }

  @Test
  void sample_sharesOfRandomStreams_areRightInTheMeanAndWithinTheBound() {
    int streams = 2_000;
    double squares = 0;
    double sum = 0;
    for (int seed = 0; seed < streams; seed++) {
      Random random = new Random(seed);
      RowReservoir reservoir = new RowReservoir(CAPACITY, new SplittableRandom(seed));
      double total = 0;
      double part = 0;
      int count = 300 + random.nextInt(700);
      int limit = random.nextInt(1000);
      double now = 0;
      for (int i = 0; i < count; i++) {
        now += random.nextDouble() / 100;
        int key = random.nextInt(1000);
        reservoir.offer(Streams.key(key), 0, 7, now, /* isWrite= */ true);
        total += Math.pow(2, now);
        part += key < limit ? Math.pow(2, now) : 0;
      }
      byte[] bound = Streams.key(limit);
      double estimate =
          reservoir.sample(now).stream()
              .filter(row -> RowOrder.compare(row.row(), bound) < 0)
              .mapToDouble(SampledRow::weight)
              .sum();
      double error = (estimate - part / Math.pow(2, now)) / (total / Math.pow(2, now));
      sum += error;
      squares += error * error;
    }
    double deviation = Math.sqrt(squares / streams);
    double bound = 1 / Math.sqrt(CAPACITY - 1.0);
    assertTrue(deviation <= bound, "deviation=" + deviation + " bound=" + bound);
    assertEquals(0, sum / streams, 4 * bound / Math.sqrt(streams), "the mean error");
  }

  @Test
  void sample_oldRows_giveWayToNewOnes() {
    RowReservoir reservoir = new RowReservoir(CAPACITY, new SplittableRandom(1));
    for (int i = 0; i < 1_000; i++) {
      reservoir.offer(Streams.key(i), 0, 7, i < 500 ? 0 : 20, /* isWrite= */ true);
    }
    long old =
        reservoir.sample(20).stream()
            .filter(row -> RowOrder.compare(row.row(), Streams.key(500)) < 0)
            .count();
    assertTrue(old <= 1, "old=" + old);
  }
}
