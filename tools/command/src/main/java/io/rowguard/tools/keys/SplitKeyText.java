package io.rowguard.tools.keys;

import io.rowguard.layout.RowText;

/**
 * A key as it is written into a SPLITS_FILE, a file of keys, and a statement of the HBase shell: as
 * {@link RowText#toStringBinary(byte[])}, and blanks escaped too, since one would not be seen at
 * the end of a line. The shell reads both with {@code Bytes.toBytesBinary} ({@code admin.rb},
 * {@code create}).
 */
public final class SplitKeyText {
  private SplitKeyText() {}

  public static String of(byte[] key) {
    return RowText.toStringBinary(key).replace(" ", "\\x20");
  }
}
