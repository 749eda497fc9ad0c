/**
 * The check of writes: a {@code RegionObserver} that holds every write to the table's layout.
 *
 * <pre>
 * table orders, rowguard.layout = {salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis}
 *
 * put 'orders', "13-alice|..."      lands
 * put 'orders', "alice|..."         refused: the row for these values would be "13-alice|..."
 * </pre>
 *
 * <ul>
 *   <li>{@link io.rowguard.observer.LayoutRegionObserver}, {@code FirstHooks}, {@code
 *       EndpointHook}: the hooks; {@code HookGuard} handles those that fail
 *   <li>{@code RegionSetup} puts together what a region needs when it opens, {@code RegionHooks}
 *       calls it; {@code RegionClaim} ensures that one instance guards a region
 *   <li>{@link io.rowguard.observer.request}: the request that a hook is called for
 *   <li>{@link io.rowguard.observer.decide}: the verdict on a write
 *   <li>{@link io.rowguard.observer.salt}: bare keys in salt mode
 *   <li>{@link io.rowguard.observer.relayout}: rows that go from one layout to another
 *   <li>{@link io.rowguard.observer.load}: what the region is asked for
 *   <li>{@link io.rowguard.observer.peers}: the way to other regions
 *   <li>{@link io.rowguard.observer.metrics}: what an operator sees
 * </ul>
 *
 * <p>A package knows only those below it: {@code salt}, {@code relayout} and {@code load} know
 * {@code decide}, {@code peers}, {@code request} and {@code metrics}, and not each other.
 *
 * <p>To add a feature, a limit of writes per group and second for example, write a package with a
 * class that implements {@link io.rowguard.observer.request.RegionFeature} and overrides the calls
 * that it wants, {@code before(Mutation)} for one; an IOException refuses the write, and a {@code
 * RegionTooBusyException} has clients try again. Then add one line to {@code RegionSetup}, which
 * makes it if the table's configuration asks for it.
 */
package io.rowguard.observer;
