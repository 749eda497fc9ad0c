/**
 * What may be written: a {@code RegionObserver} that holds every write to the table's layout.
 *
 * <pre>
 * table orders, rowguard.layout = {salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis}
 *
 * put 'orders', "13-alice|..."      lands
 * put 'orders', "alice|..."         refused: the row for these values would be "13-alice|..."
 * </pre>
 *
 * <ul>
 *   <li>{@link io.rowguard.observer.LayoutRegionObserver}, {@code FirstHooks}: the hooks; {@code
 *       RegionHooks}: what they do; {@code HookGuard}: what becomes of one that fails
 *   <li>{@code RegionClaim}: that one instance guards a region
 *   <li>{@code WriteCheck}: the verdict on one write; {@code AddedRows}: on what other coprocessors
 *       add to a batch
 *   <li>{@code BatchKind}: whether a refusal fails one row or the whole batch
 *   <li>{@code RefusedStatus}, {@code ForwardStatus}: what a row has until its batch is over
 *   <li>{@code BulkLoadCheck}, {@code HFileRows}: the rows of HFiles, read by {@code RequestUser}
 *   <li>{@code BareWrites}, {@code BareReads}: salt mode, what a bare key stands for
 *   <li>{@code Forwarder}, {@code RowSender}: its way to the salted row; {@code Lane}: what goes to
 *       the same place travels together, carried by {@code RegionCarrier} or {@code ClientCarrier};
 *       {@code ServerForwards}: what all regions of a server share for that
 *   <li>{@code RelayoutWrites}: what becomes of writes while the layout changes; {@code PullMark}:
 *       what a mutation carries from the hook that pulls its row to the one that judges it; {@code
 *       VersionCheck}, {@code StoredLayouts}: what was planned with other layouts; {@code
 *       RepeatCheck}: what was carried out before; {@code Questions}, {@code ServerWire}: what
 *       regions ask each other; the rest is in {@code io.rowguard.observer.relayout}
 *   <li>{@code io.rowguard.observer.load}: what the region is asked for
 *   <li>{@code WriteMetrics}, {@code SampleLog}: what an operator sees
 * </ul>
 */
package io.rowguard.observer;
