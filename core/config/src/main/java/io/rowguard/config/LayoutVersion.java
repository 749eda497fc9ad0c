package io.rowguard.config;

import org.apache.hadoop.hbase.client.Attributes;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The version of a table's layouts that a request was planned with, as an attribute of the request.
 * Requests without one are raw: they see the rows as they are stored.
 *
 * <p>SaltedTable names it in every Get, Scan and delete, and in other mutations unless the version
 * is 0: who has missed the first change is told by the refusal of the row.
 */
public final class LayoutVersion {
  /** The attribute of a Get, Scan or mutation that holds the version, eight bytes. */
  public static final String ATTRIBUTE = "rowguard.v";

  private LayoutVersion() {}

  /** Has a request name the version that it is planned with. */
  public static void set(Attributes request, long version) {
    request.setAttribute(ATTRIBUTE, Bytes.toBytes(version));
  }

  /** The version that a request names, or -1 where it names none. */
  public static long of(Attributes request) {
    byte[] value = request.getAttribute(ATTRIBUTE);
    return value == null || value.length != Long.BYTES ? -1 : Bytes.toLong(value);
  }

  /**
   * Whether a region takes requests of a version: its own; the next, since it may not have reopened
   * yet; and the one before where nothing has to be known of what came then.
   *
   * @param table what the region knows of its table
   * @param version at least 0
   */
  public static boolean isTaken(TableConfig table, long version) {
    long own = table.layoutVersion();
    return version == own || version == own + 1 || (version == own - 1 && table.relayout() == null);
  }
}
