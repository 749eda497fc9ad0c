package io.rowguard.benchmarks;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How several ways are compared. */
class RaceTest {
  private enum Way {
    FIRST,
    BASE,
    SLOW
  }

  @Test
  void ratio_slowerWay_isBelowOneWhateverTheRoundTook() throws Exception {
    Race<Way> race = new Race<>(Way.BASE);
    for (double slowness : new double[] {1, 10, 3}) {
      race.round(way -> new Lap(slowness * (way == Way.SLOW ? 125 : 100), slowness));
    }
    assertEquals(3, race.rounds());
    assertEquals(0.8, race.ratio(Way.SLOW, Lap::nanos).at(0));
    assertEquals(0.8, race.ratio(Way.SLOW, Lap::nanos).at(1));
    assertEquals(1.0, race.ratio(Way.SLOW, Lap::cpuNanos).median());
    assertEquals(1.0, race.ratio(Way.BASE, Lap::nanos).median());
    assertEquals(375, race.cost(Way.SLOW, Lap::nanos).median());
  }

  @Test
  void round_eachTime_beginsWithAnotherWay() throws Exception {
    Race<Way> race = new Race<>(Way.BASE);
    List<Way> first = new ArrayList<>();
    for (int i = 0; i < Way.values().length; i++) {
      List<Way> order = new ArrayList<>();
      race.round(
          way -> {
            order.add(way);
            return new Lap(1, 1);
          });
      assertEquals(Way.values().length, order.stream().distinct().count());
      first.add(order.get(0));
    }
    assertEquals(List.of(Way.values()), first);
  }
}
