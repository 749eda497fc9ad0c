package io.rowguard.mapreduce.audit;

import io.rowguard.mapreduce.job.RegionsJob;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/**
 * One audit: a job with a mapper for each region and one reducer that puts the regions in order.
 * The findings go through a file and not through counters, of which a job may have 120. Where it
 * runs and how it ends: {@link RegionsJob}. Not thread-safe.
 */
public final class AuditJob implements AutoCloseable {
  private final RegionsJob base;

  private AuditJob(RegionsJob base) {
    this.base = base;
  }

  /**
   * Prepares a job that scans a table.
   *
   * @param conf of the table's cluster, and of YARN where the job is to run there
   * @param directory where the job may have files: in this machine's file system when it runs in
   *     this process, else in one that all of the cluster has
   * @throws IOException when the directory cannot be written to
   */
  public static AuditJob overTable(
      Configuration conf, TableName table, AuditScope scope, Path directory) throws IOException {
    RegionsJob base = prepared(conf, "rowguard audit " + table, directory);
    base.setUp(
        job -> {
          setUp(job, base, scope);
          TableMapReduceUtil.initTableMapperJob(
              table.getNameAsString(),
              scope.scan(),
              AuditMapper.class,
              ImmutableBytesWritable.class,
              RegionTally.class,
              job,
              !RegionsJob.isLocal(conf),
              /* initCredentials= */ true,
              TableInputFormat.class);
        });
    return new AuditJob(base);
  }

  /**
   * Prepares a job that reads a snapshot's files and asks no server of HBase.
   *
   * @param conf with {@code hbase.rootdir} of the snapshot's cluster
   * @param directory as for a table
   * @param restoreDirectory where references to the snapshot's files are put: on the file system of
   *     {@code hbase.rootdir}, outside of it
   * @throws IOException when a directory cannot be written to, or the snapshot cannot be read
   */
  public static AuditJob overSnapshot(
      Configuration conf, String snapshot, AuditScope scope, Path directory, Path restoreDirectory)
      throws IOException {
    RegionsJob base = prepared(conf, "rowguard audit " + snapshot, directory);
    base.setUp(
        job -> {
          setUp(job, base, scope);
          TableMapReduceUtil.initTableSnapshotMapperJob(
              snapshot,
              scope.scan(),
              AuditMapper.class,
              ImmutableBytesWritable.class,
              RegionTally.class,
              job,
              !RegionsJob.isLocal(conf),
              base.secondDirectory(restoreDirectory));
        });
    return new AuditJob(base);
  }

  private static RegionsJob prepared(Configuration conf, String name, Path directory)
      throws IOException {
    return RegionsJob.prepare(conf, name, directory, AuditJob.class);
  }

  private static void setUp(Job job, RegionsJob base, AuditScope scope) {
    scope.writeTo(job.getConfiguration());
    job.setReducerClass(AuditReducer.class);
    job.setNumReduceTasks(1);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(RegionTally.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    FileOutputFormat.setOutputPath(job, outputOf(base));
  }

  private static Path outputOf(RegionsJob base) {
    return new Path(base.directory(), "found");
  }

  /** The job, to be submitted and waited for. */
  public RegionsJob base() {
    return base;
  }

  /**
   * Reads what a successful job found: one tally per region, in the order of rows. A region that
   * the job reads in several parts comes as several.
   */
  public void forEachRegion(Consumer<RegionTally> consumer) throws IOException {
    Path file = new Path(outputOf(base), "part-r-00000");
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(base.configuration(), SequenceFile.Reader.file(file))) {
      RegionTally tally = new RegionTally();
      while (reader.next(NullWritable.get(), tally)) {
        consumer.accept(tally);
        tally = new RegionTally();
      }
    }
  }

  /**
   * Ends the job if it still runs, and removes all it has made.
   *
   * @throws IOException when something cannot be removed
   */
  @Override
  public void close() throws IOException {
    base.close();
  }
}
