package io.rowguard.benchmarks;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Several ways to do the same, all in turn, round by round, each round beginning with another one,
 * so that whatever else the machine does hits all of them alike. A round compares what ran within a
 * second or so.
 *
 * @param <W> the ways
 */
public final class Race<W extends Enum<W>> {
  private final Map<W, List<Lap>> laps;
  private final List<W> ways;
  private final W baseline;

  /** A race of all ways of its class against one of them. */
  public Race(W baseline) {
    Class<W> type = baseline.getDeclaringClass();
    this.baseline = baseline;
    this.ways = List.copyOf(EnumSet.allOf(type));
    this.laps = new EnumMap<>(type);
    ways.forEach(way -> laps.put(way, new ArrayList<>()));
  }

  /**
   * One way's part of a round.
   *
   * @param <W> the ways
   */
  public interface Runner<W> {
    /** Does it, and says what it cost. */
    Lap lap(W way) throws Exception;
  }

  /** One more round. */
  public void round(Runner<W> runner) throws Exception {
    int first = rounds();
    for (int i = 0; i < ways.size(); i++) {
      W way = ways.get((first + i) % ways.size());
      laps.get(way).add(runner.lap(way));
    }
  }

  /** How many rounds there were. */
  public int rounds() {
    return laps.get(baseline).size();
  }

  /** A cost of one way, over all rounds. */
  public Quantiles cost(W way, ToDoubleFunction<Lap> cost) {
    return Quantiles.of(laps.get(way).stream().mapToDouble(cost).toArray());
  }

  /**
   * The share of the baseline's throughput that a way leaves, the two compared round by round: 1
   * when it costs the same, less when it costs more.
   */
  public Quantiles ratio(W way, ToDoubleFunction<Lap> cost) {
    List<Lap> own = laps.get(way);
    List<Lap> base = laps.get(baseline);
    return Quantiles.of(
        IntStream.range(0, rounds())
            .mapToDouble(i -> cost.applyAsDouble(base.get(i)) / cost.applyAsDouble(own.get(i)))
            .toArray());
  }
}
