package io.rowguard.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The boundaries of a table that belong to its pre-split, and so are still wanted when the regions
 * on both sides are small. Immutable.
 *
 * <p>HBase does not remember a pre-split, so it is known by its form. A boundary belongs to one if
 * it lies between two values of the salt that rows begin with, or is one of those that divide the
 * keys evenly into some number of regions, up to {@value #MOST_REGIONS} or as many as there are,
 * and the table has all of these. Regions that no row can reach keep nothing apart, such as those
 * of salts that a layout no longer has.
 */
public final class PresplitBoundaries {
  private static final int MOST_REGIONS = 256;

  private final LayoutBoundaries boundaries;
  private final Collection<byte[]> splitKeys;
  private Set<byte[]> even;

  private PresplitBoundaries(LayoutBoundaries boundaries, Collection<byte[]> splitKeys) {
    this.boundaries = boundaries;
    this.splitKeys = splitKeys;
  }

  /**
   * The boundaries of a table.
   *
   * @param splitKeys the start keys of all of its regions but the first
   */
  public static PresplitBoundaries of(LayoutBoundaries boundaries, Collection<byte[]> splitKeys) {
    return new PresplitBoundaries(boundaries, splitKeys);
  }

  /**
   * The boundaries of the pre-split that a merge takes away, ascending; empty when it takes away
   * none.
   *
   * @param starts the start keys of the regions that are to be merged, ascending; empty for none
   * @param ends their end keys, exclusive, in the same order; empty for none
   */
  public List<byte[]> lost(List<byte[]> starts, List<byte[]> ends) {
    Set<byte[]> lost = new TreeSet<>(ByteRanges::compare);
    boolean reachable = false;
    for (int i = 0; i < starts.size(); i++) {
      if (boundaries.isReachable(starts.get(i), ends.get(i))) {
        if (reachable && isOfIt(starts.get(i))) {
          lost.add(starts.get(i));
        }
        reachable = true;
      }
    }
    return new ArrayList<>(lost);
  }

  private boolean isOfIt(byte[] boundary) {
    return boundaries.dividesSalts(boundary) || even().contains(shortened(boundary));
  }

  private Set<byte[]> even() {
    if (even == null) {
      Set<byte[]> all = new TreeSet<>(ByteRanges::compare);
      splitKeys.forEach(key -> all.add(shortened(key)));
      Set<byte[]> found = new TreeSet<>(ByteRanges::compare);
      for (int number = 2; number <= Math.min(all.size(), MOST_REGIONS); number++) {
        addDivision(found, number, all);
      }
      addDivision(found, all.size() + 1, all);
      even = found;
    }
    return even;
  }

  private void addDivision(Set<byte[]> even, int number, Set<byte[]> all) {
    List<byte[]> keys = new ArrayList<>();
    try {
      boundaries.evenly(number).forEach(key -> keys.add(shortened(key)));
    } catch (IllegalArgumentException e) {
      return; // the keys' beginnings have no more values than that
    }
    if (all.containsAll(keys)) {
      even.addAll(keys);
    }
  }

  /** The same boundary without bytes that all rows there have: {@code 8} for {@code 80} in hex. */
  private byte[] shortened(byte[] key) {
    byte[] shortest = key;
    while (shortest.length > 1) {
      byte[] shorter = Arrays.copyOf(shortest, shortest.length - 1);
      if (boundaries.isReachable(shorter, shortest)) {
        return shortest;
      }
      shortest = shorter;
    }
    return shortest;
  }
}
