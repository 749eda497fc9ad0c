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
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/**
 * Why tasks failed, a small file each in the job's directory: Hadoop's local runner writes that to
 * its log and tells nobody else.
 */
public final class FailureNotes {
  private static final String DIRECTORY = "io.rowguard.job.failures";

  private FailureNotes() {}

  static void setDirectory(Configuration conf, Path directory) {
    conf.set(DIRECTORY, directory.toString());
  }

  /** Writes a note; what prevents that is added to the failure that is on its way. */
  public static void write(TaskAttemptContext context, Exception failure) {
    Configuration conf = context.getConfiguration();
    Path file = new Path(conf.get(DIRECTORY), context.getTaskAttemptID().toString());
    try (FSDataOutputStream out = file.getFileSystem(conf).create(file, true)) {
      out.write(FailureText.of(failure).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  /** The first note, or null when there is none. */
  static String first(Configuration conf) throws IOException {
    Path directory = new Path(conf.get(DIRECTORY));
    FileSystem fs = directory.getFileSystem(conf);
    if (!fs.exists(directory)) {
      return null;
    }
    for (FileStatus file : fs.listStatus(directory)) {
      byte[] text = new byte[Math.toIntExact(file.getLen())];
      try (FSDataInputStream in = fs.open(file.getPath())) {
        IOUtils.readFully(in, text, 0, text.length);
      }
      return new String(text, StandardCharsets.UTF_8);
    }
    return null;
  }
}
