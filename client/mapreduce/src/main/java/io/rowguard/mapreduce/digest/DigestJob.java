package io.rowguard.mapreduce.digest;

import io.rowguard.client.SaltedConnection;
import io.rowguard.config.RawConnections;
import io.rowguard.mapreduce.job.RegionsJob;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;

/**
 * Digests a table's cells by bare key: a job with a mapper for each of as many ranges of bare keys
 * as there are regions, and a reducer that puts them in order. It reads as a program with {@link
 * SaltedConnection} does, so the layout of the table does not matter, nor whether it changes
 * meanwhile. Where it runs and how it ends: {@link RegionsJob}. Not thread-safe.
 */
public final class DigestJob implements AutoCloseable {
  /** Rows of one RPC, if they are small; the servers end it earlier by bytes. */
  private static final int CACHING = 1000;

  // Not under rowguard.*, where TableConfig takes an unknown key for a misspelt one.
  static final String RANGES = "io.rowguard.digest.ranges";
  static final String TIMESTAMPS = "io.rowguard.digest.timestamps";

  private final RegionsJob base;

  private DigestJob(RegionsJob base) {
    this.base = base;
  }

  /**
   * Prepares a job.
   *
   * @param conf of the table's cluster, and of YARN where the job is to run there
   * @param from the first bare key; empty for the table's first
   * @param to its end, exclusive; empty for the table's end
   * @param isOfVersions of all versions of a cell, not of the newest alone
   * @param isOfTimestamps whether cells that differ by their timestamps alone differ
   * @param ranges the most ranges that it gives
   * @param directory where the job may have files: in this machine's file system when it runs in
   *     this process, else in one that all of the cluster has
   * @throws IOException when the directory cannot be written to
   */
  public static DigestJob of(
      Configuration conf,
      TableName table,
      byte[] from,
      byte[] to,
      boolean isOfVersions,
      boolean isOfTimestamps,
      int ranges,
      Path directory)
      throws IOException {
    Scan scan =
        new Scan().withStartRow(from).withStopRow(to).setCaching(CACHING).setCacheBlocks(false);
    if (isOfVersions) {
      scan.readAllVersions();
    }
    RegionsJob base =
        RegionsJob.prepare(conf, "rowguard digest " + table, directory, DigestJob.class);
    base.setUp(
        job -> {
          Configuration own = job.getConfiguration();
          own.set(RawConnections.CONNECTION, SaltedConnection.class.getName());
          own.setInt(RANGES, ranges);
          own.setBoolean(TIMESTAMPS, isOfTimestamps);
          job.setNumReduceTasks(1);
          job.setOutputKeyClass(ImmutableBytesWritable.class);
          job.setOutputValueClass(LeveledDigest.class);
          job.setOutputFormatClass(SequenceFileOutputFormat.class);
          FileOutputFormat.setOutputPath(job, outputOf(base));
          TableMapReduceUtil.initTableMapperJob(
              table.getNameAsString(),
              scan,
              DigestMapper.class,
              ImmutableBytesWritable.class,
              LeveledDigest.class,
              job,
              !RegionsJob.isLocal(conf),
              /* initCredentials= */ true,
              TableInputFormat.class);
        });
    return new DigestJob(base);
  }

  private static Path outputOf(RegionsJob base) {
    return new Path(base.directory(), "digests");
  }

  /** The job, to be submitted and waited for. */
  public RegionsJob base() {
    return base;
  }

  /**
   * Reads what a successful job found.
   *
   * @throws IOException when it cannot be read
   */
  public RangeDigests digests() throws IOException {
    RangeDigests digests = new RangeDigests(base.configuration().getInt(RANGES, 1));
    Path file = new Path(outputOf(base), "part-r-00000");
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(base.configuration(), SequenceFile.Reader.file(file))) {
      ImmutableBytesWritable start = new ImmutableBytesWritable();
      LeveledDigest found = new LeveledDigest();
      while (reader.next(start, found)) {
        digests.add(start.copyBytes(), found.level(), found.digest());
        start = new ImmutableBytesWritable();
        found = new LeveledDigest();
      }
    }
    return digests;
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
