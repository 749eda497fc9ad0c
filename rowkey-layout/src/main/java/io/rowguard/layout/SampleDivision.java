package io.rowguard.layout;

import java.util.ArrayList;
import java.util.List;

/**
 * Divides a sample of rows by weight: of all places between two neighbouring rows of different
 * groups, it takes for each quantile the one whose weight below is nearest.
 */
final class SampleDivision {
  private final Boundaries boundaries;
  private final List<byte[]> sample;
  private final long[] weights;
  private final List<byte[]> keys = new ArrayList<>();
  private final List<Long> weightsBelow = new ArrayList<>();
  private long total;

  SampleDivision(Boundaries boundaries, List<byte[]> sample, long[] weights) {
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
    int next = 0;
    for (int i = 1; i < regions && next < keys.size(); i++) {
      double target = (double) total * i / regions;
      int place = next;
      while (place + 1 < keys.size()
          && Math.abs(weightsBelow.get(place + 1) - target)
              < Math.abs(weightsBelow.get(place) - target)) {
        place++;
      }
      // A place that serves the next quantile better is left to it, so that one big group does not
      // push every later boundary out of its place.
      double following = (double) total * (i + 1) / regions;
      boolean nearerToNext =
          i + 1 < regions
              && Math.abs(weightsBelow.get(place) - following)
                  < Math.abs(weightsBelow.get(place) - target);
      if (!nearerToNext) {
        chosen.add(keys.get(place));
        next = place + 1;
      }
    }
    return chosen;
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
