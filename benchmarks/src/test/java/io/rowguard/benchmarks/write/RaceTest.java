package io.rowguard.benchmarks.write;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How guards are compared. */
class RaceTest {
  @Test
  void ratio_slowerGuard_isBelowOneWhateverTheRoundTook() throws Exception {
    Race race = new Race();
    for (double slowness : new double[] {1, 10, 3}) {
      race.round(guard -> new Lap(slowness * (guard == Guard.SALT ? 125 : 100), slowness));
    }
    assertEquals(3, race.rounds());
    assertEquals(0.8, race.ratio(Guard.SALT, Lap::nanos).at(0));
    assertEquals(0.8, race.ratio(Guard.SALT, Lap::nanos).at(1));
    assertEquals(1.0, race.ratio(Guard.SALT, Lap::cpuNanos).median());
    assertEquals(1.0, race.ratio(Guard.EMPTY, Lap::nanos).median());
    assertEquals(375, race.cost(Guard.SALT, Lap::nanos).median());
  }

  @Test
  void round_eachTime_beginsWithAnotherGuard() throws Exception {
    Race race = new Race();
    List<Guard> first = new ArrayList<>();
    for (int i = 0; i < Guard.values().length; i++) {
      List<Guard> order = new ArrayList<>();
      race.round(
          guard -> {
            order.add(guard);
            return new Lap(1, 1);
          });
      assertEquals(Guard.values().length, order.stream().distinct().count());
      first.add(order.get(0));
    }
    assertEquals(List.of(Guard.values()), first);
  }
}
