/**
 * Every row of a table, or of a snapshot, judged by a layout, as a MapReduce job. Java 8, as its
 * tasks run on whatever Java a cluster's YARN has.
 *
 * <pre>{@code
 * AuditScope scope = AuditScope.of(layout).withExamples(5);
 * try (AuditJob job = AuditJob.overTable(conf, TableName.valueOf("orders"), scope, workDir)) {
 *   job.base().submit();
 *   while (!job.base().isComplete()) {
 *     Thread.sleep(200);
 *   }
 *   job.forEachRegion(tally -> System.out.println(tally.region() + " " + tally.refused()));
 * }
 * }</pre>
 */
package io.rowguard.mapreduce.audit;
