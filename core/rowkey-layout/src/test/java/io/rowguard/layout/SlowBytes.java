package io.rowguard.layout;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Byte arithmetic for the slow second implementation: everything copies, nothing is clever. */
final class SlowBytes {
  private SlowBytes() {}

  /** Index of the first occurrence of {@code part} in {@code whole}, or -1. */
  static int indexOf(byte[] whole, byte[] part) {
    for (int i = 0; i + part.length <= whole.length; i++) {
      if (Arrays.equals(whole, i, i + part.length, part, 0, part.length)) {
        return i;
      }
    }
    return -1;
  }

  static boolean startsWith(byte[] whole, byte[] part) {
    return whole.length >= part.length && Arrays.equals(first(whole, part.length), part);
  }

  static byte[] first(byte[] b, int length) {
    return Arrays.copyOfRange(b, 0, length);
  }

  static byte[] from(byte[] b, int start) {
    return Arrays.copyOfRange(b, start, b.length);
  }

  static byte[] concat(byte[]... pieces) {
    return concat(Arrays.asList(pieces));
  }

  static byte[] concat(List<byte[]> pieces) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] piece : pieces) {
      out.writeBytes(piece);
    }
    return out.toByteArray();
  }

  static byte[] append(byte[] b, int oneByte) {
    byte[] longer = Arrays.copyOf(b, b.length + 1);
    longer[b.length] = (byte) oneByte;
    return longer;
  }

  static byte[] backToFront(byte[] b) {
    byte[] turned = new byte[b.length];
    for (int i = 0; i < b.length; i++) {
      turned[i] = b[b.length - 1 - i];
    }
    return turned;
  }

  static byte[] bitsTurned(byte[] b) {
    byte[] turned = new byte[b.length];
    for (int i = 0; i < b.length; i++) {
      turned[i] = (byte) (0xFF - (b[i] & 0xFF));
    }
    return turned;
  }

  /** Unsigned order, a prefix before its extensions: the order of rows in HBase. */
  static int compare(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b);
  }

  static byte[] hex(String digits) {
    byte[] bytes = new byte[digits.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }

  static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append(String.format(Locale.ROOT, "%02x", b & 0xFF));
    }
    return text.toString();
  }

  /** Printable ASCII except the backslash stands for itself, {@code \xHH} for every other byte. */
  static String show(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      if (b >= 0x20 && b < 0x7F && b != '\\') {
        text.append((char) b);
      } else {
        text.append(String.format(Locale.ROOT, "\\x%02X", b & 0xFF));
      }
    }
    return text.toString();
  }

  /** The inverse of {@link #show}. */
  static byte[] unshow(String text) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        out.write(Integer.parseInt(text.substring(i + 2, i + 4), 16));
        i += 3;
      } else {
        out.write(text.charAt(i));
      }
    }
    return out.toByteArray();
  }
}
