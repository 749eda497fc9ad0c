package io.rowguard.benchmarks.cost;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.LruBlockCache;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;

/** A region of a given shape, written by flushes, with a block cache of its own. */
final class FilesRegion implements AutoCloseable {
  private static final byte[] FAMILY = {'f'};
  private static final long CACHE_BYTES = 256L << 20;
  // The block size by which the cache sizes its maps.
  private static final int CACHE_BLOCK_BYTES = 64 * 1024;

  private final Shape shape;
  private final HRegion region;
  private final LruBlockCache cache;

  private FilesRegion(Shape shape, HRegion region, LruBlockCache cache) {
    this.shape = shape;
    this.region = region;
    this.cache = cache;
  }

  /** Writes one. */
  static FilesRegion create(Path directory, Configuration base, Shape shape) throws IOException {
    Configuration conf = new Configuration(base);
    conf.setInt("hfile.index.block.max.size", shape.indexBlockBytes());
    TableName name = TableName.valueOf("cost");
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(name)
            .setDurability(Durability.SKIP_WAL)
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                    .setBlocksize(shape.blockBytes())
                    .build())
            .build();
    RegionInfo info = RegionInfoBuilder.newBuilder(name).build();
    LruBlockCache cache = new LruBlockCache(CACHE_BYTES, CACHE_BLOCK_BYTES, true, conf);
    HRegion region = HBaseTestingUtility.createRegionAndWAL(info, directory, conf, table, cache);
    for (int file = 0; file < shape.files(); file++) {
      for (int row = file; row < shape.keys().size(); row += shape.files()) {
        region.put(put(shape.keys().get(row), shape));
      }
      region.flush(true);
    }
    return new FilesRegion(shape, region, cache);
  }

  private static Put put(byte[] key, Shape shape) {
    Put put = new Put(key);
    for (int column = 0; column < shape.columns(); column++) {
      put.addColumn(FAMILY, Bytes.toBytes("c" + column), new byte[shape.valueBytes()]);
    }
    return put;
  }

  HRegion region() {
    return region;
  }

  LruBlockCache cache() {
    return cache;
  }

  /** How many data blocks the files have, each an entry in the lowest level of an index. */
  long dataBlocks() {
    // No trailer says so, but the only level of an index has one entry per block.
    return shape.isBlockPerRow() ? shape.keys().size() : rootEntries();
  }

  /** How many entries the root levels of the indexes have. */
  long rootEntries() {
    return readers().stream().mapToLong(reader -> reader.getTrailer().getDataIndexCount()).sum();
  }

  /** The most levels that the index of a file has. */
  int indexLevels() {
    return readers().stream()
        .mapToInt(reader -> reader.getTrailer().getNumDataIndexLevels())
        .max()
        .orElse(0);
  }

  int files() {
    return readers().size();
  }

  private List<HFile.Reader> readers() {
    HStore store = region.getStore(FAMILY);
    return store.getStorefiles().stream()
        .map((HStoreFile file) -> file.getReader().getHFileReader())
        .toList();
  }

  @Override
  public void close() throws IOException {
    HBaseTestingUtility.closeRegionAndWAL(region);
    cache.shutdown();
  }
}
