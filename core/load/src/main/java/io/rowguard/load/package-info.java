/**
 * Names the hot rows and entity groups of a region, and what an operator can do about it. Knows no
 * HBase.
 *
 * <pre>
 * 100 operations on rows a/1 .. a/9, 60 on b/1, 40 on c/1; groups a, b, c
 *
 * groups    a 50 %, b 30 %, c 20 %
 * verdict   even: the boundary b divides the load best
 * </pre>
 *
 * <ul>
 *   <li>{@link io.rowguard.load.LoadSummary}: what a region counts, in bounded memory; {@code
 *       HeavyKeys} and {@code RowReservoir} are what it counts with; {@link
 *       io.rowguard.load.OneIn}: which operations it counts
 *   <li>{@link io.rowguard.load.LoadSnapshot}: what it held at one time
 *   <li>{@link io.rowguard.load.LoadFinding}: the verdict on that, and the best boundary; {@code
 *       LoadCut}, {@code Arrivals} and {@code BucketLoad} are its parts
 *   <li>{@link io.rowguard.load.LoadSplitRule}: whether the region is cut there, now
 * </ul>
 */
package io.rowguard.load;
