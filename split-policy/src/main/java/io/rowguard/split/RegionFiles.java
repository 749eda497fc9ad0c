package io.rowguard.split;

import io.rowguard.splitpoint.WeightTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileIndexLevel;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileAccess;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * All store files of all stores of a region, kept open until this is closed. Cells not flushed yet
 * are not in them. Not thread-safe.
 */
final class RegionFiles implements AutoCloseable {
  private final RegionInfo region;
  private final List<HStoreFile> files = new ArrayList<>();
  private boolean references;
  private byte[] first;
  private byte[] last;
  private long bytes;

  /** The files of a region as it is now. */
  static RegionFiles of(HRegion region) {
    List<HStoreFile> all = new ArrayList<>();
    for (HStore store : region.getStores()) {
      all.addAll(store.getStorefiles());
    }
    return new RegionFiles(region.getRegionInfo(), all);
  }

  RegionFiles(RegionInfo region, List<HStoreFile> all) {
    this.region = region;
    try {
      for (HStoreFile file : all) {
        StoreFileAccess.retain(file);
        files.add(file);
        add(file);
      }
    } catch (RuntimeException | Error e) {
      // A caller without this object could not close it either.
      close();
      throw e;
    }
  }

  private void add(HStoreFile file) {
    references |= file.isReference();
    add(file.getFirstKey());
    add(file.getLastKey());
    StoreFileReader reader = file.getReader();
    bytes += reader == null ? 0 : reader.length();
  }

  /** Whether there is nothing to divide, or some file is a reference to one that is shared. */
  boolean areIndivisible() {
    return first == null || references;
  }

  /** The first row, or the region's start key when a file begins before it. */
  byte[] lowest() {
    byte[] start = region.getStartKey();
    return Bytes.compareTo(first, start) < 0 ? start : first;
  }

  /** The last row. */
  byte[] highest() {
    return last;
  }

  /** The size of all files. */
  long bytes() {
    return bytes;
  }

  /** How the bytes of each file divide between its rows, by its index in memory. */
  List<WeightTree> weights(Configuration conf) {
    List<WeightTree> weights = new ArrayList<>(files.size());
    for (HStoreFile file : files) {
      StoreFileReader opened = file.getReader();
      HFile.Reader reader = opened == null ? null : opened.getHFileReader();
      HFileIndexLevel index = reader == null ? null : HFileIndexLevel.root(reader);
      if (index != null && file.getLastKey().isPresent()) {
        byte[] lastRow = CellUtil.cloneRow(file.getLastKey().get());
        IndexWeights keys = new IndexWeights(conf, index);
        // After the data there are Bloom filters and indexes, which are no matter of rows.
        weights.add(new WeightTree(keys, lastRow, reader.getTrailer().getLoadOnOpenDataOffset()));
      }
    }
    return weights;
  }

  @Override
  public void close() {
    files.forEach(StoreFileAccess::release);
  }

  private void add(Optional<Cell> key) {
    if (key.isPresent()) {
      byte[] row = CellUtil.cloneRow(key.get());
      if (first == null || Bytes.compareTo(row, first) < 0) {
        first = row;
      }
      if (last == null || Bytes.compareTo(row, last) > 0) {
        last = row;
      }
    }
  }
}
