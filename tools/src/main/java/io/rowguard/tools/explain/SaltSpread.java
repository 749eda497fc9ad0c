package io.rowguard.tools.explain;

import io.rowguard.layout.NumberedRows;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
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
 * @param fullest the rows of the fullest bucket, as a multiple of the mean
 * @param empty how many buckets get none
 */
record SaltSpread(String varied, double fullest, int empty) {
  /** How many rows are made. */
  static final int ROWS = 10_000;

  /**
   * The spread over the input segment whose counting up the salt spreads worst; null when none has
   * room for so many values, or for several of them in each bucket.
   */
  static SaltSpread worst(RowkeyLayout layout, Segment salt) {
    SaltSpread worst = null;
    for (Segment segment : layout.segments()) {
      boolean isInput =
          salt.derivation().isOverBareKey() || salt.derivation().inputs().contains(segment.name());
      boolean isEnough =
          !segment.isDerived()
              && NumberedRows.largest(segment) >= ROWS
              && salt.derivation().buckets() * 10L <= ROWS;
      if (isInput && isEnough) {
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
    String derivation = salt.derivation().toString();
    String hash = salt.derivation().hash().text();
    String text = layout.toString().replace("=" + derivation, "=" + derivation.replace(hash, "murmur3"));
    RowkeyLayout other = RowkeyLayout.parse(text);
    return measure(other, other.segment(salt.name()), varied);
  }

  private static SaltSpread measure(RowkeyLayout layout, Segment salt, String varied) {
    NumberedRows rows;
    try {
      rows = NumberedRows.of(layout);
    } catch (IllegalArgumentException e) {
      // A text that ends with a digit: there is nothing to measure with.
      return null;
    }
    List<Segment> segments = rows.segments();
    long[] numbers = new long[segments.size()];
    int counting = segments.indexOf(layout.segment(varied));
    Map<String, Integer> counts = new HashMap<>();
    for (int i = 0; i < ROWS; i++) {
      numbers[counting] = i;
      byte[] row = rows.row(numbers);
      int[] range = layout.segmentRange(salt.name(), row);
      byte[] bucket = Arrays.copyOfRange(row, range[0], range[1]);
      counts.merge(new String(bucket, StandardCharsets.ISO_8859_1), 1, Integer::sum);
    }
    int buckets = salt.derivation().buckets();
    int most = counts.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
    return new SaltSpread(varied, (double) most * buckets / ROWS, buckets - counts.size());
  }
}
