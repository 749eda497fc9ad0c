package io.rowguard.mapreduce.job;

import io.rowguard.client.SaltedTable;
import io.rowguard.config.RawConnections;
import io.rowguard.config.TableConfig;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.readdressing.ReaddressedResult;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.routing.RowRouter;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.mapreduce.TableMapReduceUtil;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A job with a mapper for each region of a table, as far as it does not matter what the mappers do.
 *
 * <p>It runs where {@code mapreduce.framework.name} says: {@code local} (Hadoop's default) in this
 * process, {@code yarn} on a cluster. All that it makes is under directories of its own, and {@link
 * #close()} removes them; so does the end of the process, by Ctrl-C too, which also ends a job on a
 * cluster. Not thread-safe.
 */
public final class RegionsJob implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RegionsJob.class);
  private static final String LOCAL_THREADS = "mapreduce.local.map.tasks.maximum";
  private static final String STAGING = "mapreduce.jobtracker.staging.root.dir";

  /** A class of each jar that tasks need beside their own; Hadoop adds no jar that a jar needs. */
  static final List<Class<?>> CARRIED =
      Arrays.asList(
          RowkeyLayout.class,
          RowRouter.class,
          TableConfig.class,
          ReaddressedResult.class,
          RelayoutRequest.class,
          SaltedTable.class);

  /** A mapper gives little, so Hadoop's hundred megabytes for each of them are not needed. */
  private static final int SORT_MEGABYTES = 2;

  private static final long LONGEST_END_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Job job;
  private final TemporaryDirectory work;
  private final ProcessEnd end;
  private TemporaryDirectory second;
  private volatile boolean isSubmitted;
  private volatile boolean isStopped;

  private RegionsJob(Job job, TemporaryDirectory work, ProcessEnd end) {
    this.job = job;
    this.work = work;
    this.end = end;
    end.setLast(this::killAtEnd);
  }

  /** Says what a job does. */
  @FunctionalInterface
  public interface Setup {
    /**
     * Sets it.
     *
     * @throws IOException when something that it needs cannot be had
     */
    void on(Job job) throws IOException;
  }

  /**
   * Prepares a job.
   *
   * @param original of the table's cluster, and of YARN where the job is to run there
   * @param name what the job is called; its directory begins with its first two words
   * @param directory where the job may have files: in this machine's file system when it runs in
   *     this process, else in one that all of the cluster has
   * @param jarClass in the jar that the tasks need
   * @throws IOException when the directory cannot be written to
   */
  public static RegionsJob prepare(
      Configuration original, String name, Path directory, Class<?> jarClass) throws IOException {
    Configuration conf = new JobConf(original);
    RawConnections.set(conf);
    if (isLocal(conf)) {
      requirePlain(directory);
    }
    ProcessEnd end = ProcessEnd.awaited();
    end.beginMaking();
    try {
      return prepare(conf, name, directory, jarClass, end);
    } catch (IOException | RuntimeException e) {
      end.close();
      throw e;
    } finally {
      end.endMaking();
    }
  }

  private static RegionsJob prepare(
      Configuration conf, String name, Path directory, Class<?> jarClass, ProcessEnd end)
      throws IOException {
    TemporaryDirectory work = TemporaryDirectory.in(conf, directory, uniqueName(name));
    try {
      FailureNotes.setDirectory(conf, new Path(work.path(), "failures"));
      conf.setInt(MRJobConfig.IO_SORT_MB, SORT_MEGABYTES);
      if (isLocal(conf)) {
        keepWithin(conf, work.path());
      }
      Job job = Job.getInstance(conf, name);
      job.setJarByClass(jarClass);
      // A second reader of the same region would only be more load.
      job.setSpeculativeExecution(false);
      if (!isLocal(conf)) {
        TableMapReduceUtil.addDependencyJarsForClasses(
            job.getConfiguration(), CARRIED.toArray(new Class<?>[0]));
      }
      return new RegionsJob(job, work, end);
    } catch (IOException | RuntimeException e) {
      work.close();
      throw e;
    }
  }

  private static String uniqueName(String name) {
    String[] words = name.split(" ", -1);
    return words[0] + "-" + words[1] + "-" + UUID.randomUUID();
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

  /**
   * Says what the job does; the end of the process waits for that. When it fails, all is removed.
   */
  public void setUp(Setup setup) throws IOException {
    end.beginMaking();
    try {
      setup.on(job);
    } catch (IOException | RuntimeException e) {
      closeAfter(e);
      throw e;
    } finally {
      end.endMaking();
    }
  }

  /**
   * A second directory of the job, which is removed with it; to be called while it is set up.
   *
   * @throws IOException when it cannot be made
   */
  public Path secondDirectory(Path parent) throws IOException {
    second = TemporaryDirectory.in(job.getConfiguration(), parent, uniqueName(job.getJobName()));
    return second.path();
  }

  /** The directory of the job's files. */
  public Path directory() {
    return work.path();
  }

  /** The configuration that tasks have. */
  public Configuration configuration() {
    return job.getConfiguration();
  }

  /** Hadoop's job. */
  public Job job() {
    return job;
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

  /** Whether the process was asked to end, which ends the job too. */
  public boolean isStopped() {
    return isStopped;
  }

  /** Why a complete job failed, in one line; null when it did not. */
  public String failure() throws IOException, InterruptedException {
    if (job.isSuccessful()) {
      return null;
    }
    if (isStopped) {
      return "the process was asked to end";
    }
    String note = note();
    if (note != null) {
      return note;
    }
    return isLocal(job.getConfiguration())
        ? "a task failed; the log says why"
        : job.getStatus().getFailureInfo();
  }

  /** Whether a complete job failed in a way that another one would, too. */
  public boolean isFailedForGood() throws IOException {
    return FailureNotes.isAnyForGood(job.getConfiguration());
  }

  /** The word that a task has left, in one line; null when none has. */
  public String note() throws IOException {
    return FailureNotes.first(job.getConfiguration());
  }

  /**
   * Ends the job if it still runs, and removes all it has made, unless the end of the process does.
   *
   * @throws IOException when something cannot be removed
   */
  @Override
  public void close() throws IOException {
    try {
      kill();
    } finally {
      end.close();
      if (!end.isHere()) {
        removeDirectories();
      }
    }
  }

  private void removeDirectories() throws IOException {
    try {
      if (second != null) {
        second.close();
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

  /** Only the log takes an answer while the process ends. */
  private void killAtEnd() {
    isStopped = true;
    try {
      kill();
    } catch (IOException e) {
      LOG.warn("The job could not be ended. job={}", job.getJobID(), e);
    }
  }
}
