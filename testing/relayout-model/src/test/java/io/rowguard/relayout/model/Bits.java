package io.rowguard.relayout.model;

import java.util.Arrays;

/**
 * Numbers of a few bits each, packed one after the other. One method both writes and reads, so that
 * a class says once, in one order, what belongs to its state.
 */
final class Bits {
  private final byte[] written = new byte[256];
  private byte[] read;
  private boolean reading;
  private int end;
  private long window;
  private int inWindow;

  void beginWriting() {
    reading = false;
    end = 0;
    window = 0;
    inWindow = 0;
  }

  void beginReading(byte[] packed) {
    reading = true;
    read = packed;
    end = 0;
    window = 0;
    inWindow = 0;
  }

  /**
   * Writes the number and returns it, or reads one.
   *
   * @param value what is written, at least 0; of no meaning while reading
   * @param width in bits, 1 to 31
   */
  int of(int value, int width) {
    if (reading) {
      while (inWindow < width) {
        window |= (read[end++] & 0xFFL) << inWindow;
        inWindow += 8;
      }
      int number = (int) (window & ((1L << width) - 1));
      window >>>= width;
      inWindow -= width;
      return number;
    }
    if (value >>> width != 0) {
      throw new IllegalStateException(
          "The state needs more bits. value=" + value + " width=" + width);
    }
    window |= (long) value << inWindow;
    inWindow += width;
    while (inWindow >= 8) {
      written[end++] = (byte) window;
      window >>>= 8;
      inWindow -= 8;
    }
    return value;
  }

  /** The same for a constant of an enum. */
  @SuppressWarnings("EnumOrdinal") // the number is for the same constants in the same run only
  <E extends Enum<E>> E of(E value, E[] constants) {
    return constants[of(value.ordinal(), 32 - Integer.numberOfLeadingZeros(constants.length - 1))];
  }

  boolean of(boolean value) {
    return of(value ? 1 : 0, 1) == 1;
  }

  /** The same for up to 60 bits. */
  long of(long value, int width) {
    int low = of((int) (value & 0x3FFFFFFF), 30);
    int high = of((int) (value >>> 30), width - 30);
    return (long) high << 30 | low;
  }

  byte[] written() {
    if (inWindow > 0) {
      written[end++] = (byte) window;
      window = 0;
      inWindow = 0;
    }
    return Arrays.copyOf(written, end);
  }
}
