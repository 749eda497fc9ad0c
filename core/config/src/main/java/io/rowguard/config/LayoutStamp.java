package io.rowguard.config;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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
 * number: from its highest bit, 0100, the version in 16 bits, and 22 bits each of the digest of the
 * layout and, while it changes, of that of the previous one. A digest of 0 stands for none.
 *
 * <p>The number is an {@link #ATTRIBUTE} of the request, or the timestamp of a Put. That travels
 * with every Put, and says nothing any more once the Put has cells, of which each has a timestamp
 * of its own; an attribute takes a tenth of a Put's throughput and more. Timestamps of a user's own
 * are no stamps: in nanoseconds, up from 0 or down from {@link Long#MAX_VALUE}, they begin with
 * 0100 from the year 2079 on.
 */
public final class LayoutStamp {
  /** The attribute by which requests other than a Put name a stamp: eight bytes. */
  private static final String ATTRIBUTE = "rowguard.v";

  /** The highest version of a table's layouts. */
  static final long MOST_VERSION = 0xffff;

  private static final long MARK = 0x4L << 60;
  private static final int VERSION_SHIFT = 44;
  private static final int DIGEST_BITS = 22;
  private static final long DIGEST = (1L << DIGEST_BITS) - 1;

  /** Less than any stamp. */
  private static final long RAW = -1;

  /** Of another release, which no region takes. */
  private static final long UNKNOWN = 0;

  /** Reads the stamp of what is stored for the table now. */
  public interface Stored {
    /** The stamp of the descriptor that is stored. */
    LayoutStamp read() throws IOException;
  }

  /** Without digests where the configuration is wrong or declares no layout. */
  private final long number;

  private LayoutStamp(long number) {
    this.number = number;
  }

  /** The stamp of a table. */
  public static LayoutStamp of(TableConfig table) {
    long version = ofVersion(table.layoutVersion()).number;
    if (table.layout() == null) {
      return new LayoutStamp(version);
    }
    Relayout relayout = table.relayout();
    long previous = relayout == null ? 0 : digest(relayout.change().from());
    return new LayoutStamp(version | (digest(table.layout()) << DIGEST_BITS) | previous);
  }

  /** The stamp of a version whose layouts are not known. */
  public static LayoutStamp ofVersion(long version) {
    if (version < 0 || version > MOST_VERSION) {
      throw new IllegalArgumentException("no version of layouts: " + version);
    }
    return new LayoutStamp(MARK | (version << VERSION_SHIFT));
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
    return version(number);
  }

  private static long version(long number) {
    return (number >> VERSION_SHIFT) & MOST_VERSION;
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

  /** Has a request name this stamp. A Put has its cells by then. */
  public void mark(Attributes request) {
    if (request instanceof Put) {
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
    if (request instanceof Put) {
      ((Put) request).setTimestamp(HConstants.LATEST_TIMESTAMP);
    } else {
      request.setAttribute(ATTRIBUTE, null);
    }
  }

  /** The version that a request names, or -1 where it names none. */
  public static long versionOf(Attributes request) {
    long named = named(request);
    return named == RAW ? -1 : version(named);
  }

  private static long named(Attributes request) {
    if (request instanceof Put) {
      long timestamp = ((Put) request).getTimestamp();
      return isStamp(timestamp) ? timestamp : RAW;
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
   * Allocates nothing.
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
    long ahead = version(named) - region.version();
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

  /** Whether another stamp says the same. */
  @Override
  public boolean equals(Object other) {
    return other instanceof LayoutStamp && ((LayoutStamp) other).number == number;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }

  /** For messages. */
  @Override
  public String toString() {
    return String.format(
        "version=%d layout=%06x previous=%06x", version(), layout(number), previous(number));
  }
}
