/**
 * Where a region may be cut: a {@code RegionSplitPolicy} that keeps entity groups whole.
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
 *   <li>{@code SplitRange}: the rows that a region really has
 *   <li>{@code WhenPolicy}: the policy that decides when
 * </ul>
 */
package io.rowguard.split;
