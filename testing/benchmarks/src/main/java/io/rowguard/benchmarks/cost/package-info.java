/**
 * The cost of asking for a split point: time, allocation and block reads, for Rowguard and for
 * HBase's own policy, as store files and index entries grow.
 *
 * <p>The regions are real ones, opened without a cluster around them, so that nothing else runs in
 * the JVM while one is asked.
 */
package io.rowguard.benchmarks.cost;
