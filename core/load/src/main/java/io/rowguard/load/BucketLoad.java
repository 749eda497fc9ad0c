package io.rowguard.load;

import io.rowguard.layout.Derivation;
import io.rowguard.layout.KeyRange;
import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.SaltBucket;
import io.rowguard.layout.SaltBuckets;
import io.rowguard.layout.Segment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * How the load of a region divides over the buckets of its salt, and over what goes into it.
 * Immutable.
 *
 * <p>The buckets are few when most of the load has one input of the salt, and that is more than one
 * entity group: another salt would spread it. Or when a quarter of the buckets that the region has,
 * four at least, have most of it.
 */
final class BucketLoad {
  private static final double MOST = 0.75;
  private static final int FEWEST = 4;
  // Beyond it a region of many buckets is not asked which ones it has.
  private static final int MOST_LISTED = 1024;

  private final boolean few;
  private final String repeated;

  private BucketLoad(boolean few, String repeated) {
    this.few = few;
    this.repeated = repeated;
  }

  static BucketLoad of(LoadSnapshot snapshot, KeyRange region) {
    RowkeyLayout layout = snapshot.group().layout();
    SaltBuckets buckets = SaltBuckets.of(layout);
    if (buckets.freeSegments().isEmpty()) {
      return new BucketLoad(/* few= */ false, null);
    }
    List<String> inputs = inputs(buckets.freeSegments());
    Map<String, Double> byInput = new HashMap<>();
    Map<SaltBucket, Double> byBucket = new HashMap<>();
    double total = 0;
    for (SampledRow row : snapshot.sample()) {
      total += row.weight();
      // A row that does not conform, or is not known whole, has no bucket.
      byte[] bare = row.isWhole() ? buckets.bareKeyOf(row.row(), 0, row.row().length) : null;
      if (bare != null) {
        byBucket.merge(buckets.bucketOfRow(row.row()), row.weight(), Double::sum);
        if (!inputs.isEmpty()) {
          byInput.merge(values(layout, inputs, row.row()), row.weight(), Double::sum);
        }
      }
    }
    String repeated = repeated(byInput, total);
    boolean isOneGroup = snapshot.groups().get(0).atLeast() >= MOST * snapshot.total();
    if (repeated != null && !isOneGroup) {
      return new BucketLoad(/* few= */ true, repeated);
    }
    return new BucketLoad(areFew(byBucket, bucketsOf(buckets, region), total), null);
  }

  /** The segments that go into the salt; none where the whole bare key does. */
  private static List<String> inputs(List<Segment> salts) {
    List<String> inputs = new ArrayList<>();
    for (Segment salt : salts) {
      for (Derivation term = salt.derivation(); term != null; term = term.second()) {
        if (term.isOverBareKey()) {
          return new ArrayList<>();
        }
        inputs.addAll(term.inputs());
      }
    }
    return inputs;
  }

  private static String values(RowkeyLayout layout, List<String> names, byte[] row) {
    StringJoiner values = new StringJoiner(" ");
    for (String name : names) {
      int[] range = layout.segmentRange(name, row);
      values.add(name + "=\"" + RowText.toStringBinary(row, range[0], range[1] - range[0]) + "\"");
    }
    return values.toString();
  }

  private static String repeated(Map<String, Double> byInput, double total) {
    for (Map.Entry<String, Double> input : byInput.entrySet()) {
      if (input.getValue() >= MOST * total) {
        return input.getKey();
      }
    }
    return null;
  }

  /** How many buckets have rows in a region; 0 when there are too many to look. */
  private static int bucketsOf(SaltBuckets buckets, KeyRange region) {
    if (buckets.count(KeyRange.all()) > MOST_LISTED) {
      return 0;
    }
    int found = 0;
    for (SaltBucket bucket : buckets.of(KeyRange.all())) {
      found += bucket.salted(KeyRange.all()).intersect(region).isEmpty() ? 0 : 1;
    }
    return found;
  }

  private static boolean areFew(Map<SaltBucket, Double> byBucket, int ofRegion, double total) {
    if (ofRegion < FEWEST) {
      return false;
    }
    double[] weights = byBucket.values().stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(weights);
    double heaviest = 0;
    for (int i = 0; i < Math.min(weights.length, ofRegion / FEWEST); i++) {
      heaviest += weights[weights.length - 1 - i];
    }
    return heaviest >= MOST * total;
  }

  boolean areFew() {
    return few;
  }

  /** The input that most of the load has; null when no single one has it. */
  String repeated() {
    return repeated;
  }
}
