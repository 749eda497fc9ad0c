package io.rowguard.tools.audit;

import io.rowguard.layout.RowkeyLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.util.Bytes;

/** Rows of {@link #LAYOUT}, and every way not to be one. */
final class SpoiltRows {
  static final String LAYOUT =
      "{salt:digits(2)=murmur3(user)%16+murmur3(code)%4}-"
          + "{user:word(2..8)}|{code:hex(4)}{name:text(3)}/{time:millis}";
  static final int LONGEST = 40;

  private SpoiltRows() {}

  static RowkeyLayout layout() {
    return RowkeyLayout.parse(LAYOUT).withMaxRowLength(LONGEST);
  }

  /** Rows of all regions: most fit, and every way not to fit is among the others. */
  static List<byte[]> of(RowkeyLayout layout) {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      byte[] bare = Bytes.toBytes(String.format("u%02d|%04xabc/", i % 60, i));
      byte[] row = layout.complete(Bytes.add(bare, Bytes.toBytes(1_700_000_000_000L + i)));
      rows.add(row);
      if (i % 7 == 0) {
        rows.addAll(spoilt(row, i / 7));
      }
    }
    return rows;
  }

  /** The mistakes of a row: ss-uNN|hhhhabc/tttttttt. */
  private static List<byte[]> spoilt(byte[] row, int kind) {
    List<byte[]> bad = new ArrayList<>();
    int bar = 6;
    switch (kind % 15) {
      case 0 -> bad.add(Arrays.copyOf(row, row.length - 1));
      case 1 -> bad.add(Bytes.add(row, Bytes.toBytes("f")));
      case 2 -> bad.add(with(row, bar + 2, 'G'));
      case 3 -> bad.add(with(row, 1, 'x'));
      case 4 -> bad.add(with(row, 4, '.'));
      case 5 -> bad.add(with(row, bar + 6, 0xff));
      case 6 -> bad.add(with(row, row.length - 8, 0x80));
      case 7 -> bad.add(Bytes.add(Arrays.copyOf(row, 4), Arrays.copyOfRange(row, 6, row.length)));
      case 8 -> bad.add(inserted(row, 4, "longer"));
      case 9 -> bad.add(with(row, 2, '+'));
      case 10 -> bad.add(with(row, bar + 6, '/'));
      case 11 -> bad.add(with(row, 0, row[0] == '0' ? '1' : '0'));
      case 12 -> bad.add(inserted(row, 4, "x".repeat(LONGEST)));
      // Bare keys, one of them in no region where its row would be.
      case 13 -> bad.add(Arrays.copyOfRange(row, 3, row.length));
      default -> bad.add(Bytes.toBytes("zzz"));
    }
    return bad;
  }

  private static byte[] with(byte[] row, int offset, int value) {
    byte[] changed = row.clone();
    changed[offset] = (byte) value;
    return changed;
  }

  private static byte[] inserted(byte[] row, int offset, String text) {
    return Bytes.add(
        Arrays.copyOf(row, offset),
        Bytes.toBytes(text),
        Arrays.copyOfRange(row, offset, row.length));
  }
}
