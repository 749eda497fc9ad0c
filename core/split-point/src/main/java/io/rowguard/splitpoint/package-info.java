/**
 * The best cut of a region: a function of how the bytes of its files divide between rows, and of
 * the boundaries that are legal. Knows no HBase: servers and simulation ask it alike.
 *
 * <pre>
 * rows a/1 a/2 b/1 c/1, all of one size, groups a, b, c
 *
 * b    legal, and divides the bytes evenly: the split point
 * a/2  illegal: it would cut the group a in two
 * </pre>
 *
 * <ul>
 *   <li>{@link io.rowguard.splitpoint.SplitPointChooser}: the choice
 *   <li>{@link io.rowguard.splitpoint.WeightTree}: how the bytes of one file divide, known ever
 *       more finely as blocks are read; {@link io.rowguard.splitpoint.KeyWeights} is what it asks
 *   <li>{@link io.rowguard.splitpoint.RowWeights}: rows that were read one by one
 *   <li>{@code Cut}: how all files divide at one boundary, as far as is known
 * </ul>
 */
package io.rowguard.splitpoint;
