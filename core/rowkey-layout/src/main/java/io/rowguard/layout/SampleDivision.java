package io.rowguard.layout;

import java.util.ArrayList;
import java.util.List;

/**
 * Divides a sample of rows by weight: of all places between two neighbouring rows of different
 * groups, it takes for each quantile the one whose weight below is nearest.
 */
final class SampleDivision {
  private final LayoutBoundaries boundaries;
  private final List<byte[]> sample;
  private final long[] weights;
  private final List<byte[]> keys = new ArrayList<>();
  private final List<Long> weightsBelow = new ArrayList<>();
  private long total;

  SampleDivision(LayoutBoundaries boundaries, List<byte[]> sample, long[] weights) {
    if (weights != null && weights.length != sample.size()) {
      throw new IllegalArgumentException(
          "There must be one weight per row. rows=" + sample.size() + " weights=" + weights.length);
    }
    this.boundaries = boundaries;
    this.sample = sample;
    this.weights = weights;
    findPlaces();
  }

  List<byte[]> divide(int regions) {
    if (regions < 1) {
      throw new IllegalArgumentException(
          "The number of regions must be 1 or more. given=" + regions);
    }
    List<byte[]> chosen = new ArrayList<>();
    int last = -1;
    for (int i = 1; i < regions && !keys.isEmpty(); i++) {
      int place = nearest((double) total * i / regions);
      // Two quantiles in one big group share the place next to it.
      if (place > last) {
        chosen.add(keys.get(place));
        last = place;
      }
    }
    return chosen;
  }

  /** The place whose weight below is nearest to a target; of two, the lower. */
  private int nearest(double target) {
    int low = 0;
    int high = keys.size() - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (weightsBelow.get(middle + 1) - target >= target - weightsBelow.get(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private void findPlaces() {
    for (int i = 0; i < sample.size(); i++) {
      if (i > 0) {
        addPlace(sample.get(i - 1), sample.get(i));
      }
      long weight = weights == null ? 1 : weights[i];
      if (weight < 0) {
        throw new IllegalArgumentException("A weight must not be negative. row=" + i);
      }
      total = Math.addExact(total, weight);
    }
  }

  private void addPlace(byte[] lower, byte[] upper) {
    int order = ByteRanges.compare(lower, upper);
    if (order > 0) {
      throw new IllegalArgumentException(
          "The sample must ascend in unsigned byte order. row=\""
              + RowText.abbreviated(upper)
              + "\" after=\""
              + RowText.abbreviated(lower)
              + "\"");
    }
    byte[] key = boundaries.between(lower, upper);
    if (key != null) {
      keys.add(key);
      weightsBelow.add(total);
    }
  }
}
