package io.rowguard.tools.simulate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.model.CellSizes;
import io.rowguard.model.HBaseSite;
import io.rowguard.model.SplitWhen;
import io.rowguard.model.SplitWhere;
import io.rowguard.model.TableSettings;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes over time by regions that come later, against counting them with all rows at hand. */
class WriteMapTest {
  private static final long SEED = 505;
  private static final List<byte[]> SPLITS =
      List.of("2", "5", "55", "9").stream()
          .map(key -> key.getBytes(StandardCharsets.US_ASCII))
          .toList();

  private static byte[][] rows(int count) {
    Random random = new Random(SEED);
    byte[][] rows = new byte[count][];
    for (int i = 0; i < count; i++) {
      // They wander upwards with time.
      long number = (long) (1e8 * (0.2 + 0.7 * i / count) + 1e7 * random.nextDouble());
      rows[i] = Long.toString(number).getBytes(StandardCharsets.US_ASCII);
    }
    return rows;
  }

  private static int region(byte[] row) {
    return (int) SPLITS.stream().filter(split -> Arrays.compareUnsigned(split, row) <= 0).count();
  }

  @ParameterizedTest(name = "known={0}")
  @ValueSource(booleans = {true, false})
  void by_laterRegions_isNearTheCounts(boolean isKnown) {
    byte[][] rows = rows(150_000);
    Timeline clock = new Timeline(1, isKnown ? rows.length : 0);
    WriteMap map = new WriteMap(clock, new SplittableRandom(SEED));
    for (int i = 0; i < rows.length; i++) {
      clock.add(i, 0);
      map.add(clock, i, rows[i]);
    }
    Timeline actual = map.by(SPLITS);
    assertEquals(clock.keysPerSlot(), actual.keysPerSlot());
    assertEquals(clock.slots(), actual.slots());
    long[][] expected = new long[clock.slots()][SPLITS.size() + 1];
    for (int i = 0; i < rows.length; i++) {
      expected[(int) (i / clock.keysPerSlot())][region(rows[i])]++;
    }
    for (int slot = 0; slot < expected.length; slot++) {
      long sum = 0;
      for (int region = 0; region <= SPLITS.size(); region++) {
        sum += actual.writes(slot, region);
        double difference = (double) expected[slot][region] - actual.writes(slot, region);
        assertEquals(0, difference, 0.02 * clock.keysPerSlot());
      }
      assertEquals(Arrays.stream(expected[slot]).sum(), sum);
    }
  }

  @Test
  void fullRun_anyKeys_countsEachOnceEverywhere() {
    RowkeyLayout layout = RowkeyLayout.parse("{id:digits(8)}");
    Design design = new Design(EntityGroup.of(layout, null), List.of(), "");
    TableSettings settings =
        TableSettings.of(
            HBaseSite.empty(),
            new TableSettings.Wishes(
                SplitWhen.CONSTANT,
                SplitWhere.ROWGUARD,
                null,
                null,
                300_000L,
                50_000L,
                CellSizes.DEFAULT_BLOCK_SIZE,
                3,
                100));
    byte[][] rows = rows(50_000);
    FullRun run = new FullRun(design, settings, 0, SEED);
    for (int i = 0; i < rows.length; i++) {
      run.write(i, rows[i], rows[i].length);
    }
    byte[] bad = {'x'};
    run.write(rows.length, bad, 1);
    SimulationResult result = run.result();
    assertEquals(rows.length, result.rows());
    assertEquals(1, result.intake().refused());
    assertEquals(108L * rows.length, result.bytes());
    assertEquals(result.regions(), 1 + result.growth().splitTimes().size());
    Growth growth = result.growth();
    int[] counts = growth.regionsOverTime();
    assertEquals(result.regions(), counts[counts.length - 1]);
    for (Timeline timeline : List.of(result.timeline(), growth.regions(), growth.servers())) {
      assertEquals(counts.length, timeline.slots());
      long sum =
          IntStream.range(0, timeline.slots())
              .mapToLong(
                  slot -> IntStream.range(0, 500).mapToLong(i -> timeline.writes(slot, i)).sum())
              .sum();
      assertEquals(rows.length, sum);
    }
  }
}
