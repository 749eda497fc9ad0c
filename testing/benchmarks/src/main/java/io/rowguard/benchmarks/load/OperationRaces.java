package io.rowguard.benchmarks.load;

import io.rowguard.benchmarks.Lap;
import io.rowguard.benchmarks.Race;
import java.io.IOException;

/**
 * Races {@link SampledOperations} of each {@link SampleRate} against those that are not counted.
 */
final class OperationRaces {
  private static final int WARM_UP_ROUNDS = 100;
  // The more a region holds in memory, the slower it takes more.
  private static final int ROUNDS_PER_FLUSH = 100;

  private final SampledOperations operations;
  private final int rounds;

  /** An operation of one lap. */
  private interface Operation {
    /** Does it to so many rows. */
    int run(SampleRate sampling) throws IOException;
  }

  /**
   * Races of so many rounds.
   *
   * @param rounds after those that warm up
   */
  OperationRaces(SampledOperations operations, int rounds) {
    this.operations = operations;
    this.rounds = rounds;
  }

  /** Races puts in batches. */
  Race<SampleRate> puts() throws Exception {
    return race(operations::put, /* writes= */ true);
  }

  /** Races Gets. */
  Race<SampleRate> gets() throws Exception {
    return race(operations::get, /* writes= */ false);
  }

  /** Races scans. */
  Race<SampleRate> scans() throws Exception {
    return race(operations::scan, /* writes= */ false);
  }

  private Race<SampleRate> race(Operation operation, boolean writes) throws Exception {
    race(operation, WARM_UP_ROUNDS, writes);
    return race(operation, rounds, writes);
  }

  private Race<SampleRate> race(Operation operation, int count, boolean writes) throws Exception {
    Race<SampleRate> race = new Race<>(SampleRate.OFF);
    for (int i = 0; i < count; i++) {
      if (writes && i % ROUNDS_PER_FLUSH == 0) {
        operations.flush();
      }
      race.round(sampling -> lap(operation, sampling));
    }
    return race;
  }

  private static Lap lap(Operation operation, SampleRate sampling) throws IOException {
    long began = System.nanoTime();
    double count = operation.run(sampling);
    double nanos = System.nanoTime() - began;
    return new Lap(nanos / count);
  }
}
