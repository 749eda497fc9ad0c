package io.rowguard.benchmarks.write;

/**
 * What it cost to write some rows, per row.
 *
 * @param nanos of time, from the first row's start to the last one's end
 * @param cpuNanos of processor time
 */
record Lap(double nanos, double cpuNanos) {}
