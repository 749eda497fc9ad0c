/**
 * Salt mode: bare keys on their way to their salted rows.
 *
 * <ul>
 *   <li>{@link io.rowguard.observer.salt.Forwarder}: delivers the bare rows of a batch, one {@code
 *       SaltedRow} each
 *   <li>{@link io.rowguard.observer.salt.BareReads}: answers Gets of bare keys, and refuses scans
 *       that could find nothing
 * </ul>
 */
package io.rowguard.observer.salt;
