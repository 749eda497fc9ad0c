package io.rowguard.layout;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Renders bytes for people, as HBase does: printable ASCII stands for itself, everything else is
 * {@code \xHH}.
 *
 * <p>The output equals {@code org.apache.hadoop.hbase.util.Bytes#toStringBinary(byte[], int, int)}
 * byte for byte (a test holds it to that), so that a row in one of our messages can be pasted into
 * the HBase shell. The core cannot call HBase's own method since it depends on nothing but the JDK.
 */
public final class RowText {
  /** How many bytes of a row a message shows. */
  public static final int LONGEST_SHOWN = 100;

  private static final String HEX = "0123456789ABCDEF";

  private RowText() {}

  /** Renders {@code length} bytes from {@code offset}, all of them. */
  public static String toStringBinary(byte[] bytes, int offset, int length) {
    StringBuilder text = new StringBuilder(length + 16);
    for (int i = offset; i < offset + length; i++) {
      append(text, bytes[i] & 0xff);
    }
    return text.toString();
  }

  /** Renders all of {@code bytes}. */
  public static String toStringBinary(byte[] bytes) {
    return toStringBinary(bytes, 0, bytes.length);
  }

  /**
   * Renders the first {@link #LONGEST_SHOWN} bytes at most, with a note of the whole length where
   * something was cut.
   */
  public static String abbreviated(byte[] bytes, int offset, int length) {
    return length <= LONGEST_SHOWN
        ? toStringBinary(bytes, offset, length)
        : toStringBinary(bytes, offset, LONGEST_SHOWN) + "... (" + length + " bytes)";
  }

  /** {@link #abbreviated(byte[], int, int)} of a whole array. */
  public static String abbreviated(byte[] bytes) {
    return abbreviated(bytes, 0, bytes.length);
  }

  /**
   * The bytes that a text stands for: the inverse of {@link #toStringBinary(byte[])}.
   *
   * <p>On ASCII it gives what {@code Bytes#toBytesBinary(String)} gives, by which the HBase shell
   * reads split keys: {@code \x} and two <em>upper-case</em> hex digits are a byte, everything else
   * stands for itself. Other characters become UTF-8 (HBase cuts them to their lowest byte).
   *
   * @throws IllegalArgumentException when something else stands after {@code \x}: HBase drops the
   *     backslash then, or fails, which cannot have been meant
   */
  public static byte[] toBytesBinary(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int length = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '\\' && i + 1 < bytes.length && bytes[i + 1] == 'x') {
        int high = i + 2 < bytes.length ? HEX.indexOf(bytes[i + 2]) : -1;
        int low = i + 3 < bytes.length ? HEX.indexOf(bytes[i + 3]) : -1;
        if (high < 0 || low < 0) {
          throw new IllegalArgumentException(
              "After \\x there must be two hex digits 0-9A-F, upper-case ones; a backslash itself"
                  + " is \\x5C. text=\""
                  + text
                  + "\" offset="
                  + i);
        }
        bytes[length++] = (byte) (high << 4 | low);
        i += 3;
      } else {
        bytes[length++] = bytes[i];
      }
    }
    return Arrays.copyOf(bytes, length);
  }

  private static void append(StringBuilder text, int b) {
    if (b >= ' ' && b <= '~' && b != '\\') {
      text.append((char) b);
    } else {
      text.append("\\x").append(HEX.charAt(b >> 4)).append(HEX.charAt(b & 0xf));
    }
  }
}
