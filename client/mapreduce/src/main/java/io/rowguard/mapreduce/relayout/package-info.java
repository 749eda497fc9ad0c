/**
 * Moves the rows of a table in relayout to their new places: {@link
 * io.rowguard.mapreduce.relayout.RowMover}, which works in any process, and a MapReduce job of
 * many. Java 8, as its tasks run on whatever Java a cluster's YARN has.
 */
package io.rowguard.mapreduce.relayout;
