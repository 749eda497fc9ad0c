package io.rowguard.tools.cluster;

import io.rowguard.mapreduce.job.RegionsJob;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The directories of jobs' files. */
public final class JobFiles {
  /** The directory that is there on every file system. */
  public static final String USUAL_DIRECTORY = "/tmp";

  private JobFiles() {}

  /**
   * The directory of a job's files meanwhile: on this machine when it runs in this process, else
   * where all of the cluster has them.
   *
   * @param given by the user; null for the usual place
   */
  public static Path temporary(Configuration conf, String given) throws IOException {
    if (RegionsJob.isLocal(conf)) {
      return local(given);
    }
    String path = given == null ? USUAL_DIRECTORY : given;
    return FileSystem.get(conf).makeQualified(new Path(path));
  }

  /**
   * A directory of this machine.
   *
   * @param given by the user; null for the usual place
   */
  public static Path local(String given) {
    String directory = given == null ? System.getProperty("java.io.tmpdir") : given;
    return new Path(java.nio.file.Path.of(directory).toAbsolutePath().toUri());
  }
}
