/**
 * The common parts of the MapReduce jobs over a table's regions: where they run, where they have
 * their files, how they end. Java 8, as their tasks run on whatever Java a cluster's YARN has.
 */
package io.rowguard.mapreduce.job;
