/**
 * The verdict on a write.
 *
 * <ul>
 *   <li>{@link io.rowguard.observer.decide.BatchCheck}: a batch, and what other coprocessors add to
 *       it; {@link io.rowguard.observer.decide.WriteCheck}: one write
 *   <li>{@link io.rowguard.observer.decide.Decision}: write, allow, refuse, or forward; {@link
 *       io.rowguard.observer.decide.Refusal}: why; {@code DecidedStatus}: both in HBase's words
 *   <li>{@link io.rowguard.observer.decide.Delivery}: the way of what is forwarded; {@link
 *       io.rowguard.observer.decide.MovingRows}: the verdict on rows of a relayout; {@link
 *       io.rowguard.observer.decide.SaltObstacles}: bare keys that are never forwarded
 *   <li>{@link io.rowguard.observer.decide.VersionCheck}, {@code StoredLayouts}: requests that were
 *       planned with other layouts; {@link io.rowguard.observer.decide.RepeatCheck}: requests that
 *       were carried out before
 *   <li>{@link io.rowguard.observer.decide.BulkLoadCheck}, {@code HFileRows}: the rows of HFiles
 * </ul>
 */
package io.rowguard.observer.decide;
