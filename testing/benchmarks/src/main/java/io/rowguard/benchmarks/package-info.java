/**
 * Measurements of Rowguard on real keys. {@code testing/benchmarks/run.sh NAME} runs one and prints
 * a file for {@code testing/benchmarks/results}; {@code docs/internals/benchmarks.md} reads them.
 *
 * <ul>
 *   <li>{@link io.rowguard.benchmarks.Main}: the command line; it knows the benchmarks by name
 *   <li>{@code quality}: where regions are cut, on a mini-cluster, against the best that is
 *       possible
 *   <li>{@code cost}: what asking for a split point costs, on regions of many files
 *   <li>{@code layout}: what the check of a row and the legal boundaries of a layout cost, with JMH
 *   <li>{@code write}: what is left of a table's write throughput
 *   <li>{@code salt}: what salting costs, and how evenly it spreads
 *   <li>{@code pressure}: salted writes on servers short of memory, which stand still and die
 *   <li>{@code relayout}: what a change of the layout costs clients, and how long it takes
 *   <li>{@code constraint}: what one would write without Rowguard, to compare with
 * </ul>
 */
package io.rowguard.benchmarks;
