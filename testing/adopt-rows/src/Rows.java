import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;

/** Prints golden rows. What a system prints by itself goes to standard error. */
final class Rows {
  /** A day of which all times are; milliseconds. */
  static final long DAY = 1_763_596_800_000L;

  private static final PrintStream OUT =
      new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);

  private Rows() {}

  /** A line: system, kind of table, its numbers, the row as HBase's shell shows it. */
  static void print(String system, String kind, String numbers, byte[] row) {
    StringBuilder text = new StringBuilder();
    for (byte each : row) {
      boolean isPlain = each >= ' ' && each < 0x7f && each != '\\';
      text.append(isPlain ? "" + (char) each : String.format("\\x%02X", each));
    }
    OUT.println(String.join("\t", system, kind, numbers, text));
  }

  /** A number of the given length, big-endian. */
  static byte[] number(long value, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (value >>> 8 * (length - 1 - i));
    }
    return bytes;
  }
}
