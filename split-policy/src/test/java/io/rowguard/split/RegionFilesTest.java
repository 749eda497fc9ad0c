package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** For how long the files of a region are in use: a compaction leaves such a file where it is. */
class RegionFilesTest {
  private static final RegionInfo REGION =
      RegionInfoBuilder.newBuilder(TableName.valueOf("orders")).build();

  @TempDir private java.nio.file.Path directory;
  private final Configuration conf = HBaseConfiguration.create();

  /** A store file that is not read, and may fail when asked for its first key. */
  private static final class TestFile extends HStoreFile {
    private final Throwable failure;

    TestFile(FileSystem fs, Path path, Configuration conf, Throwable failure) throws IOException {
      // The one constructor of each that HBase 3.0 has, too.
      super(
          new StoreFileInfo(conf, fs, fs.getFileStatus(path), (HFileLink) null),
          BloomType.NONE,
          CacheConfig.DISABLED);
      this.failure = failure;
    }

    @Override
    public Optional<Cell> getFirstKey() {
      if (failure instanceof Error error) {
        throw error;
      }
      if (failure instanceof RuntimeException exception) {
        throw exception;
      }
      return Optional.empty();
    }

    @Override
    public Optional<Cell> getLastKey() {
      return Optional.empty();
    }
  }

  @Test
  void close_filesOfARegion_leavesNoneInUse() throws IOException {
    List<HStoreFile> files = List.of(file("a", null), file("b", null));

    try (RegionFiles open = new RegionFiles(REGION, files)) {
      assertEquals(0, open.bytes());
      files.forEach(file -> assertEquals(1, file.getRefCount()));
    }

    files.forEach(file -> assertEquals(0, file.getRefCount()));
  }

  @ParameterizedTest
  @ValueSource(classes = {NoSuchMethodError.class, IllegalStateException.class})
  void constructor_secondFileFails_leavesNoneInUse(Class<? extends Throwable> type)
      throws Exception {
    Throwable failure = type.getConstructor(String.class).newInstance("not today");
    List<HStoreFile> files = List.of(file("a", null), file("b", failure), file("c", null));

    assertSame(failure, assertThrows(type, () -> new RegionFiles(REGION, files)));

    files.forEach(file -> assertEquals(0, file.getRefCount()));
  }

  private HStoreFile file(String name, Throwable failure) throws IOException {
    FileSystem fs = FileSystem.getLocal(conf);
    Path path = new Path(directory.toString(), name);
    fs.create(path).close();
    return new TestFile(fs, path, conf, failure);
  }
}
