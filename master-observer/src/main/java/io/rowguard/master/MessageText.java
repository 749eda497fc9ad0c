package io.rowguard.master;

import io.rowguard.layout.RowText;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;

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

  /** A region by its keys, such as {@code [04, 08)}, for a place that is in quotes already. */
  static String range(RegionInfo region) {
    return "["
        + RowText.abbreviated(region.getStartKey())
        + ", "
        + RowText.abbreviated(region.getEndKey())
        + ")";
  }

  /** A key in quotes, or {@code none}. */
  static String keyOrNone(byte[] key) {
    return key == null ? "none" : key(key);
  }

  /** A text that was given, as {@link #plain} in quotes; or {@code none}. */
  static String text(String text) {
    return text == null ? "none" : '"' + plain(text) + '"';
  }

  /** A text from elsewhere, in one line and not a long one: the bytes of a row are no such text. */
  static String plain(String text) {
    return RowText.abbreviated(text.getBytes(StandardCharsets.UTF_8));
  }
}
