package io.rowguard.mapreduce.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryDirectoryTest {
  private final Configuration conf = new Configuration();

  @TempDir private Path parent;

  private TemporaryDirectory in(Path directory) throws IOException {
    return TemporaryDirectory.in(conf, new org.apache.hadoop.fs.Path(directory.toUri()), "own");
  }

  @Test
  void close_withFilesInIt_removesItAndNothingElse() throws IOException {
    Files.createFile(parent.resolve("another"));
    TemporaryDirectory directory = in(parent);
    Path path = Path.of(directory.path().toUri());
    assertEquals(parent.resolve("own"), path);
    Files.createFile(Files.createDirectory(path.resolve("a")).resolve("b"));
    directory.close();
    assertFalse(Files.exists(path));
    assertTrue(Files.exists(parent.resolve("another")));
    directory.close();
  }

  /** A file system that another remover is faster on. */
  static final class Raced extends RawLocalFileSystem {
    @Override
    public URI getUri() {
      return URI.create("raced:///");
    }

    @Override
    public boolean delete(org.apache.hadoop.fs.Path path, boolean recursive) throws IOException {
      super.delete(path, recursive);
      return super.delete(path, recursive);
    }
  }

  /** As the end of the process may be. */
  @Test
  void close_whenAnotherHasJustRemovedIt_isDone() throws IOException {
    conf.setClass("fs.raced.impl", Raced.class, FileSystem.class);
    TemporaryDirectory directory =
        TemporaryDirectory.in(
            conf, new org.apache.hadoop.fs.Path("raced://" + parent.toUri().getPath()), "own");
    assertTrue(Files.exists(parent.resolve("own")));

    directory.close();

    assertFalse(Files.exists(parent.resolve("own")));
  }

  @Test
  void in_parentThatIsAFile_saysWhichOne() throws IOException {
    Path file = Files.createFile(parent.resolve("file"));
    for (Path directory : new Path[] {file, file.resolve("deeper")}) {
      IOException e = assertThrows(IOException.class, () -> in(directory));
      assertTrue(
          e.getMessage().startsWith("No directory can be made there. directory=file:" + file),
          e.getMessage());
      assertNull(e.getCause());
    }
  }
}
