package org.apache.hadoop.hbase.io.hfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The release of blocks. They are read from real files into memory that HBase pools, where one that
 * is not released is lost to the server.
 */
class DataBlockScannerTest {
  @TempDir private java.nio.file.Path directory;
  private final Configuration conf = HBaseConfiguration.create();
  private HFile.Reader plain;
  private HFile.Reader encoded;

  @AfterEach
  void close() throws IOException {
    plain.close();
    encoded.close();
  }

  @Test
  void close_afterTheLastCell_releasesTheBlock() throws IOException {
    open();
    for (HFile.Reader reader : new HFile.Reader[] {plain, encoded}) {
      HFileBlock block = firstBlock(reader);
      try (HFileScanner scanner = DataBlockScanner.at(block, reader, conf)) {
        while (scanner.next()) {
          assertEquals(1, block.refCnt());
        }
      }
      assertEquals(0, block.refCnt());
    }
  }

  @Test
  void at_plainBlockWhereEncodedOnesAreExpected_releasesTheBlock() throws IOException {
    open();
    assertReleased(firstBlock(plain), encoded);
  }

  @Test
  void at_encodedBlockWherePlainOnesAreExpected_releasesTheBlock() throws IOException {
    open();
    assertReleased(firstBlock(encoded), plain);
  }

  /** The scanner has taken the block over already when it finds that the first cell is none. */
  @Test
  void at_corruptFirstCell_releasesTheBlock() throws IOException {
    open();
    HFileBlock block = firstBlock(plain);
    block.getBufferWithoutHeader().putInt(-1);
    assertReleased(block, plain);
  }

  @Test
  void at_noScanner_releasesTheBlock() throws IOException {
    open();
    HFile.Reader outdated =
        (HFile.Reader)
            Proxy.newProxyInstance(
                HFile.Reader.class.getClassLoader(),
                new Class<?>[] {HFile.Reader.class},
                (self, method, arguments) -> {
                  throw new NoSuchMethodError(method.getName());
                });
    assertReleased(firstBlock(plain), outdated);
  }

  /** Released once: one reference more is still there afterwards. */
  private void assertReleased(HFileBlock block, HFile.Reader reader) {
    assertTrue(block.isSharedMem());
    block.retain();
    assertEquals(2, block.refCnt());
    assertThrows(Throwable.class, () -> DataBlockScanner.at(block, reader, conf));
    assertEquals(1, block.refCnt());
    block.release();
  }

  private static HFileBlock firstBlock(HFile.Reader reader) throws IOException {
    return reader.readBlock(0, -1, false, true, false, true, null, null);
  }

  private void open() throws IOException {
    conf.setInt(ByteBuffAllocator.MIN_ALLOCATE_SIZE_KEY, 0);
    plain = write(DataBlockEncoding.NONE);
    encoded = write(DataBlockEncoding.FAST_DIFF);
  }

  private HFile.Reader write(DataBlockEncoding encoding) throws IOException {
    FileSystem fs = FileSystem.getLocal(conf);
    Path path = new Path(directory.toString(), encoding.name());
    byte[] family = Bytes.toBytes("f");
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(fs, path)
            .withFileContext(new HFileContextBuilder().withDataBlockEncoding(encoding).build())
            .create()) {
      for (int row = 0; row < 100; row++) {
        byte[] key = Bytes.toBytes(String.format("%08d", row));
        // HBase 3.0's append takes an ExtendedCell; a list of cells is the same to the linker.
        writer.appendAll(List.of(new KeyValue(key, family, family, 1L, key)));
      }
    }
    CacheConfig caching = new CacheConfig(conf, null, null, ByteBuffAllocator.create(conf, true));
    return HFile.createReader(fs, path, caching, true, conf);
  }
}
