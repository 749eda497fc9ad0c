package io.rowguard.config;

import org.apache.hadoop.hbase.client.Attributes;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The version of a table's layouts that a request was planned with, as an attribute of the request.
 * Requests without one are raw: they see the rows as they are stored. SaltedTable names it in every
 * request, as part of a {@link LayoutStamp}.
 */
public final class LayoutVersion {
  /**
   * The attribute of a Get, Scan or mutation that begins with the version, eight bytes; the rest is
   * {@link LayoutStamp}'s.
   */
  public static final String ATTRIBUTE = "rowguard.v";

  private LayoutVersion() {}

  /** Has a request name the version that it is planned with. */
  public static void set(Attributes request, long version) {
    request.setAttribute(ATTRIBUTE, Bytes.toBytes(version));
  }

  /** The version that a request names, or -1 where it names none. */
  public static long of(Attributes request) {
    return of(request.getAttribute(ATTRIBUTE));
  }

  /** The same of the attribute's value, which may be null. */
  static long of(byte[] value) {
    return value == null || value.length < Long.BYTES ? -1 : Bytes.toLong(value);
  }
}
