package io.rowguard.observer.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LastMinuteTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @Test
  void rows_afterPauses_areThoseOfTheLastMinute() {
    LastMinute minute = new LastMinute();
    minute.add(3, 0);
    minute.add(4, 10 * SECOND);
    assertEquals(7, minute.rows(54 * SECOND));
    assertEquals(54_000, minute.millis(54 * SECOND));
    assertEquals(4, minute.rows(60 * SECOND));
    assertEquals(50_000, minute.millis(60 * SECOND));
    assertEquals(0, minute.rows(600 * SECOND));
    assertEquals(0, minute.millis(600 * SECOND));
  }

  /** Against a list of everything; {@link System#nanoTime} may begin below 0. */
  @Test
  void rows_atAnyTime_areOfFiftyFiveToSixtySeconds() {
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      LastMinute minute = new LastMinute();
      List<long[]> all = new ArrayList<>();
      long now = (random.nextInt(2_000) - 1_000) * SECOND;
      for (int i = 0; i < 300; i++) {
        now += random.nextInt(i % 20 == 0 ? 90_000 : 4_000) * (SECOND / 1_000);
        if (random.nextBoolean()) {
          all.add(new long[] {now, 1 + random.nextInt(100)});
          minute.add(all.get(all.size() - 1)[1], now);
        }
        String message = "seed=" + seed + " i=" + i;
        long rows = minute.rows(now);
        assertTrue(sum(all, now - 55 * SECOND) <= rows, message);
        assertTrue(sum(all, now - 60 * SECOND) >= rows, message);
        assertTrue(rows > 0 || minute.millis(now) == 0, message);
        assertTrue(minute.millis(now) <= 60_000, message);
      }
    }
  }

  private static long sum(List<long[]> all, long since) {
    return all.stream().filter(each -> each[0] >= since).mapToLong(each -> each[1]).sum();
  }
}
