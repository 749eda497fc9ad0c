package org.apache.hadoop.hbase.io.hfile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Index blocks of a real file, sound and damaged. */
class IndexBlockFuzzTest {
  private static final int ROWS = 300;
  private static final int DAMAGES = 200_000;

  /** Lengths and numbers that are likely to be taken for what they are not. */
  private static final int[] NUMBERS = {
    -1, 0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1 << 30, 1 << 16, Integer.MAX_VALUE - 12
  };

  @TempDir private java.nio.file.Path directory;
  private final Configuration conf = HBaseConfiguration.create();
  private final List<byte[]> indexBlocks = new ArrayList<>();
  private int dataBlocks;
  private long end;

  @BeforeEach
  void writeAndRead() throws IOException {
    conf.setInt(HFileBlockIndex.MAX_CHUNK_SIZE_KEY, 200);
    FileSystem fs = FileSystem.getLocal(conf);
    Path path = new Path(directory.toString(), "file");
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(fs, path)
            .withFileContext(new HFileContextBuilder().withBlockSize(150).build())
            .create()) {
      byte[] family = Bytes.toBytes("f");
      for (int row = 0; row < ROWS; row++) {
        byte[] key = Bytes.toBytes(String.format("%08d", row));
        writer.appendAll(List.of(new KeyValue(key, family, family, 1L, key)));
      }
    }
    try (HFile.Reader reader = HFile.createReader(fs, path, CacheConfig.DISABLED, true, conf)) {
      end = reader.getTrailer().getLoadOnOpenDataOffset();
      for (long offset = 0; offset < end; ) {
        HFileBlock block = reader.readBlock(offset, -1, false, true, false, true, null, null);
        if (block.getBlockType() == BlockType.LEAF_INDEX) {
          ByteBuff content = block.getBufferWithoutHeader();
          indexBlocks.add(content.toBytes(0, content.limit()));
        } else {
          dataBlocks++;
        }
        offset += block.getOnDiskSizeWithHeader();
        block.release();
      }
    }
  }

  private IndexBlock parse(byte[] block) throws IOException {
    return IndexBlock.parse(ByteBuff.wrap(ByteBuffer.wrap(block)), end);
  }

  @Test
  void parse_soundBlocks_nameAllDataBlocks() throws IOException {
    int entries = 0;
    for (byte[] block : indexBlocks) {
      entries += parse(block).keys.length;
    }
    assertEquals(dataBlocks, entries);
  }

  /** Neither another exception nor an array of the damaged length. */
  @Test
  void parse_damagedBlocks_isRefusedOrHasWhatTheBlockHolds() throws IOException {
    SplittableRandom random = new SplittableRandom(41);
    int refused = 0;
    for (int i = 0; i < DAMAGES; i++) {
      byte[] damaged = indexBlocks.get(random.nextInt(indexBlocks.size())).clone();
      int at = random.nextInt(8) == 0 ? 0 : random.nextInt(damaged.length - Integer.BYTES + 1);
      int number =
          random.nextBoolean()
              ? NUMBERS[random.nextInt(NUMBERS.length)]
              : random.nextInt(2 * damaged.length);
      ByteBuffer.wrap(damaged).putInt(at, number);
      try {
        IndexBlock entries = parse(damaged);
        assertTrue(entries.keys.length * KeyValue.KEY_INFRASTRUCTURE_SIZE <= damaged.length);
        for (int entry = 0; entry < entries.keys.length; entry++) {
          assertTrue(CellUtil.cloneRow(entries.keys[entry]).length < damaged.length);
          assertTrue(entries.offsets[entry] + entries.sizes[entry] <= end);
        }
      } catch (CorruptHFileException e) {
        refused++;
      }
    }
    assertTrue(refused > DAMAGES / 10, "refused=" + refused);
  }
}
