package io.rowguard.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A simulated region: a memstore and store files. Changed by {@link SimulatedTable} only. Not
 * thread-safe.
 */
final class SimulatedRegion {
  final int id;
  final byte[] start;
  final byte[] end;
  final long maxFileSize;
  private final CellSizes sizes;
  private final SketchBuilder memstore;
  private final List<SimulatedStoreFile> files = new ArrayList<>();
  private long memstoreHeap = CellSizes.EMPTY_MEMSTORE;
  private long memstoreCells;
  private long memstoreSequenceBytes;
  private long memstoreBytes;

  /** The number of the server that has it. */
  int server;

  /** The sequence id of the last write, of its parents too. */
  long sequenceId;

  /** Whether its daughters have taken its place. */
  boolean isOffline;

  /** How many splits the master refused, since the point was the region's own start key. */
  long refusedSplits;

  /** Its load; null where none is split by that. */
  SimulatedLoad load;

  /**
   * @param id ascending in the order in which regions were made
   * @param start inclusive, empty for the first region
   * @param end exclusive, empty for the last region
   */
  SimulatedRegion(
      int id, byte[] start, byte[] end, TableSettings settings, SplittableRandom random) {
    this.id = id;
    this.start = start;
    this.end = end;
    this.maxFileSize = settings.splits().jittered(random);
    this.sizes = settings.cells();
    this.memstore = new SketchBuilder(sizes.perRow(), 1, random.split());
  }

  /** Writes a cell; answers how many heap bytes the memstore has now. */
  long write(byte[] row) {
    memstore.add(row);
    memstoreHeap += sizes.inMemstore(row.length);
    memstoreBytes += row.length + sizes.perRow();
    memstoreCells++;
    memstoreSequenceBytes += CellSizes.ofSequenceId(++sequenceId);
    return memstoreHeap;
  }

  /** Makes a store file of the memstore; null when that is empty. */
  SimulatedStoreFile flush() {
    RowSketch rows = memstore.take();
    if (rows == null) {
      return null;
    }
    SimulatedStoreFile file =
        SimulatedStoreFile.of(rows, memstoreCells, memstoreSequenceBytes, sizes);
    files.add(file);
    memstoreHeap = CellSizes.EMPTY_MEMSTORE;
    memstoreBytes = 0;
    memstoreCells = 0;
    memstoreSequenceBytes = 0;
    return file;
  }

  /** The store files, from the oldest; the list may be changed. */
  List<SimulatedStoreFile> files() {
    return files;
  }

  boolean hasReferences() {
    return files.stream().anyMatch(SimulatedStoreFile::isReference);
  }

  /** The size of the store, as HBase compares it with the largest size. */
  long storeSize() {
    return files.stream().mapToLong(SimulatedStoreFile::length).sum();
  }

  /** The bytes of all cells, in files and memstore. */
  long bytes() {
    return memstoreBytes + files.stream().mapToLong(SimulatedStoreFile::bytes).sum();
  }

  /** The cells in files and memstore. */
  long cells() {
    return memstoreCells + files.stream().mapToLong(SimulatedStoreFile::cells).sum();
  }

  /** The first row of all files, of which there is one at least. */
  byte[] firstRow() {
    return files.stream().map(file -> file.sketch().first()).min(Arrays::compareUnsigned).get();
  }

  /** The last row of all files, of which there is one at least. */
  byte[] lastRow() {
    return files.stream().map(file -> file.sketch().last()).max(Arrays::compareUnsigned).get();
  }

  boolean contains(byte[] row) {
    return Arrays.compareUnsigned(row, start) >= 0
        && (end.length == 0 || Arrays.compareUnsigned(row, end) < 0);
  }
}
