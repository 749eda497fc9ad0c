/**
 * The cuts of regions: a {@code RegionSplitPolicy} that keeps entity groups whole.
 *
 * <pre>
 * rowguard.layout = {country:text(2)}|{admin:text}|{id:digits(8)}, rowguard.group = country
 *
 * a region from "DE" to "IT"       may be split at "FR"
 *                                  never at "FR|11|02988507", inside a country
 * </pre>
 *
 * <ul>
 *   <li>{@link io.rowguard.split.LayoutRegionSplitPolicy}: what HBase asks
 *   <li>{@link io.rowguard.split.LayoutSplitAlgorithm}: pre-splits for RegionSplitter and the shell
 *   <li>{@code RegionFiles}: the store files of a region
 *   <li>{@code IndexWeights}: how the bytes of one divide between its rows, by its block index
 *   <li>{@code TableBoundaries}: where legal boundaries come from
 *   <li>{@code ShouldSplitPolicy}: the policy that decides when
 *   <li>{@code SplitMetrics}: what an operator sees
 * </ul>
 *
 * <p>The choice itself is {@link io.rowguard.splitpoint}.
 */
package io.rowguard.split;
