package io.rowguard.benchmarks.write;

import io.rowguard.benchmarks.Quantiles;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * All guards in turn, round by round, each round beginning with another one, so that whatever else
 * the machine does hits all of them alike. A round compares what ran within a second or so.
 */
final class Race {
  private final Map<Guard, List<Lap>> laps = new EnumMap<>(Guard.class);

  Race() {
    for (Guard guard : Guard.values()) {
      laps.put(guard, new ArrayList<>());
    }
  }

  /** One guard's part of a round. */
  interface Runner {
    Lap lap(Guard guard) throws Exception;
  }

  /** One more round. */
  void round(Runner runner) throws Exception {
    Guard[] guards = Guard.values();
    int first = rounds();
    for (int i = 0; i < guards.length; i++) {
      Guard guard = guards[(first + i) % guards.length];
      laps.get(guard).add(runner.lap(guard));
    }
  }

  /** How many rounds there were. */
  int rounds() {
    return laps.get(Guard.NONE).size();
  }

  /** A cost of one guard, over all rounds. */
  Quantiles cost(Guard guard, ToDoubleFunction<Lap> cost) {
    return Quantiles.of(laps.get(guard).stream().mapToDouble(cost).toArray());
  }

  /**
   * What a guard leaves of the throughput of {@link Guard#EMPTY}, the two compared round by round:
   * 1 when it costs nothing, less when it costs something.
   */
  Quantiles ratio(Guard guard, ToDoubleFunction<Lap> cost) {
    List<Lap> own = laps.get(guard);
    List<Lap> empty = laps.get(Guard.EMPTY);
    return Quantiles.of(
        IntStream.range(0, rounds())
            .mapToDouble(i -> cost.applyAsDouble(empty.get(i)) / cost.applyAsDouble(own.get(i)))
            .toArray());
  }
}
