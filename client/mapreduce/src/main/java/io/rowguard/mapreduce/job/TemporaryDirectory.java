package io.rowguard.mapreduce.job;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;

/**
 * A directory of one job, on any file system, that is gone afterwards: on {@link #close()}, else
 * when the process ends in good order (so also by Ctrl-C).
 */
final class TemporaryDirectory implements AutoCloseable {
  private final FileSystem fs;
  private final Path path;

  private TemporaryDirectory(FileSystem fs, Path path) {
    this.fs = fs;
    this.path = path;
  }

  /**
   * Makes one.
   *
   * @param parent is made too where it is missing, and stays
   * @param name one that is not taken
   * @throws IOException when it cannot be made
   */
  static TemporaryDirectory in(Configuration conf, Path parent, String name) throws IOException {
    FileSystem fs = parent.getFileSystem(conf);
    Path path = fs.makeQualified(new Path(parent, name));
    try {
      if (!fs.mkdirs(path)) {
        throw cannotBeMade(parent, "");
      }
    } catch (FileAlreadyExistsException | ParentNotDirectoryException | AccessControlException e) {
      throw cannotBeMade(parent, " why=\"" + e.getMessage() + "\"");
    }
    fs.deleteOnExit(path);
    return new TemporaryDirectory(fs, path);
  }

  /** Without a cause: who looks for the innermost reason is to find this one. */
  private static IOException cannotBeMade(Path parent, String why) {
    return new IOException("No directory can be made there. directory=" + parent + why);
  }

  /** Its path, with the file system. */
  Path path() {
    return path;
  }

  /**
   * Removes it with all that is in it.
   *
   * @throws IOException when it cannot be removed
   */
  @Override
  public void close() throws IOException {
    if (!fs.delete(path, true) && fs.exists(path)) {
      throw new IOException("The directory cannot be removed. directory=" + path);
    }
    fs.cancelDeleteOnExit(path);
  }
}
