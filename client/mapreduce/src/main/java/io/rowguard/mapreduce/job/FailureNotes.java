package io.rowguard.mapreduce.job;

import io.rowguard.layout.FailureText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Why tasks failed, a small file each in the job's directory: Hadoop's local runner writes that to
 * its log only.
 */
public final class FailureNotes {
  private static final String DIRECTORY = "io.rowguard.job.failures";

  /** Ends the names of notes about failures that another job would have, too. */
  private static final String FOR_GOOD = ".for-good";

  private FailureNotes() {}

  static void setDirectory(Configuration conf, Path directory) {
    conf.set(DIRECTORY, directory.toString());
  }

  /** The work of a task. */
  public interface Work {
    void run() throws IOException, InterruptedException;
  }

  /** Does a task's work, and leaves a note where it fails. */
  public static void during(TaskAttemptContext context, Work work)
      throws IOException, InterruptedException {
    try {
      work.run();
    } catch (IOException | RuntimeException | Error e) {
      write(context, e);
      throw e;
    }
  }

  /** Writes a note; what prevents that is added to the failure that is on its way. */
  public static void write(TaskAttemptContext context, Throwable failure) {
    Configuration conf = context.getConfiguration();
    String name = context.getTaskAttemptID() + (isForGood(failure) ? FOR_GOOD : "");
    Path file = new Path(conf.get(DIRECTORY), name);
    try (FSDataOutputStream out = file.getFileSystem(conf).create(file, true)) {
      out.write(FailureText.of(failure).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** Not so where a server does not answer, or a region is on its way. */
  private static boolean isForGood(Throwable failure) {
    return !(failure instanceof IOException) || failure instanceof AccessDeniedException;
  }

  /** Whether there is a note about a failure that another job would have, too. */
  static boolean isAnyForGood(Configuration conf) throws IOException {
    for (FileStatus file : files(conf)) {
      if (file.getPath().getName().endsWith(FOR_GOOD)) {
        return true;
      }
    }
    return false;
  }

  private static FileStatus[] files(Configuration conf) throws IOException {
    Path directory = new Path(conf.get(DIRECTORY));
    FileSystem fs = directory.getFileSystem(conf);
    return fs.exists(directory) ? fs.listStatus(directory) : new FileStatus[0];
  }

  /** The first note, or null when there is none. */
  static String first(Configuration conf) throws IOException {
    for (FileStatus file : files(conf)) {
      FileSystem fs = file.getPath().getFileSystem(conf);
      byte[] text = new byte[Math.toIntExact(file.getLen())];
      try (FSDataInputStream in = fs.open(file.getPath())) {
        IOUtils.readFully(in, text, 0, text.length);
      }
      return new String(text, StandardCharsets.UTF_8);
    }
    return null;
  }
}
