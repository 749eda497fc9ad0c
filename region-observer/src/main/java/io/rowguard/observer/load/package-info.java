/**
 * What a region's operations go to: counted by {@link io.rowguard.observer.load.LoadMeter} in an
 * {@code io.rowguard.load} summary, shown by {@link io.rowguard.observer.load.RegionLoadMXBean} in
 * the server's JMX.
 */
package io.rowguard.observer.load;
