/**
 * The request that a hook is called for.
 *
 * <ul>
 *   <li>{@link io.rowguard.observer.request.RegionFeature}: what can be called for it
 *   <li>{@link io.rowguard.observer.request.CurrentRequest}: its time, and whether a server sent
 *       it; {@link io.rowguard.observer.request.RequestUser}: its rights; {@link
 *       io.rowguard.observer.request.RequestRows}: its rows
 *   <li>{@link io.rowguard.observer.request.BatchKind}: whether a refusal fails one row of a batch
 *       or all; {@link io.rowguard.observer.request.OpenBatches}: which batch a thread is writing
 *   <li>{@link io.rowguard.observer.request.InternalRpcCall}, {@link
 *       io.rowguard.observer.request.InternalMutations}: what a server does by itself; {@link
 *       io.rowguard.observer.request.PullMark}: the result of a pull, on a mutation
 * </ul>
 */
package io.rowguard.observer.request;
