/**
 * What may be declared: an observer in the master that holds tables, pre-splits, splits by force
 * and snapshots to the layout.
 *
 * <pre>
 * create 'ids', 'f', SPLITS => ['4', '8', 'c'], METADATA => {'rowguard.layout' => '{id:hex(8)}'}     right
 * create 'ids', 'f', SPLITS => ['4', '8', 'C'], METADATA => {'rowguard.layout' => '{id:hex(8)}'}     refused
 * </pre>
 *
 * <p>{@link io.rowguard.master.LayoutMasterObserver} is the one class for users.
 */
package io.rowguard.master;
