package io.rowguard.benchmarks;

/**
 * The cost of one operation on some rows, per row.
 *
 * @param nanos of time, from the first row's start to the last one's end
 * @param cpuNanos of processor time
 */
public record Lap(double nanos, double cpuNanos) {}
