package io.rowguard.layout;

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

  private static void append(StringBuilder text, int b) {
    if (b >= ' ' && b <= '~' && b != '\\') {
      text.append((char) b);
    } else {
      text.append("\\x").append(HEX.charAt(b >> 4)).append(HEX.charAt(b & 0xf));
    }
  }
}
