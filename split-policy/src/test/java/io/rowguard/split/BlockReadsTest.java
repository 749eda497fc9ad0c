package io.rowguard.split;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.PrefixBoundaries;
import io.rowguard.splitpoint.KeyWeights;
import io.rowguard.splitpoint.SplitPointChooser;
import io.rowguard.splitpoint.WeightTree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.compress.Compression.Algorithm;
import org.apache.hadoop.hbase.io.encoding.DataBlockEncoding;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileIndexLevel;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * How many blocks are read from real store files, counted by a block cache of their own: every
 * block that HBase reads is asked of it first.
 */
class BlockReadsTest {
  private static final int ROWS = 3_000;
  private static final int BLOCK = 1_024;
  private static final int ALL_IN_THE_ROOT = 1 << 20;

  @TempDir private java.nio.file.Path directory;
  private final Configuration conf = HBaseConfiguration.create();
  private final LruBlockCache cache = new LruBlockCache(16 << 20, BLOCK, true, conf);
  private final List<HFile.Reader> readers = new ArrayList<>();
  private FileSystem fs;

  @BeforeEach
  void open() throws IOException {
    fs = FileSystem.getLocal(conf);
    conf.setInt("hfile.index.block.min.entries", 2);
  }

  @AfterEach
  void close() throws IOException {
    for (HFile.Reader reader : readers) {
      reader.close();
    }
    cache.shutdown();
  }

  @ParameterizedTest
  @EnumSource(
      value = DataBlockEncoding.class,
      names = {"NONE", "PREFIX", "DIFF", "FAST_DIFF", "ROW_INDEX_V1"})
  void readEntry_dataBlock_readsThatBlockOnlyAndAllItsRows(DataBlockEncoding encoding)
      throws Exception {
    NavigableSet<byte[]> rows = rows(ROWS, 1);
    HFile.Reader reader =
        write(rows, ALL_IN_THE_ROOT, blocks(BLOCK).withDataBlockEncoding(encoding));
    assertRowsOfEveryBlock(reader, rows);
  }

  @Test
  void readEntry_compressedDataBlock_readsThatBlockOnlyAndAllItsRows() throws Exception {
    NavigableSet<byte[]> rows = rows(ROWS, 2);
    HFile.Reader reader = write(rows, ALL_IN_THE_ROOT, blocks(BLOCK).withCompression(Algorithm.GZ));
    assertRowsOfEveryBlock(reader, rows);
  }

  private void assertRowsOfEveryBlock(HFile.Reader reader, NavigableSet<byte[]> rows)
      throws Exception {
    IndexWeights level = new IndexWeights(conf, HFileIndexLevel.root(reader));
    List<byte[]> seen = new ArrayList<>();
    for (int entry = 0; entry < level.size(); entry++) {
      long before = reads();
      KeyWeights block = level.readEntry(entry);
      assertEquals(1, reads() - before, "entry=" + entry);
      for (int row = 0; row < block.size(); row++) {
        seen.add(block.row(row));
      }
    }
    assertTrue(level.size() > 10, "entries=" + level.size());
    assertArrayEquals(rows.toArray(), seen.toArray());
  }

  @ParameterizedTest
  @CsvSource({"1024, 2", "256, 3", "128, 4"})
  void readEntry_downTheIndex_readsOneBlockPerLevel(int indexBlock, int atLeast) throws Exception {
    HFile.Reader reader = write(rows(ROWS, 4), indexBlock, blocks(BLOCK));
    KeyWeights level = new IndexWeights(conf, HFileIndexLevel.root(reader));
    long before = reads();
    int levels = 0;
    while (!level.isOneRow(0)) {
      level = level.readEntry(level.size() / 2);
      levels++;
      assertEquals(levels, reads() - before);
    }
    assertTrue(levels >= atLeast, "levels=" + levels);
  }

  /** Few blocks or few leaves in many files: the half of the bytes is open in every one. */
  @ParameterizedTest
  @ValueSource(ints = {128, 512, ALL_IN_THE_ROOT})
  void choose_manyFiles_readsAHandfulOfBlocksAtMost(int indexBlock) throws Exception {
    List<WeightTree> files = new ArrayList<>();
    NavigableSet<byte[]> all = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    for (int file = 0; file < 20; file++) {
      NavigableSet<byte[]> rows = rows(ROWS - 100 * file, 100 + file);
      all.addAll(rows);
      HFile.Reader reader = write(rows, indexBlock, blocks(32 * BLOCK));
      files.add(tree(reader, rows));
    }
    long before = reads();
    byte[] point =
        new SplitPointChooser(PrefixBoundaries.ofLength(3), all.first(), all.last()).choose(files);
    long reads = reads() - before;
    // A handful: 1 to 8. Without any, this test would show nothing.
    assertTrue(reads > 0 && reads <= 8, "reads=" + reads);
    double below = (double) all.headSet(point).size() / all.size();
    assertTrue(below > 0.45 && below < 0.55, "below=" + below);
  }

  /**
   * In an index of three levels the upper ones do not know how many bytes their entries have: a
   * quarter of the rows has most of them, so that the middle of the entries is far from the half.
   */
  @ParameterizedTest
  @ValueSource(ints = {256, 1_024, ALL_IN_THE_ROOT})
  void choose_bytesFarFromTheMiddleOfTheIndex_isAtTheirHalf(int indexBlock) throws Exception {
    NavigableSet<byte[]> rows = rows(ROWS, 5);
    byte[] heavy = Bytes.toBytes("c");
    HFile.Reader reader =
        write(
            rows,
            indexBlock,
            blocks(BLOCK),
            row -> new byte[Bytes.compareTo(row, heavy) < 0 ? BLOCK : 8 * BLOCK]);
    long before = reads();
    byte[] point =
        new SplitPointChooser(PrefixBoundaries.ofLength(3), rows.first(), rows.last())
            .choose(List.of(tree(reader, rows)));
    long reads = reads() - before;
    assertTrue(reads <= 8, "reads=" + reads);
    double total = rows.headSet(heavy).size() + 8.0 * rows.tailSet(heavy).size();
    double below = total - 8 * rows.tailSet(point).size();
    assertTrue(Bytes.compareTo(point, heavy) > 0, Bytes.toString(point));
    assertTrue(below > 0.475 * total && below < 0.525 * total, "below=" + below / total);
  }

  private WeightTree tree(HFile.Reader reader, NavigableSet<byte[]> rows) {
    IndexWeights keys = new IndexWeights(conf, HFileIndexLevel.root(reader));
    return new WeightTree(keys, rows.last(), reader.getTrailer().getLoadOnOpenDataOffset());
  }

  private long reads() {
    return cache.getStats().getRequestCount();
  }

  private static NavigableSet<byte[]> rows(int count, long seed) {
    Random random = new Random(seed);
    NavigableSet<byte[]> rows = new TreeSet<>(Bytes.BYTES_COMPARATOR);
    while (rows.size() < count) {
      rows.add(Bytes.toBytes(String.format("%08x", random.nextInt())));
    }
    return rows;
  }

  private static HFileContextBuilder blocks(int size) {
    return new HFileContextBuilder().withBlockSize(size);
  }

  private HFile.Reader write(NavigableSet<byte[]> rows, int indexBlock, HFileContextBuilder context)
      throws IOException {
    return write(rows, indexBlock, context, row -> row);
  }

  private HFile.Reader write(
      NavigableSet<byte[]> rows,
      int indexBlock,
      HFileContextBuilder context,
      UnaryOperator<byte[]> value)
      throws IOException {
    conf.setInt("hfile.index.block.max.size", indexBlock);
    Path path = new Path(directory.toString(), "file" + readers.size());
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(fs, path)
            .withFileContext(context.build())
            .create()) {
      for (byte[] row : rows) {
        // HBase 3.0's append takes an ExtendedCell; a list of cells is the same to the linker.
        writer.appendAll(
            List.of(new KeyValue(row, FilledTable.F, FilledTable.Q, 1L, value.apply(row))));
      }
    }
    CacheConfig caching = new CacheConfig(conf, null, cache, ByteBuffAllocator.HEAP);
    HFile.Reader reader = HFile.createReader(fs, path, caching, true, conf);
    readers.add(reader);
    return reader;
  }
}
