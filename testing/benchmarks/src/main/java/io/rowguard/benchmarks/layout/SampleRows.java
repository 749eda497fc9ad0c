package io.rowguard.benchmarks.layout;

import io.rowguard.layout.Literal;
import io.rowguard.layout.Part;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Segment;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Rows of one layout and one length, drawn at random; the same ones for the same seed. */
public final class SampleRows {
  private static final String TEXT = "abcdefghijklmnopqrstuvwxyz0123456789.-@";
  private static final String WORD =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
  // One row in so many has text that is not all ASCII.
  private static final int ACCENTED = 8;
  private static final byte[] ACCENT = {(byte) 0xc3, (byte) 0xa9};

  private final RowkeyLayout layout;
  private final RowkeyLayout bare;
  private final int length;
  private final Random random;

  /**
   * A source of rows.
   *
   * @param layout what the rows look like; its variable-length segments have no lengths of their
   *     own
   * @param length of each row, in bytes
   * @param seed which rows
   */
  public SampleRows(RowkeyLayout layout, int length, long seed) {
    this.layout = layout;
    this.bare = layout.bare();
    this.length = length;
    this.random = new Random(seed);
  }

  /** Rows that conform. */
  public List<byte[]> conforming(int count) {
    return IntStream.range(0, count).mapToObj(i -> conforming()).toList();
  }

  /** Rows that do not, each with one byte replaced or its end cut off. */
  public List<byte[]> refused(int count) {
    return IntStream.range(0, count).mapToObj(i -> refused()).toList();
  }

  private byte[] conforming() {
    int derived = layout.minRowLength() - bare.minRowLength();
    byte[] key = new byte[length - derived];
    boolean accented = random.nextInt(ACCENTED) == 0;
    int spare = key.length - bare.minRowLength();
    int open = (int) bare.parts().stream().filter(part -> !part.isFixedLength()).count();
    int pos = 0;
    for (Part part : bare.parts()) {
      int size = part.minLength();
      if (!part.isFixedLength()) {
        open--;
        int more = open == 0 ? spare : random.nextInt(spare + 1);
        spare -= more;
        size += more;
      }
      fill(part, key, pos, pos + size, accented);
      pos += size;
    }
    return layout.complete(key);
  }

  private void fill(Part part, byte[] key, int from, int to, boolean accented) {
    if (part instanceof Literal literal) {
      System.arraycopy(literal.bytes(), 0, key, from, to - from);
      return;
    }
    for (int i = from; i < to; i++) {
      switch (((Segment) part).type().kind()) {
        case HEX_LOWER -> key[i] = (byte) Character.forDigit(random.nextInt(16), 16);
        case DIGITS -> key[i] = (byte) ('0' + random.nextInt(10));
        case WORD -> key[i] = one(WORD);
        case MILLIS -> key[i] = (byte) random.nextInt(i == from ? 0x80 : 0x100);
        case BYTES, UINT -> key[i] = (byte) random.nextInt(0x100);
        case TEXT -> {
          if (accented && i + ACCENT.length <= to && random.nextInt(4) == 0) {
            System.arraycopy(ACCENT, 0, key, i, ACCENT.length);
            i += ACCENT.length - 1;
          } else {
            key[i] = one(TEXT);
          }
        }
        default -> throw new IllegalArgumentException("part=" + part);
      }
    }
  }

  private byte one(String alphabet) {
    return (byte) alphabet.charAt(random.nextInt(alphabet.length()));
  }

  private byte[] refused() {
    while (true) {
      byte[] row = conforming();
      int place = random.nextInt(row.length);
      if (random.nextBoolean()) {
        row = Arrays.copyOf(row, place);
      } else {
        row[place] = (byte) random.nextInt(0x100);
      }
      if (!layout.check(row).conforms()) {
        return row;
      }
    }
  }
}
