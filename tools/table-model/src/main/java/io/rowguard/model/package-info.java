/**
 * A table of HBase in memory, for {@code rowguard simulate --model full}: memstores, store files,
 * compactions, splits, servers and a balancer, without HBase on the class path.
 *
 * <p>Its types, from the table down:
 *
 * <ul>
 *   <li>{@link io.rowguard.model.SimulatedTable}: rows go in, regions come out, as {@link
 *       io.rowguard.model.SimulatedRegionState}
 *   <li>{@link io.rowguard.model.TableSettings}: what it depends on, from an {@link
 *       io.rowguard.model.HBaseSite hbase-site.xml}
 *   <li>{@code SimulatedRegion}, {@code SimulatedStoreFile}: what a region holds; {@code
 *       SimulatedLoad}: what is written to it, for splits by load
 *   <li>{@link io.rowguard.model.RowSketch}: which rows a file holds, in bounded memory
 * </ul>
 *
 * <p>What it copies of HBase, all read from release 2.6 (what was measured, from 2.6.1), with
 * HBase's classes for a comparison with another release. No test looks at each of them; {@code
 * FullModelIT} holds the whole to a real table, on each HBase that the build tests.
 *
 * <ul>
 *   <li>{@link io.rowguard.model.SplitWhen}, {@link io.rowguard.model.SplitRules}: {@code
 *       ConstantSizeRegionSplitPolicy}, {@code IncreasingToUpperBoundRegionSplitPolicy}, {@code
 *       SteppingSplitPolicy}, {@code DisabledRegionSplitPolicy}
 *   <li>{@code SplitPoints}, {@link io.rowguard.model.SplitWhere}: {@code
 *       RegionSplitPolicy.getSplitPoint}, {@code StoreUtils.getSplitPoint}, {@code
 *       HFileBlockIndex.CellBasedKeyBlockIndexReader.midkey}, {@code KeyPrefixRegionSplitPolicy},
 *       {@code DelimitedKeyPrefixRegionSplitPolicy}; Rowguard's own point comes from its chooser
 *   <li>{@link io.rowguard.model.CompactionRules}: {@code SortedCompactionPolicy}, {@code
 *       ExploringCompactionPolicy}, {@code RatioBasedCompactionPolicy}
 *   <li>{@link io.rowguard.model.SimulatedTable}: {@code MemStoreFlusher.flushRegion}, {@code
 *       CompactSplit}, {@code HRegion.checkSplit}, {@code Store.getCompactPriority}, {@code
 *       HRegionServer.postOpenDeployTasks}, and the master's refusal of a region's start key
 *   <li>{@code SimulatedStoreFile}: {@code HRegionFileSystem.splitStoreFile}
 *   <li>{@link io.rowguard.model.CellSizes}: {@code KeyValue}, {@code MutableSegment}; what a file
 *       has beside its cells was measured
 *   <li>{@link io.rowguard.model.TableSettings}: the defaults of all settings
 * </ul>
 */
package io.rowguard.model;
