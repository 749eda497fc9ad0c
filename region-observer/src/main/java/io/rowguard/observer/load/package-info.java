/**
 * The rows that a region's operations go to: counted by {@link io.rowguard.observer.load.LoadMeter}
 * in an {@code io.rowguard.load} summary, shown by {@link
 * io.rowguard.observer.load.RegionLoadMXBean} in the server's JMX.
 *
 * <p>Where the table wants it, {@code LoadSplitter} has the region split by its load: on the one
 * thread of {@code LoadDaemon}, by the rule of {@link io.rowguard.load.LoadSplitRule}.
 */
package io.rowguard.observer.load;
