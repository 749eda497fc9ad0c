/**
 * What regions do while the rows of their table go from one layout to another ({@code
 * docs/internals/decisions/0013-relayout-by-pull.md}).
 *
 * <ul>
 *   <li>{@link io.rowguard.observer.relayout.OldSide} answers what the region of an old row is
 *       asked, if {@code Askers} agrees: {@code OldRows} and {@code CellCodec} read the row, {@code
 *       LogFence} sees to it that the region is still this server's, {@code OldRowCount} counts
 *   <li>{@link io.rowguard.observer.relayout.Puller} gets old rows to the region of their new ones,
 *       in the steps of the model: {@code KeyLocks} and {@code PulledRows} say who pulls and what
 *       is pulled, {@code Questioner} asks over a {@code Wire}, {@code Copies} holds what comes
 *       against {@code Markers} and the clock and writes it; {@code Silence} keeps one server that
 *       hangs from stopping all others
 *   <li>{@link io.rowguard.observer.relayout.RequestRows} and {@code RequestPulls}: all rows of a
 *       request are pulled at once; {@code OwnCall}: what a server does itself
 *   <li>{@link io.rowguard.observer.relayout.TouchSide}: rows are pulled that nobody writes
 *   <li>{@code OwnEdits}: the edits that a region makes itself; {@code RelayoutMetrics}: what an
 *       operator sees
 * </ul>
 */
package io.rowguard.observer.relayout;
