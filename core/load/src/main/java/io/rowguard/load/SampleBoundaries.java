package io.rowguard.load;

import io.rowguard.layout.KeyRange;
import io.rowguard.layout.LegalBoundaries;
import io.rowguard.layout.RowOrder;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * The legal boundaries of which it is known on which side each row of a sample lies. Of a long row
 * the sample has only the beginning, and a boundary that goes on with it says nothing of the rest.
 * Immutable.
 */
final class SampleBoundaries implements LegalBoundaries {
  private final LegalBoundaries legal;
  private final TreeSet<byte[]> beginnings = new TreeSet<>(RowOrder::compare);

  SampleBoundaries(LegalBoundaries legal, List<SampledRow> sample) {
    this.legal = legal;
    for (SampledRow row : sample) {
      if (!row.isWhole()) {
        beginnings.add(row.row());
      }
    }
  }

  @Override
  public byte[] floor(byte[] key) {
    byte[] boundary = legal.floor(key);
    byte[] beginning = beginningOf(boundary);
    while (beginning != null) {
      boundary = legal.floor(beginning);
      beginning = beginningOf(boundary);
    }
    return boundary;
  }

  @Override
  public byte[] ceiling(byte[] key) {
    byte[] boundary = legal.ceiling(key);
    byte[] beginning = beginningOf(boundary);
    while (beginning != null) {
      boundary = atOrAbove(KeyRange.ofPrefix(beginning).upper());
      beginning = beginningOf(boundary);
    }
    return boundary;
  }

  /** The smallest boundary at or above a key; null where the key is the end of all keys. */
  private byte[] atOrAbove(byte[] key) {
    if (key.length == 0) {
      return null;
    }
    byte[] below = legal.floor(key);
    return below != null && Arrays.equals(below, key) ? below : legal.ceiling(key);
  }

  /** The beginning of long rows that a boundary goes on with; null for none. */
  private byte[] beginningOf(byte[] boundary) {
    if (boundary == null || boundary.length <= HeavyKeys.KEPT_BYTES) {
      return null;
    }
    byte[] beginning = Arrays.copyOf(boundary, HeavyKeys.KEPT_BYTES);
    return beginnings.contains(beginning) ? beginning : null;
  }
}
