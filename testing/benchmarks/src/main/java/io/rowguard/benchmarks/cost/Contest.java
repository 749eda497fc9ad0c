package io.rowguard.benchmarks.cost;

import io.rowguard.benchmarks.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.regionserver.RegionSplitPolicy;

/**
 * Asks several policies about one region in turn, again and again, so that whatever else the
 * machine does hits all of them alike.
 */
final class Contest {
  private static final long WARM_UP_NANOS = 1_500_000_000L;
  private static final long NANOS = 2_500_000_000L;
  private static final int FEWEST_CALLS = 15;
  private static final int MOST_CALLS = 2_000;

  private final List<RegionSplitPolicy> policies;
  private final LruBlockCache cache;

  Contest(List<RegionSplitPolicy> policies, LruBlockCache cache) {
    this.policies = policies;
    this.cache = cache;
  }

  /** All calls of one policy. */
  record Calls(List<CallCost> calls) {
    Quantiles of(ToLongFunction<CallCost> cost) {
      return Quantiles.of(calls.stream().mapToLong(cost).asDoubleStream().toArray());
    }
  }

  /** With the block cache as the calls before left it; the answers are in the policies' order. */
  List<Calls> warm() {
    rounds(WARM_UP_NANOS, Integer.MAX_VALUE, false);
    return rounds(NANOS, MOST_CALLS, false);
  }

  /** With an empty block cache before each call; what the operating system caches stays. */
  List<Calls> cold() {
    rounds(WARM_UP_NANOS / 2, Integer.MAX_VALUE, true);
    return rounds(NANOS / 2, MOST_CALLS, true);
  }

  private List<Calls> rounds(long nanos, int most, boolean emptied) {
    List<Calls> calls = new ArrayList<>();
    policies.forEach(policy -> calls.add(new Calls(new ArrayList<>())));
    long began = System.nanoTime();
    for (int round = 0; round < most; round++) {
      if (round >= FEWEST_CALLS && System.nanoTime() - began > nanos) {
        break;
      }
      for (int i = 0; i < policies.size(); i++) {
        if (emptied) {
          cache.clearCache();
        }
        calls.get(i).calls().add(CallCost.of(policies.get(i), cache));
      }
    }
    return calls;
  }
}
