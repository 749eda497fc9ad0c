package io.rowguard.tools.explain;

import io.rowguard.layout.BucketStep;
import io.rowguard.layout.Hash;
import io.rowguard.layout.Remainder;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import io.rowguard.tools.keys.NumberedRows;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How evenly a salt spreads regular ids, measured: rows are made in which one segment counts up
 * from zero and the others stay, and their salts are counted.
 *
 * @param varied the name of the segment that counts up
 * @param rows how many rows were made
 * @param fullest the rows of the fullest bucket, as a multiple of the mean
 * @param empty how many buckets get none
 */
record SaltSpread(String varied, int rows, double fullest, int empty) {
  private static final int FEWEST_ROWS = 10_000;

  // Fewer per bucket, and chance alone makes some of many buckets half as full again.
  private static final int ROWS_PER_BUCKET = 100;
  private static final int MOST_BUCKETS = 1024;

  /**
   * The spread over the input segment whose counting up the salt spreads worst; null when none has
   * enough values, or there are more than {@value #MOST_BUCKETS} buckets.
   */
  static SaltSpread worst(RowkeyLayout layout, Segment salt) {
    SaltSpread worst = null;
    if (salt.derivation().buckets() > MOST_BUCKETS) {
      return null;
    }
    for (Segment segment : layout.segments()) {
      boolean isInput =
          salt.derivation().isOverBareKey() || salt.derivation().inputs().contains(segment.name());
      boolean decides = segment.name().equals(salt.derivation().stepSegment());
      if (isInput
          && !decides
          && !segment.isDerived()
          && NumberedRows.largest(segment) >= rows(salt) - 1) {
        SaltSpread spread = measure(layout, salt, segment.name());
        if (spread != null && (worst == null || spread.fullest > worst.fullest)) {
          worst = spread;
        }
      }
    }
    return worst;
  }

  /** The spread if the salt were derived with murmur3 from the same segments. */
  static SaltSpread withMurmur3(RowkeyLayout layout, Segment salt, String varied) {
    Hash hash = salt.derivation().hash();
    Remainder way = salt.derivation().remainder();
    String derivation = salt.derivation().toString();
    String input = derivation.substring(hash.text().length());
    if (salt.derivation().isQuotient() && way == hash.remainder()) {
      // Another way would give more quotients, or fewer.
      input = input.replace("/", " " + way.text() + "/");
    }
    String text = layout.toString().replace("=" + derivation, "=murmur3" + input);
    RowkeyLayout other = RowkeyLayout.parse(text);
    return measure(other, other.segment(salt.name()), varied);
  }

  private static SaltSpread measure(RowkeyLayout layout, Segment salt, String varied) {
    NumberedRows numbered;
    try {
      numbered = NumberedRows.of(layout);
    } catch (IllegalArgumentException e) {
      // A text that ends with a digit: there is nothing to measure with.
      return null;
    }
    List<Segment> segments = numbered.segments();
    long[] numbers = new long[segments.size()];
    int counting = segments.indexOf(layout.segment(varied));
    if (salt.derivation().stepSegment() != null) {
      // As rows will be: on the last step.
      List<BucketStep> steps = salt.derivation().steps();
      BigInteger from = steps.get(steps.size() - 1).from().max(BigInteger.ZERO);
      Segment decides = layout.segment(salt.derivation().stepSegment());
      if (from.compareTo(BigInteger.valueOf(NumberedRows.largest(decides))) > 0) {
        return null;
      }
      numbers[segments.indexOf(decides)] = from.longValue();
    }
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < rows(salt); i++) {
      numbers[counting] = i;
      byte[] row = numbered.row(numbers);
      int[] range = layout.segmentRange(salt.name(), row);
      byte[] bucket = Arrays.copyOfRange(row, range[0], range[1]);
      counts.merge(new String(bucket, StandardCharsets.ISO_8859_1), 1, Integer::sum);
    }
    int buckets = salt.derivation().buckets();
    int most = counts.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
    return new SaltSpread(
        varied, rows(salt), (double) most * buckets / rows(salt), buckets - counts.size());
  }

  private static int rows(Segment salt) {
    return Math.max(FEWEST_ROWS, ROWS_PER_BUCKET * salt.derivation().buckets());
  }
}
