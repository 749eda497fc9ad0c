package io.rowguard.config;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import org.apache.hadoop.hbase.client.Attributes;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Identifies what a table declares of its layouts: their version and a digest of each. A client
 * puts it on every request; a region compares it with its own. Immutable and thread-safe.
 *
 * <p>Versions alone repeat: a table that is dropped and made anew, or restored, begins to count
 * again. A digest alone does not say how far a change of the layout is. Both are in {@link
 * LayoutVersion#ATTRIBUTE}: the version and, eight bytes each, the digest of the layout and, while
 * it changes, that of the previous one. One attribute for both, since each costs a mutation more
 * than its check does.
 */
public final class LayoutStamp {
  /** Reads the stamp of what is stored for the table now. */
  public interface Stored {
    /** The stamp of the descriptor that is stored. */
    LayoutStamp read() throws IOException;
  }

  private final long version;
  private final boolean changing;

  /** As it travels; the version alone where the configuration is wrong or declares no layout. */
  private final byte[] bytes;

  /** The one attribute of {@link #mark}. */
  private final Map<String, byte[]> attributes;

  private LayoutStamp(long version, RowkeyLayout layout, RowkeyLayout previous) {
    this.version = version;
    this.changing = previous != null;
    byte[] own = Bytes.toBytes(version);
    this.bytes =
        layout == null
            ? own
            : Bytes.add(own, changing ? digests(layout, previous) : digests(layout));
    this.attributes = Collections.singletonMap(LayoutVersion.ATTRIBUTE, bytes);
  }

  /** The stamp of a table. */
  public static LayoutStamp of(TableConfig table) {
    Relayout relayout = table.relayout();
    return new LayoutStamp(
        table.layoutVersion(), table.layout(), relayout == null ? null : relayout.change().from());
  }

  /** The first eight bytes of the SHA-256 of each layout's canonical text. */
  private static byte[] digests(RowkeyLayout... layouts) {
    ByteBuffer digests = ByteBuffer.allocate(Long.BYTES * layouts.length);
    for (RowkeyLayout layout : layouts) {
      try {
        byte[] text = layout.toString().getBytes(StandardCharsets.UTF_8);
        digests.put(MessageDigest.getInstance("SHA-256").digest(text), 0, Long.BYTES);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("Every Java platform has SHA-256.", e);
      }
    }
    return digests.array();
  }

  /** The version of the layouts. */
  public long version() {
    return version;
  }

  /** Has a request name this stamp. */
  public void mark(Attributes request) {
    attributes.forEach(request::setAttribute);
  }

  /** The attributes of {@link #mark}, unmodifiable: for requests that share them. */
  public Map<String, byte[]> attributes() {
    return attributes;
  }

  /** Whether a request names this stamp. */
  public boolean isNamedBy(Attributes request) {
    return Arrays.equals(bytes, request.getAttribute(LayoutVersion.ATTRIBUTE));
  }

  /** Has a request name no stamp. */
  public static void clear(Attributes request) {
    request.setAttribute(LayoutVersion.ATTRIBUTE, null);
  }

  /**
   * Whether a region takes a request. It takes raw ones, which name no version, and those of its
   * own stamp. Of the next version, since it may not have reopened yet, it takes what is stored for
   * the table. Of the version before it takes what knows the only layout that its rows have: then
   * nothing has to be known of what came since. Allocates nothing.
   *
   * @param region the stamp of what the region has opened with
   * @param stored is asked for requests of the next version only
   */
  public static boolean isTaken(Attributes request, LayoutStamp region, Stored stored)
      throws IOException {
    byte[] planned = request.getAttribute(LayoutVersion.ATTRIBUTE);
    long named = LayoutVersion.of(planned);
    if (named < 0) {
      return true;
    }
    boolean isVersionOnly = planned.length == Long.BYTES || region.bytes.length == Long.BYTES;
    if (named == region.version) {
      return isVersionOnly || Arrays.equals(planned, region.bytes);
    }
    if (named == region.version + 1) {
      return isVersionOnly || Arrays.equals(planned, stored.read().bytes);
    }
    return named == region.version - 1
        && !region.changing
        && (isVersionOnly || isAmong(region.bytes, planned));
  }

  /** Whether the one digest of a stamp is among those of another. */
  private static boolean isAmong(byte[] stamp, byte[] others) {
    for (int at = Long.BYTES; at + Long.BYTES <= others.length; at += Long.BYTES) {
      if (Bytes.equals(others, at, Long.BYTES, stamp, Long.BYTES, Long.BYTES)) {
        return true;
      }
    }
    return false;
  }

  /** Whether another stamp says the same. */
  @Override
  public boolean equals(Object other) {
    return other instanceof LayoutStamp && Arrays.equals(((LayoutStamp) other).bytes, bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** For messages. */
  @Override
  public String toString() {
    String layouts = Bytes.toHex(bytes, Long.BYTES, bytes.length - Long.BYTES);
    return "version=" + version + " layouts=" + (layouts.isEmpty() ? "none" : layouts);
  }
}
