package io.rowguard.config;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Attributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Identifies what a table declares of its layouts: their version and a digest of each. A client
 * puts it on every request; a region compares it with its own. Requests without one are raw: they
 * see the rows as they are stored. Immutable and thread-safe.
 *
 * <p>Versions alone repeat: a table that is dropped and made anew, or restored, begins to count
 * again. A digest alone does not say how far a change of the layout is. Both are in one positive
 * number: from its highest bit, 0100, the version's lowest 16 bits, and 22 bits each of the digest
 * of the layout and, while it changes, of that of the previous one. A digest of 0 stands for none.
 *
 * <p>The number is an attribute of the request, or the timestamp of a Put. That travels with every
 * Put, and HBase reads it no more once the Put has cells, of which each has its own; an attribute
 * takes a tenth of a Put's throughput and more. But other coprocessors may give it to cells that
 * they add to a Put. So regions {@linkplain #free free} it in their first hook, and clients use it
 * where {@link TableConfig#isObservedFirst} says that no other coprocessor has one before.
 */
public final class LayoutStamp {
  /** The attribute by which requests name a stamp: eight bytes. */
  private static final String ATTRIBUTE = "rowguard.v";

  private static final long MARK = 0x4L << 60;
  private static final int VERSION_SHIFT = 44;
  private static final int DIGEST_BITS = 22;
  private static final long DIGEST = (1L << DIGEST_BITS) - 1;

  /** No stamp. */
  private static final long RAW = -1;

  /** Of another release, which no region takes. */
  private static final long UNKNOWN = 0;

  /** Reads the stamp of what is stored for the table now. */
  public interface Stored {
    /** The stamp of the descriptor that is stored. */
    LayoutStamp read() throws IOException;
  }

  private final long version;

  /** Without digests where the configuration is wrong or declares no layout. */
  private final long number;

  private final boolean isPutsTimestamp;

  private LayoutStamp(long version, long digests, boolean isPutsTimestamp) {
    this.version = version;
    this.number = MARK | ((version & 0xffff) << VERSION_SHIFT) | digests;
    this.isPutsTimestamp = isPutsTimestamp;
  }

  /** The stamp of a table. */
  public static LayoutStamp of(TableConfig table) {
    long digests = 0;
    if (table.layout() != null) {
      Relayout relayout = table.relayout();
      long previous = relayout == null ? 0 : digest(relayout.change().from());
      digests = (digest(table.layout()) << DIGEST_BITS) | previous;
    }
    return new LayoutStamp(table.layoutVersion(), digests, table.isObservedFirst());
  }

  /** The stamp of a version whose layouts are not known. */
  public static LayoutStamp ofVersion(long version) {
    return new LayoutStamp(version, 0, true);
  }

  /** The first bits of the SHA-256 of a layout's canonical text; never 0. */
  private static long digest(RowkeyLayout layout) {
    try {
      byte[] text = layout.toString().getBytes(StandardCharsets.UTF_8);
      int first = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text)).getInt();
      return Math.max(1, first >>> (Integer.SIZE - DIGEST_BITS));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256.", e);
    }
  }

  /** The version of the layouts. */
  public long version() {
    return version;
  }

  private static long layout(long number) {
    return (number >> DIGEST_BITS) & DIGEST;
  }

  private static long previous(long number) {
    return number & DIGEST;
  }

  private static boolean isStamp(long number) {
    return number >> 60 == MARK >> 60;
  }

  /** Has a request name this stamp. A Put has all its cells by then. */
  public void mark(Attributes request) {
    if (isPutsTimestamp && request instanceof Put) {
      ((Put) request).setTimestamp(number);
    } else {
      request.setAttribute(ATTRIBUTE, Bytes.toBytes(number));
    }
  }

  /** Whether a request names this stamp. */
  public boolean isNamedBy(Attributes request) {
    return named(request) == number;
  }

  /** Has a request name no stamp. */
  public static void clear(Attributes request) {
    if (isInTimestamp(request)) {
      ((Put) request).setTimestamp(HConstants.LATEST_TIMESTAMP);
    }
    request.setAttribute(ATTRIBUTE, null);
  }

  /**
   * Has a Put name its stamp by the attribute, so that its timestamp is free before other
   * coprocessors see it.
   */
  public static void free(Attributes request) {
    if (isInTimestamp(request)) {
      Put put = (Put) request;
      put.setAttribute(ATTRIBUTE, Bytes.toBytes(put.getTimestamp()));
      put.setTimestamp(HConstants.LATEST_TIMESTAMP);
    }
  }

  /**
   * Frees the timestamp of a Put that the region of this stamp has taken. The Put goes on to name
   * its stamp where the region asks once more: during a change of the layout, or when the stamp is
   * another one.
   */
  public void settle(Attributes request) {
    if (isInTimestamp(request)) {
      Put put = (Put) request;
      if (previous(number) != 0 || put.getTimestamp() != number) {
        put.setAttribute(ATTRIBUTE, Bytes.toBytes(put.getTimestamp()));
      }
      put.setTimestamp(HConstants.LATEST_TIMESTAMP);
    }
  }

  /** Whether a request names no stamp. */
  public static boolean isRaw(Attributes request) {
    return named(request) == RAW;
  }

  /**
   * How many versions a request is ahead of another one: negative where it is behind, 0 where it is
   * raw. Right as long as they are no more than 32,767 apart.
   */
  public static int ahead(Attributes request, long version) {
    long named = named(request);
    return named == RAW ? 0 : ahead(named, version);
  }

  private static int ahead(long number, long version) {
    return (short) ((number >> VERSION_SHIFT) - version);
  }

  /**
   * Whether a mutation in a protocol buffer may name a stamp.
   *
   * @param timestamp its own
   */
  public static boolean mayBeNamedBy(long timestamp, boolean hasAttributes) {
    return hasAttributes || isStamp(timestamp);
  }

  /** A user's own timestamp is that of the Put's first cell, too. */
  private static boolean isInTimestamp(Attributes request) {
    if (!(request instanceof Put) || !isStamp(((Put) request).getTimestamp())) {
      return false;
    }
    Put put = (Put) request;
    for (List<Cell> cells : put.getFamilyCellMap().values()) {
      if (!cells.isEmpty()) {
        return cells.get(0).getTimestamp() != put.getTimestamp();
      }
    }
    return false;
  }

  private static long named(Attributes request) {
    if (isInTimestamp(request)) {
      return ((Put) request).getTimestamp();
    }
    byte[] value = request.getAttribute(ATTRIBUTE);
    if (value == null) {
      return RAW;
    }
    long number = value.length == Long.BYTES ? Bytes.toLong(value) : UNKNOWN;
    return isStamp(number) ? number : UNKNOWN;
  }

  /**
   * Whether a region takes a request. It takes raw ones, which name no version, and those of its
   * own stamp. Of the next version, since it may not have reopened yet, it takes what is stored for
   * the table. Of the version before it takes what knows the only layout that its rows have: then
   * nothing has to be known of what came since. Where either names no digest the version decides.
   *
   * @param region the stamp of what the region has opened with
   * @param stored is asked for requests of the next version only
   */
  public static boolean isTaken(Attributes request, LayoutStamp region, Stored stored)
      throws IOException {
    long named = named(request);
    if (named == RAW || named == region.number) {
      return true;
    }
    if (named == UNKNOWN) {
      return false;
    }
    boolean isVersionOnly = layout(named) == 0 || layout(region.number) == 0;
    int ahead = ahead(named, region.version);
    if (ahead == 0) {
      return isVersionOnly;
    }
    if (ahead == 1) {
      return isVersionOnly || named == stored.read().number;
    }
    long only = layout(region.number);
    return ahead == -1
        && previous(region.number) == 0
        && (isVersionOnly || layout(named) == only || previous(named) == only);
  }

  /** Whether another stamp says the same, and Puts name it in the same way. */
  @Override
  public boolean equals(Object other) {
    return other instanceof LayoutStamp
        && ((LayoutStamp) other).number == number
        && ((LayoutStamp) other).isPutsTimestamp == isPutsTimestamp;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }

  /** For messages. */
  @Override
  public String toString() {
    return String.format(
        "version=%d layout=%06x previous=%06x", version, layout(number), previous(number));
  }
}
