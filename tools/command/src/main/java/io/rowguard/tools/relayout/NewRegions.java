package io.rowguard.tools.relayout;

import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LayoutBoundaries;
import io.rowguard.layout.SaltBuckets;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The start keys for the regions of a layout, so that rows which come to it are spread: evenly
 * where the layout begins with something of fixed width, else by a sample of its rows. Pure
 * functions.
 */
final class NewRegions {
  /** A number of regions that goes into the number of buckets may be so many times too large. */
  private static final int MOST_ROUNDING = 4;

  private static final int REGIONS_PER_SERVER = 2;

  private NewRegions() {}

  /** How many regions suit: as many as have rows now, and enough for every server to have some. */
  static int wanted(EntityGroup group, MoveEstimate estimate, int servers) {
    long filled = (long) estimate.filled() * estimate.regions() / estimate.sampledRegions();
    return rounded(group, (int) Math.max(filled, (long) REGIONS_PER_SERVER * servers));
  }

  /**
   * How many regions suit: as many as asked for, rounded up so that they divide the buckets.
   *
   * @param wanted 1 or more
   */
  static int rounded(EntityGroup group, int wanted) {
    long buckets = SaltBuckets.of(group.layout()).count(KeyRange.all());
    if (buckets < 2 || buckets > Integer.MAX_VALUE / 2) {
      return wanted;
    }
    if (wanted >= buckets) {
      return (int) ((wanted + buckets - 1) / buckets * buckets);
    }
    for (int regions = wanted;
        regions <= Math.min(buckets, (long) MOST_ROUNDING * wanted);
        regions++) {
      if (buckets % regions == 0) {
        return regions;
      }
    }
    return wanted;
  }

  /**
   * The keys at which regions are to begin, ascending: at most {@code regions - 1}.
   *
   * @param sample rows of the layout, ascending, for layouts that cannot be divided evenly
   */
  static List<byte[]> boundaries(EntityGroup group, int regions, List<byte[]> sample) {
    LayoutBoundaries boundaries = LayoutBoundaries.of(group);
    // With fewer values than that, half as many may do.
    for (int fewer = regions; fewer > 1; fewer /= 2) {
      List<byte[]> keys = evenly(boundaries, fewer);
      if (keys != null) {
        return keys;
      }
    }
    return sample.isEmpty() ? List.of() : boundaries.quantiles(sample, null, regions);
  }

  /** Null where the layout's keys do not begin with so many values. */
  private static List<byte[]> evenly(LayoutBoundaries boundaries, int regions) {
    try {
      return boundaries.evenly(regions);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * The keys at which no region begins, nor at another key with no row in between: {@code 1} where
   * there is {@code 10} of two digits.
   */
  static List<byte[]> missing(EntityGroup group, List<byte[]> keys, List<byte[]> startKeys) {
    LayoutBoundaries boundaries = LayoutBoundaries.of(group);
    TreeSet<byte[]> starts = new TreeSet<>(Arrays::compareUnsigned);
    startKeys.stream().filter(start -> start.length > 0).forEach(starts::add);
    return keys.stream()
        .filter(key -> divides(boundaries, starts.floor(key), key))
        .filter(key -> divides(boundaries, key, starts.ceiling(key)))
        .toList();
  }

  /** Whether rows can lie between two boundaries; also where one is missing. */
  private static boolean divides(LayoutBoundaries boundaries, byte[] lower, byte[] upper) {
    return lower == null
        || upper == null
        || (!Arrays.equals(lower, upper) && boundaries.isReachable(lower, upper));
  }

  /**
   * The key in the middle of those that lie inside of a region; null when none does.
   *
   * @param keys ascending
   * @param end exclusive; empty for none
   */
  static byte[] middleInside(List<byte[]> keys, byte[] start, byte[] end) {
    List<byte[]> inside =
        keys.stream()
            .filter(key -> Arrays.compareUnsigned(key, start) > 0)
            .filter(key -> end.length == 0 || Arrays.compareUnsigned(key, end) < 0)
            .toList();
    return inside.isEmpty() ? null : inside.get(inside.size() / 2);
  }
}
