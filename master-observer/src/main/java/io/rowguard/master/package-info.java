/**
 * The rules for declarations: an observer in the master that holds tables, pre-splits, splits by
 * force and snapshots to the layout.
 *
 * <pre>
 * create 'ids', 'f', SPLITS => ['4', '8', 'c'], METADATA => {'rowguard.layout' => '{id:hex(8)}'}     right
 * create 'ids', 'f', SPLITS => ['4', '8', 'C'], METADATA => {'rowguard.layout' => '{id:hex(8)}'}     refused
 * </pre>
 *
 * <ul>
 *   <li>{@link io.rowguard.master.LayoutMasterObserver}: the hooks, the one class for users
 *   <li>{@code DescriptorCheck}, {@code PresplitCheck}, {@code SplitPointCheck}, {@code
 *       MergeCheck}, {@code RestoreCheck}: what is wrong with an operation, as functions; {@code
 *       DeclarationChange}: what an alter means for rows that are there
 *   <li>{@code RelayoutCheck} and {@code RelayoutPrecondition}: whether an alter is a step of a
 *       relayout, and whether it may be taken; {@code RelayoutStep}, {@code LayoutKeys}
 *   <li>{@code Rule}, {@code RuleViolation}: what they answer
 *   <li>{@code CheckRunner}, {@code Enforcer}: refuses, lets through by force, or warns
 *   <li>{@code ForceReason}, {@code ForcedTables}: the way past a refusal
 *   <li>{@code MasterState}, {@code StoredData}: what the checks need to know
 *   <li>{@code MasterMetrics}, {@code MessageText}: what an operator sees
 * </ul>
 */
package io.rowguard.master;
