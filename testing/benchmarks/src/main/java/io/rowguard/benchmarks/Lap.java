package io.rowguard.benchmarks;

/**
 * The cost of one operation on some rows, per row.
 *
 * @param nanos of time, from the first row's start to the last one's end
 * @param cpuNanos of processor time; NaN where it was not measured
 */
public record Lap(double nanos, double cpuNanos) {
  /** A lap too short for the clock of a process's processor time, which ticks every 10 ms. */
  public Lap(double nanos) {
    this(nanos, Double.NaN);
  }
}
