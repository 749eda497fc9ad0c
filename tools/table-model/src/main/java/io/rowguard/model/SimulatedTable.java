package io.rowguard.model;

import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.model.CompactionRules.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A table of one column family that flushes, compacts and splits as HBase 2.6 would if its
 * background work were always done before the next write. Not thread-safe.
 *
 * <p>What happens when a memstore is full is {@code MemStoreFlusher.flushRegion}: with more store
 * files than {@code hbase.hstore.blockingStoreFiles} first a compaction; then the flush; then a
 * split if the policy names a point, <em>or else</em> a compaction if there are enough files. After
 * a compaction the policy is asked again ({@code CompactSplit}). A split leaves references to the
 * parent's files, and its daughters cannot be split before a compaction has replaced those. A point
 * that is the region's own start key is refused by the master after the flusher has decided against
 * a compaction: that is how HBase's prefix policies get stuck (HBASE-23620).
 *
 * <p>Left out: how long flushes, compactions and splits take, and what the write path does
 * meanwhile; memory limits of a whole server; versions, deletes and TTLs (every key is a cell that
 * stays); compression and encoding; periodic flushes and major compactions.
 *
 * <p>Memory is some 15 kB per store file and memstore ({@link RowSketch}), whatever the number of
 * rows. A write costs a copy of the row and its share of a sort.
 */
public final class SimulatedTable {
  /** More regions than that are refused. */
  public static final int MOST_REGIONS = 10_000;

  private final TableSettings settings;
  private final SplitPoints points;
  private final LayoutBoundaries boundaries;
  private final SplittableRandom random;
  private final List<SimulatedRegion> regions = new ArrayList<>();
  private final int[] regionsOfServer;
  private final List<Long> splitTimes = new ArrayList<>();
  private final Work work = new Work();
  private RegionIndex index;
  private int regionsMade;
  private long now;
  private long nextLook = SplitByLoad.PAUSE_NANOS;

  /** The work of the servers, counted. */
  public static final class Work {
    private long flushes;
    private long compactions;
    private long flushedBytes;
    private long compactedBytes;
    private long blockedFlushes;
    private long refusedSplits;
    private long splitsByLoad;
    private long moves;

    private Work() {}

    /** How many store files were flushed. */
    public long flushes() {
      return flushes;
    }

    /** How many compactions there were. */
    public long compactions() {
      return compactions;
    }

    /**
     * How many bytes were written to store files for each byte that was flushed, flush included.
     */
    public double writeAmplification() {
      return flushedBytes == 0 ? 1 : (double) (flushedBytes + compactedBytes) / flushedBytes;
    }

    /** How many flushes had to wait since a region had too many store files. */
    public long blockedFlushes() {
      return blockedFlushes;
    }

    /** How many splits the master refused, since their point was the region's own start key. */
    public long refusedSplits() {
      return refusedSplits;
    }

    /** How many of the splits were by load. */
    public long splitsByLoad() {
      return splitsByLoad;
    }

    /** How many regions the balancer moved. */
    public long moves() {
      return moves;
    }
  }

  /**
   * An empty table.
   *
   * @param boundaries where {@link SplitWhere#ROWGUARD} and splits by load may split
   * @param splitKeys ascending; the regions go to the servers in turn
   * @param seed of what HBase leaves to chance, and of the sketches
   */
  public SimulatedTable(
      TableSettings settings, LayoutBoundaries boundaries, List<byte[]> splitKeys, long seed) {
    this.settings = settings;
    this.points = new SplitPoints(settings, boundaries);
    this.boundaries = boundaries;
    this.random = new SplittableRandom(seed);
    this.regionsOfServer = new int[settings.servers()];
    byte[] start = new byte[0];
    for (int i = 0; i <= splitKeys.size(); i++) {
      byte[] end = i == splitKeys.size() ? new byte[0] : splitKeys.get(i);
      regions.add(make(start, end, i % settings.servers()));
      start = end;
    }
    reindex();
  }

  private SimulatedRegion make(byte[] start, byte[] end, int server) {
    SimulatedRegion region = new SimulatedRegion(regionsMade++, start, end, settings, random);
    region.server = server;
    regionsOfServer[server]++;
    if (settings.byLoad() != null) {
      countAnew(region, nanos());
    }
    return region;
  }

  /** A region's load begins anew wherever it is opened. */
  private void countAnew(SimulatedRegion region, long made) {
    region.load =
        new SimulatedLoad(settings.byLoad(), boundaries, region, made, nanos(), random.nextLong());
  }

  private long nanos() {
    return settings.byLoad().nanos(now);
  }

  private void reindex() {
    index = new RegionIndex(regions.stream().skip(1).map(region -> region.start).toList());
  }

  /** Follows where rows go. */
  public interface Watcher {
    /**
     * Called before a row is written.
     *
     * @param regionId the region's own number, which no other region ever has
     * @param server the number of its server
     */
    void written(int regionId, int server);
  }

  /**
   * Writes a row, which is kept as it is.
   *
   * @param time when, ascending: the number of the key, for one
   */
  public void write(long time, byte[] row, Watcher watcher) {
    SimulatedRegion region = regions.get(index.regionOf(row, row.length));
    watcher.written(region.id, region.server);
    now = time;
    if (settings.byLoad() != null) {
      region.load.write(row, nanos());
    }
    if (region.write(row) > settings.flushSize()) {
      int before = splitTimes.size();
      flush(region);
      if (splitTimes.size() > before) {
        balance();
      }
    }
    if (settings.byLoad() != null && nanos() >= nextLook) {
      nextLook = nanos() + SplitByLoad.PAUSE_NANOS;
      splitByLoad();
    }
  }

  /** All servers look at the load of their regions. A region with references cannot be split. */
  private void splitByLoad() {
    long before = splitTimes.size();
    for (SimulatedRegion region : new ArrayList<>(regions)) {
      byte[] key =
          region.load.cut(nanos(), !region.hasReferences(), regionsOfServer[region.server]);
      if (key != null) {
        split(region, key);
        work.splitsByLoad++;
      }
    }
    if (splitTimes.size() > before) {
      balance();
    }
  }

  private void flush(SimulatedRegion region) {
    if (hasTooManyFiles(region)) {
      // With so many files HBase asks for no split, and lets the flush wait for the compaction.
      work.blockedFlushes++;
      compact(region);
      if (region.isOffline) {
        return;
      }
    }
    flushMemstore(region);
    boolean isCompactionNeeded = region.files().size() >= settings.compactions().minFiles();
    if (splitPoint(region) != null) {
      requestSplit(region);
    } else if (isCompactionNeeded) {
      compact(region);
    }
  }

  private boolean hasTooManyFiles(SimulatedRegion region) {
    return region.files().size() > settings.compactions().blockingFiles();
  }

  private void flushMemstore(SimulatedRegion region) {
    SimulatedStoreFile file = region.flush();
    if (file != null) {
      work.flushes++;
      work.flushedBytes += file.length();
    }
  }

  /** The files that a store may have beyond those it has ({@code Store.getCompactPriority}). */
  private int priority(SimulatedRegion region) {
    return settings.compactions().blockingFiles() - region.files().size();
  }

  /** {@code HRegion.checkSplit}: the point at which the policy would split, or null. */
  private byte[] splitPoint(SimulatedRegion region) {
    if (region.hasReferences() || region.storeSize() <= sizeToCheck(region)) {
      return null;
    }
    byte[] point = points.of(region);
    return point != null && region.contains(point) ? point : null;
  }

  private long sizeToCheck(SimulatedRegion region) {
    return settings.splits().sizeToCheck(region.maxFileSize, regionsOfServer[region.server]);
  }

  /** {@code CompactSplit.requestSplit}, and what the master makes of it. */
  private void requestSplit(SimulatedRegion region) {
    boolean mayAsk =
        regionsOfServer[region.server] < settings.splits().regionLimit() && priority(region) >= 1;
    byte[] point = mayAsk ? splitPoint(region) : null;
    if (point == null) {
      return;
    }
    if (Arrays.equals(point, region.start)) {
      region.refusedSplits++;
      work.refusedSplits++;
    } else {
      split(region, point);
    }
  }

  private void split(SimulatedRegion parent, byte[] point) {
    if (regions.size() >= MOST_REGIONS) {
      throw new SimulationException(
          "The table gets more regions than the model takes. Make the largest size of a region"
              + " larger, or write fewer keys. most="
              + MOST_REGIONS
              + " maxFileSize="
              + settings.splits().maxFileSize());
    }
    flushMemstore(parent);
    parent.isOffline = true;
    regionsOfServer[parent.server]--;
    SimulatedRegion lower = make(parent.start, point, parent.server);
    SimulatedRegion upper = make(point, parent.end, parent.server);
    lower.sequenceId = parent.sequenceId;
    upper.sequenceId = parent.sequenceId;
    for (SimulatedStoreFile file : parent.files()) {
      add(lower, file.part(point, true));
      add(upper, file.part(point, false));
    }
    int at = regions.indexOf(parent);
    regions.set(at, lower);
    regions.add(at + 1, upper);
    reindex();
    splitTimes.add(now);
    open(lower);
    open(upper);
  }

  private static void add(SimulatedRegion daughter, SimulatedStoreFile part) {
    if (part != null) {
      daughter.files().add(part);
    }
  }

  /** {@code HRegionServer.postOpenDeployTasks}. */
  private void open(SimulatedRegion region) {
    if (region.hasReferences() || region.files().size() >= settings.compactions().minFiles()) {
      compact(region);
    }
  }

  /** {@code CompactSplit}: one compaction, and what follows from it. */
  private void compact(SimulatedRegion region) {
    List<SimulatedStoreFile> files = region.files();
    long[] lengths = files.stream().mapToLong(SimulatedStoreFile::length).toArray();
    boolean[] references = new boolean[lengths.length];
    for (int i = 0; i < references.length; i++) {
      references[i] = files.get(i).isReference();
    }
    Selection selection = settings.compactions().select(lengths, references);
    if (selection.isEmpty()) {
      return;
    }
    List<SimulatedStoreFile> selected = files.subList(selection.from(), selection.to());
    RowSketch rows =
        RowSketch.merge(selected.stream().map(SimulatedStoreFile::sketch).toList(), random);
    long cells = selected.stream().mapToLong(SimulatedStoreFile::cells).sum();
    long sequenceBytes = selected.stream().mapToLong(SimulatedStoreFile::sequenceBytes).sum();
    SimulatedStoreFile compacted =
        SimulatedStoreFile.of(rows, cells, sequenceBytes, settings.cells());
    selected.clear();
    files.add(selection.from(), compacted);
    work.compactions++;
    work.compactedBytes += compacted.length();
    if (priority(region) <= 0) {
      compact(region);
    } else {
      requestSplit(region);
    }
  }

  /**
   * Moves the newest regions of the fullest server to the emptiest until the numbers of their
   * regions differ by one at most. A region that moves is flushed.
   */
  private void balance() {
    while (true) {
      int fullest = 0;
      int emptiest = 0;
      for (int server = 1; server < regionsOfServer.length; server++) {
        fullest = regionsOfServer[server] > regionsOfServer[fullest] ? server : fullest;
        emptiest = regionsOfServer[server] < regionsOfServer[emptiest] ? server : emptiest;
      }
      if (regionsOfServer[fullest] - regionsOfServer[emptiest] < 2) {
        return;
      }
      int from = fullest;
      SimulatedRegion moved =
          regions.stream()
              .filter(region -> region.server == from)
              .max(Comparator.comparingInt(region -> region.id))
              .orElseThrow();
      regionsOfServer[from]--;
      regionsOfServer[emptiest]++;
      moved.server = emptiest;
      work.moves++;
      if (moved.load != null) {
        countAnew(moved, moved.load.made());
      }
      flushMemstore(moved);
      open(moved);
    }
  }

  /** Flushes all memstores, as disabling the table does: nothing is compacted or split. */
  public void close() {
    regions.forEach(this::flushMemstore);
  }

  /** How many regions there are now. */
  public int regionCount() {
    return regions.size();
  }

  /** The regions as they are now, ascending. */
  public List<SimulatedRegionState> regions() {
    return regions.stream().map(this::state).toList();
  }

  private SimulatedRegionState state(SimulatedRegion region) {
    boolean isLarge = !region.hasReferences() && region.storeSize() > sizeToCheck(region);
    byte[] point = isLarge ? points.of(region) : null;
    boolean isStuck =
        isLarge && (point == null || Arrays.equals(point, region.start) || !region.contains(point));
    return new SimulatedRegionState(region, isStuck);
  }

  /** When each split took place, ascending: the time of the row with which it began. */
  public List<Long> splitTimes() {
    return splitTimes;
  }

  /** The work of the servers. */
  public Work work() {
    return work;
  }
}
