package io.rowguard.mapreduce.audit;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.net.URI;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.ImmutableBytesWritable;
import org.apache.hadoop.hbase.mapreduce.TableInputFormat;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.SequenceFile;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One audit: a job with a mapper for each region and one reducer that puts the regions in order.
 * What it finds goes through a file and not through counters, of which a job may have 120.
 *
 * <p>It runs where {@code mapreduce.framework.name} says: {@code local} (Hadoop's default) in this
 * process, {@code yarn} on a cluster. Whatever it makes, it makes under directories of its own, and
 * {@link #close()} removes them; so does the end of the process, by Ctrl-C too, which also ends a
 * job on a cluster. Not thread-safe.
 */
public final class AuditJob implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AuditJob.class);
  private static final String LOCAL_THREADS = "mapreduce.local.map.tasks.maximum";
  private static final String STAGING = "mapreduce.jobtracker.staging.root.dir";

  /** A mapper gives one tally, so Hadoop's hundred megabytes for each of them are not needed. */
  private static final int SORT_MEGABYTES = 2;

  private static final long LONGEST_END_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Job job;
  private final TemporaryDirectory work;
  private final ProcessEnd end;
  private TemporaryDirectory restored;
  private volatile boolean isSubmitted;

  private AuditJob(Job job, TemporaryDirectory work, ProcessEnd end) {
    this.job = job;
    this.work = work;
    this.end = end;
    end.setLast(this::killAtEnd);
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
    AuditJob audit = prepare(conf, "rowguard audit " + table, scope, directory);
    audit.end.beginMaking();
    try {
      TableMapReduceUtil.initTableMapperJob(
          table.getNameAsString(),
          scope.scan(),
          AuditMapper.class,
          ImmutableBytesWritable.class,
          RegionTally.class,
          audit.job,
          !isLocal(conf),
          /* initCredentials= */ true,
          TableInputFormat.class);
    } catch (IOException | RuntimeException e) {
      audit.closeAfter(e);
      throw e;
    } finally {
      audit.end.endMaking();
    }
    return audit;
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
    AuditJob audit = prepare(conf, "rowguard audit " + snapshot, scope, directory);
    audit.end.beginMaking();
    try {
      audit.restored = TemporaryDirectory.in(conf, restoreDirectory, uniqueName());
      TableMapReduceUtil.initTableSnapshotMapperJob(
          snapshot,
          scope.scan(),
          AuditMapper.class,
          ImmutableBytesWritable.class,
          RegionTally.class,
          audit.job,
          !isLocal(conf),
          audit.restored.path());
    } catch (IOException | RuntimeException e) {
      audit.closeAfter(e);
      throw e;
    } finally {
      audit.end.endMaking();
    }
    return audit;
  }

  /**
   * Whether a job of this configuration runs in this process. Reads {@code mapred-site.xml} of the
   * class path too, as a job does.
   */
  public static boolean isLocal(Configuration conf) {
    return MRConfig.LOCAL_FRAMEWORK_NAME.equals(
        new JobConf(conf).get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME));
  }

  /** Says how many regions are read at a time by a job in this process. */
  public static void setLocalThreads(Configuration conf, int threads) {
    conf.setInt(LOCAL_THREADS, threads);
  }

  private static String uniqueName() {
    return "rowguard-audit-" + UUID.randomUUID();
  }

  private static AuditJob prepare(
      Configuration original, String name, AuditScope scope, Path directory) throws IOException {
    Configuration conf = new JobConf(original);
    if (isLocal(conf)) {
      requirePlain(directory);
    }
    ProcessEnd end = ProcessEnd.awaited();
    end.beginMaking();
    try {
      return prepare(conf, name, scope, directory, end);
    } catch (IOException | RuntimeException e) {
      end.close();
      throw e;
    } finally {
      end.endMaking();
    }
  }

  private static AuditJob prepare(
      Configuration conf, String name, AuditScope scope, Path directory, ProcessEnd end)
      throws IOException {
    TemporaryDirectory work = TemporaryDirectory.in(conf, directory, uniqueName());
    try {
      scope.writeTo(conf);
      FailureNotes.setDirectory(conf, new Path(work.path(), "failures"));
      conf.setInt(MRJobConfig.IO_SORT_MB, SORT_MEGABYTES);
      if (isLocal(conf)) {
        keepWithin(conf, work.path());
      }
      Job job = Job.getInstance(conf, name);
      job.setJarByClass(AuditJob.class);
      job.setReducerClass(AuditReducer.class);
      job.setNumReduceTasks(1);
      // A second reader of the same region would only be more load.
      job.setSpeculativeExecution(false);
      job.setOutputKeyClass(NullWritable.class);
      job.setOutputValueClass(RegionTally.class);
      job.setOutputFormatClass(SequenceFileOutputFormat.class);
      FileOutputFormat.setOutputPath(job, outputOf(work));
      if (!isLocal(conf)) {
        TableMapReduceUtil.addDependencyJarsForClasses(job.getConfiguration(), RowkeyLayout.class);
      }
      return new AuditJob(job, work, end);
    } catch (IOException | RuntimeException e) {
      work.close();
      throw e;
    }
  }

  /**
   * Refuses a directory from which Hadoop's local runner would not fetch what mappers gave: it
   * looks for the path as a URI writes it.
   */
  private static void requirePlain(Path directory) throws IOException {
    URI uri = directory.toUri();
    if (!uri.getPath().equals(uri.getRawPath())) {
      throw new IOException(
          "Hadoop's local runner needs a directory without blanks and other characters that URIs"
              + " escape. directory="
              + uri.getPath());
    }
  }

  private static void keepWithin(Configuration conf, Path work) {
    String path = work.toUri().getPath();
    conf.set("hadoop.tmp.dir", path + "/tmp");
    conf.set(MRConfig.LOCAL_DIR, path + "/local");
    conf.set(STAGING, path + "/staging");
  }

  private static Path outputOf(TemporaryDirectory work) {
    return new Path(work.path(), "found");
  }

  /**
   * Starts the job; returns as soon as it runs.
   *
   * @throws IOException when it cannot be started
   */
  public void submit() throws IOException, InterruptedException {
    end.beginMaking();
    try {
      job.submit();
      isSubmitted = true;
    } catch (ClassNotFoundException e) {
      throw new IOException("A class of the job is missing.", e);
    } finally {
      end.endMaking();
    }
  }

  /** How many regions there are to read; once it is submitted. */
  public int regions() {
    return job.getConfiguration().getInt(MRJobConfig.NUM_MAPS, 0);
  }

  /** How much of the regions is read, 0 to 1. */
  public float progress() throws IOException {
    return job.mapProgress();
  }

  /** Whether it is over, well or not. */
  public boolean isComplete() throws IOException {
    return job.isComplete();
  }

  /** Why a complete job failed, in one line; null when it did not. */
  public String failure() throws IOException, InterruptedException {
    if (job.isSuccessful()) {
      return null;
    }
    String note = FailureNotes.first(job.getConfiguration());
    if (note != null) {
      return note;
    }
    return isLocal(job.getConfiguration())
        ? "a task failed; the log says why"
        : job.getStatus().getFailureInfo();
  }

  /**
   * Reads what a successful job found: one tally per region, in the order of rows. A region that
   * the job reads in several parts comes as several.
   */
  public void forEachRegion(Consumer<RegionTally> consumer) throws IOException {
    Path file = new Path(outputOf(work), "part-r-00000");
    try (SequenceFile.Reader reader =
        new SequenceFile.Reader(job.getConfiguration(), SequenceFile.Reader.file(file))) {
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
    try {
      kill();
    } finally {
      end.close();
      removeDirectories();
    }
  }

  private void removeDirectories() throws IOException {
    try {
      if (restored != null) {
        restored.close();
      }
    } finally {
      work.close();
    }
  }

  private void closeAfter(Exception failure) {
    try {
      close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Ends the job and waits a while for its end: a task that still runs would make new files. */
  private void kill() throws IOException {
    if (!isSubmitted || job.isComplete()) {
      return;
    }
    job.killJob();
    long began = System.nanoTime();
    try {
      while (!job.isComplete() && System.nanoTime() - began < LONGEST_END_NANOS) {
        TimeUnit.MILLISECONDS.sleep(50);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** As the process ends nobody waits for an answer but the log. */
  private void killAtEnd() {
    try {
      kill();
    } catch (IOException e) {
      LOG.warn("The job could not be ended. job={}", job.getJobID(), e);
    }
  }
}
