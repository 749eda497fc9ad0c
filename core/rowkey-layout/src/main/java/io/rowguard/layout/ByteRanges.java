package io.rowguard.layout;

import java.util.Arrays;

/**
 * Comparing and searching byte ranges, in HBase's unsigned order. Allocates nothing but results.
 */
final class ByteRanges {
  private ByteRanges() {}

  /** Whether {@code [from, to)} begins with all of {@code prefix}. */
  static boolean startsWith(byte[] bytes, int from, int to, byte[] prefix) {
    if (to - from < prefix.length) {
      return false;
    }
    for (int i = 0; i < prefix.length; i++) {
      if (bytes[from + i] != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  /** Whether {@code bytes} begins with all of {@code prefix}. */
  static boolean startsWith(byte[] bytes, byte[] prefix) {
    return startsWith(bytes, 0, bytes.length, prefix);
  }

  /**
   * The position at which {@code wanted} first stands completely inside {@code [from, to)}, or -1.
   */
  static int indexOf(byte[] bytes, int from, int to, byte[] wanted) {
    byte first = wanted[0];
    int last = to - wanted.length;
    for (int i = from; i <= last; i++) {
      if (bytes[i] == first && startsWith(bytes, i, to, wanted)) {
        return i;
      }
    }
    return -1;
  }

  /** Compares as HBase orders rows: unsigned bytes, a prefix before what it begins. */
  static int compare(byte[] a, byte[] b) {
    int common = commonPrefix(a, b);
    if (common < a.length && common < b.length) {
      return (a[common] & 0xff) - (b[common] & 0xff);
    }
    return a.length - b.length;
  }

  /** How many bytes two arrays have in common at their beginning. */
  static int commonPrefix(byte[] a, byte[] b) {
    int shorter = Math.min(a.length, b.length);
    int i = 0;
    while (i < shorter && a[i] == b[i]) {
      i++;
    }
    return i;
  }

  /** The next key in the order of keys. */
  static byte[] next(byte[] key) {
    return Arrays.copyOf(key, key.length + 1);
  }

  /** The smallest key above all that begin with {@code prefix}; empty when there is none. */
  static byte[] successorOfPrefix(byte[] prefix) {
    byte[] above = prefix.clone();
    for (int i = above.length - 1; i >= 0; i--) {
      if (above[i] != (byte) 0xff) {
        above[i]++;
        return Arrays.copyOf(above, i + 1);
      }
    }
    return new byte[0];
  }
}
