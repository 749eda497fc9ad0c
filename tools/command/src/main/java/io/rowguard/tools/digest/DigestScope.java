package io.rowguard.tools.digest;

import io.rowguard.layout.RowText;

/**
 * The cells of a digest: only digests of one scope can be compared.
 *
 * @param from the first bare key, as text; empty for the table's first
 * @param to its end, exclusive, as text; empty for the table's end
 * @param isOfVersions of all versions, not of the newest alone
 * @param isOfTimestamps whether cells that differ by their timestamps alone differ
 */
record DigestScope(String from, String to, boolean isOfVersions, boolean isOfTimestamps) {
  byte[] fromKey() {
    return RowText.toBytesBinary(from);
  }

  byte[] toKey() {
    return RowText.toBytesBinary(to);
  }

  /** As options of the command, for a shell. */
  String options() {
    return (from.isEmpty() ? "" : " --start " + quoted(from))
        + (to.isEmpty() ? "" : " --stop " + quoted(to))
        + (isOfVersions ? " --versions" : "")
        + (isOfTimestamps ? "" : " --no-timestamps");
  }

  private static String quoted(String key) {
    return "'" + key.replace("'", "\\x27") + "'";
  }
}
