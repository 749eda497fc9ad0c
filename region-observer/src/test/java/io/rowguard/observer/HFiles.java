package io.rowguard.observer;

import static io.rowguard.observer.GuardedTable.F;
import static io.rowguard.observer.GuardedTable.Q;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileBlockIndex;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.tool.BulkLoadHFilesTool;
import org.apache.hadoop.hbase.util.Bytes;

/** HFiles for a bulk load, in a directory of their own. */
final class HFiles {
  private final Configuration conf;
  private final FileSystem fs;
  private final Path dir;
  private int blockSize = 64 * 1024;

  HFiles(HBaseTestingUtility hbase) throws IOException {
    this(hbase, hbase.getConfiguration());
  }

  /** To be loaded by a client that is configured so. */
  HFiles(HBaseTestingUtility hbase, Configuration client) throws IOException {
    conf = new Configuration(client);
    dir = new Path(hbase.getDataTestDir("bulk").toUri().getPath(), UUID.randomUUID().toString());
    fs = dir.getFileSystem(conf);
  }

  /** A block ends with the first cell that makes it as large as this, in bytes. */
  HFiles withBlocksOf(int bytes) {
    blockSize = bytes;
    return this;
  }

  /** Lets an index block hold few entries, so that an index of some levels needs few rows. */
  HFiles withIndexBlocksOf(int bytes) {
    conf.setInt(HFileBlockIndex.MAX_CHUNK_SIZE_KEY, bytes);
    return this;
  }

  /** Adds a file of the family with these rows, which must be in order. */
  Path add(List<String> rows) throws IOException {
    Path file = path();
    try (HFile.Writer writer =
        HFile.getWriterFactory(conf, CacheConfig.DISABLED)
            .withPath(fs, file)
            .withFileContext(new HFileContextBuilder().withBlockSize(blockSize).build())
            .create()) {
      // Not append, whose type of cells is another in HBase 3.0.
      for (String row : rows) {
        writer.appendAll(List.of(new KeyValue(Writes.bytes(row), F, Q, 1, Bytes.toBytes("v"))));
      }
      writer.appendFileInfo(HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(1L));
    }
    // The load moves the file.
    fs.setPermission(file, new FsPermission((short) 0777));
    return file;
  }

  /** Adds a file that is none of HBase's. */
  Path addGarbage(int length) throws IOException {
    Path file = path();
    try (OutputStream out = fs.create(file)) {
      out.write(new byte[length]);
    }
    return file;
  }

  private Path path() {
    return new Path(
        new Path(dir, Bytes.toString(F)), UUID.randomUUID().toString().replace("-", ""));
  }

  /** Loads all files as {@code hbase completebulkload} does. */
  void load(TableName table) throws IOException {
    new BulkLoadHFilesTool(conf).bulkLoad(table, dir);
  }

  /** Loads all files as they arrive from another cluster. */
  void replicate(TableName table) throws IOException {
    BulkLoadHFilesTool tool = new BulkLoadHFilesTool(conf);
    tool.setClusterIds(List.of("another cluster"));
    tool.bulkLoad(table, dir);
  }

  /** Opens a file to read it. */
  HFile.Reader open(Path file) throws IOException {
    return HFile.createReader(fs, file, CacheConfig.DISABLED, true, conf);
  }

  Configuration conf() {
    return conf;
  }
}
