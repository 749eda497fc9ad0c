/**
 * The part of regions while the rows of their table go from one layout to another ({@code
 * docs/internals/decisions/0013-relayout-by-pull.md}).
 *
 * <ul>
 *   <li>{@link io.rowguard.observer.relayout.RelayoutWrites} pulls rows before they are written,
 *       and decides by the {@code PullMark} of a mutation; {@code RequestPulls}: all rows of a
 *       request are pulled at once
 *   <li>{@link io.rowguard.observer.relayout.RelayoutEndpoint} answers requests, if {@link
 *       io.rowguard.observer.relayout.RelayoutAccess} permits them
 *   <li>{@link io.rowguard.observer.relayout.PullSource} is asked for old rows: {@code OldRows},
 *       {@code RowContent} and {@code CellCodec} read them, {@code LogFence} ensures that the
 *       region is still this server's, {@code MisplacedRows} counts by {@code RowsAt}, {@code
 *       OldRowTally} keeps the progress
 *   <li>{@link io.rowguard.observer.relayout.Puller} gets old rows to the region of their new ones,
 *       in the steps of the model: {@code KeyLocks} and {@code PulledRows} say who pulls and what
 *       is pulled, {@code PullClient} asks, {@code Copies} holds the answers against {@code
 *       Markers}, {@code Leftovers} and the clock, and writes them, {@code ReadBack} compares what
 *       was written; {@code GlobalMemstore} bounds it
 *   <li>{@link io.rowguard.observer.relayout.PullOnDemand} pulls rows without a write of them
 * </ul>
 */
package io.rowguard.observer.relayout;
