/**
 * A table of HBase in memory, for {@code rowguard simulate --model full}: memstores, store files,
 * compactions, splits, servers and a balancer, by the formulas of HBase 2.6, without HBase on the
 * class path.
 *
 * <ul>
 *   <li>{@link io.rowguard.model.SimulatedTable}: rows go in, regions come out
 *   <li>{@link io.rowguard.model.TableSettings}: what it depends on, from an hbase-site.xml
 *   <li>{@code SimulatedRegion}, {@code SimulatedStoreFile}: what a region holds
 *   <li>{@link io.rowguard.model.RowSketch}: which rows a file holds, in bounded memory
 *   <li>{@link io.rowguard.model.SplitRules}, {@code SplitPoints}: when and where a region is split
 *   <li>{@link io.rowguard.model.CompactionRules}: which files are compacted
 *   <li>{@code CellSizes}: what a cell and a file weigh
 * </ul>
 */
package io.rowguard.model;
