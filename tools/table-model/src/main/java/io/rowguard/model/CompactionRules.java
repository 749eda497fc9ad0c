package io.rowguard.model;

import java.util.Arrays;

/**
 * The choice of store files that are compacted together: {@code ExploringCompactionPolicy} (HBase's
 * default) and {@code RatioBasedCompactionPolicy} of HBase 2.6. Immutable.
 *
 * <p>Off-peak hours, bulk-loaded files and periodic major compactions are left out.
 *
 * @param minFiles {@code hbase.hstore.compaction.min}
 * @param maxFiles {@code hbase.hstore.compaction.max}
 * @param ratio {@code hbase.hstore.compaction.ratio}
 * @param minSize {@code hbase.hstore.compaction.min.size}, bytes
 * @param maxSize {@code hbase.hstore.compaction.max.size}, bytes
 * @param blockingFiles {@code hbase.hstore.blockingStoreFiles}
 * @param isExploring whether {@code hbase.hstore.defaultengine.compactionpolicy.class} is the
 *     exploring one
 */
public record CompactionRules(
    int minFiles,
    int maxFiles,
    double ratio,
    long minSize,
    long maxSize,
    int blockingFiles,
    boolean isExploring) {
  // For two selections when the store may be stuck (ExploringCompactionPolicy.isBetterSelection).
  private static final double REPLACE_IF_BETTER_BY = 1.05;

  /**
   * Files that follow one another in a store, from the oldest.
   *
   * @param from inclusive
   * @param to exclusive
   */
  record Selection(int from, int to) {
    static final Selection NONE = new Selection(0, 0);

    int size() {
      return to - from;
    }

    boolean isEmpty() {
      return size() == 0;
    }
  }

  /**
   * Selects files ({@code SortedCompactionPolicy.selectCompaction} of a system compaction).
   *
   * @param lengths of all files of a store, from the oldest
   * @param references which of them are references to files of a parent region: when one is, all
   *     files are compacted
   */
  Selection select(long[] lengths, boolean[] references) {
    int first = 0;
    while (first < lengths.length && !references[first] && lengths[first] > maxSize) {
      first++;
    }
    boolean isAfterSplit = false;
    for (int i = first; i < lengths.length; i++) {
      isAfterSplit |= references[i];
    }
    Selection selection;
    if (isAfterSplit) {
      selection = new Selection(first, lengths.length);
    } else {
      boolean mayBeStuck = lengths.length >= blockingFiles;
      long[] candidates = Arrays.copyOfRange(lengths, first, lengths.length);
      Selection found = isExploring ? explore(candidates, mayBeStuck) : byRatio(candidates);
      selection =
          found.size() < minFiles
              ? Selection.NONE
              : new Selection(first + found.from, first + found.to);
    }
    return new Selection(selection.from, Math.min(selection.to, selection.from + maxFiles));
  }

  private Selection explore(long[] lengths, boolean mayBeStuck) {
    Selection best = Selection.NONE;
    Selection smallest = Selection.NONE;
    long bestSize = 0;
    long smallestSize = Long.MAX_VALUE;
    for (int from = 0; from < lengths.length; from++) {
      int last = Math.min(lengths.length, from + maxFiles);
      for (int to = from + minFiles; to <= last; to++) {
        long size = Arrays.stream(lengths, from, to).sum();
        Selection selection = new Selection(from, to);
        if (mayBeStuck && size < smallestSize) {
          smallest = selection;
          smallestSize = size;
        }
        boolean isAllowed =
            size <= maxSize && (size < minSize || areInRatio(lengths, selection, size));
        if (isAllowed && isBetter(selection, size, best, bestSize, mayBeStuck)) {
          best = selection;
          bestSize = size;
        }
      }
    }
    return best.isEmpty() && mayBeStuck ? smallest : best;
  }

  /** Whether each file is at most the ratio times all others together. */
  private boolean areInRatio(long[] lengths, Selection selection, long size) {
    for (int i = selection.from; i < selection.to; i++) {
      if (lengths[i] > (size - lengths[i]) * ratio) {
        return false;
      }
    }
    return true;
  }

  private static boolean isBetter(
      Selection selection, long size, Selection best, long bestSize, boolean mayBeStuck) {
    if (mayBeStuck && bestSize > 0 && size > 0) {
      double quality = (double) best.size() / bestSize * REPLACE_IF_BETTER_BY;
      return quality < (double) selection.size() / size;
    }
    return selection.size() > best.size() || (selection.size() == best.size() && size < bestSize);
  }

  /** From the oldest file that is not much larger than all newer ones together. */
  private Selection byRatio(long[] lengths) {
    int count = lengths.length;
    int start = 0;
    while (count - start >= minFiles) {
      long newer = Arrays.stream(lengths, start + 1, Math.min(count, start + maxFiles)).sum();
      if (lengths[start] <= Math.max(minSize, (long) (newer * ratio))) {
        break;
      }
      start++;
    }
    return new Selection(start, count);
  }
}
