package io.rowguard.master;

import io.rowguard.layout.RowText;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.TableName;

/** How messages write what they name. */
final class MessageText {
  private MessageText() {}

  /** {@code table=orders rule=split_illegal}, with which the pairs of every message begin. */
  static String where(TableName table, Rule rule) {
    return "table=" + table.getNameAsString() + " rule=" + rule.code();
  }

  /** A key as the HBase shell takes it, in quotes. */
  static String key(byte[] key) {
    return '"' + RowText.abbreviated(key) + '"';
  }

  /** A key in quotes, or {@code none}. */
  static String keyOrNone(byte[] key) {
    return key == null ? "none" : key(key);
  }

  /** A text that somebody gave, in one line and not a long one, in quotes; or {@code none}. */
  static String text(String text) {
    return text == null ? "none" : key(text.getBytes(StandardCharsets.UTF_8));
  }
}
