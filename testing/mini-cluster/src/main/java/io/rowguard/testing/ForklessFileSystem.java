package io.rowguard.testing;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * The local file system, which sets permissions by the JDK. Hadoop's own, without its native
 * library, starts a process {@code chmod} for each file and directory that it makes ({@code
 * RawLocalFileSystem#setPermission}): some 80 a second in a test of ours, and half of its time.
 *
 * <p>{@code core-site.xml} beside it names it for all of a test's JVM, since Hadoop keeps the first
 * one that anybody gets.
 */
public final class ForklessFileSystem extends LocalFileSystem {
  /** Public and without arguments, as Hadoop wants it. */
  public ForklessFileSystem() {
    super(new Raw());
  }

  private static final class Raw extends RawLocalFileSystem {
    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      Files.setAttribute(pathToFile(path).toPath(), "unix:mode", (int) permission.toShort());
    }
  }
}
