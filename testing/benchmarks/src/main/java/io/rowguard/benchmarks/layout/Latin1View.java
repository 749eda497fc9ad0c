package io.rowguard.benchmarks.layout;

import java.nio.charset.StandardCharsets;

/** A byte array as characters, one per byte, without a copy; it can be turned to another array. */
final class Latin1View implements CharSequence {
  private byte[] bytes = {};

  /** This view, of other bytes. */
  Latin1View of(byte[] others) {
    bytes = others;
    return this;
  }

  @Override
  public int length() {
    return bytes.length;
  }

  @Override
  public char charAt(int index) {
    return (char) (bytes[index] & 0xff);
  }

  @Override
  public CharSequence subSequence(int start, int end) {
    return toString().substring(start, end);
  }

  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
