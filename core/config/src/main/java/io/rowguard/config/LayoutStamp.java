package io.rowguard.config;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.apache.hadoop.hbase.client.Attributes;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Identifies what a table declares of its layouts: their version and a digest of each. A client
 * puts it on every request; a region compares it with its own. Immutable and thread-safe.
 *
 * <p>Versions alone repeat: a table that is dropped and made anew, or restored, begins to count
 * again. A digest alone does not say how far a change of the layout is. Both travel as attributes
 * of their own, so that a server or a client whose jar knows the version only goes on as before.
 */
public final class LayoutStamp {
  /**
   * The attribute of a Get, Scan or mutation that holds the digests, eight bytes each: that of the
   * layout and, while it changes, that of the previous one.
   */
  public static final String LAYOUTS = "rowguard.l";

  /** Reads the stamp of what is stored for the table now. */
  public interface Stored {
    /** The stamp of the descriptor that is stored. */
    LayoutStamp read() throws IOException;
  }

  private final long version;
  private final boolean changing;
  private final byte[] versionBytes;

  /** Null where the configuration is wrong or declares no layout. */
  private final byte[] layouts;

  private LayoutStamp(long version, RowkeyLayout layout, RowkeyLayout previous) {
    this.version = version;
    this.versionBytes = Bytes.toBytes(version);
    this.changing = previous != null;
    this.layouts = layout == null ? null : changing ? digests(layout, previous) : digests(layout);
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
    request.setAttribute(LayoutVersion.ATTRIBUTE, versionBytes);
    if (layouts != null) {
      request.setAttribute(LAYOUTS, layouts);
    }
  }

  /** Whether a request names this stamp. */
  public boolean isNamedBy(Attributes request) {
    return Arrays.equals(versionBytes, request.getAttribute(LayoutVersion.ATTRIBUTE))
        && Arrays.equals(layouts, request.getAttribute(LAYOUTS));
  }

  /** Has a request name no stamp. */
  public static void clear(Attributes request) {
    request.setAttribute(LayoutVersion.ATTRIBUTE, null);
    request.setAttribute(LAYOUTS, null);
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
    long named = LayoutVersion.of(request);
    if (named < 0) {
      return true;
    }
    byte[] planned = request.getAttribute(LAYOUTS);
    boolean isVersionOnly = planned == null || region.layouts == null;
    if (named == region.version) {
      return isVersionOnly || Arrays.equals(planned, region.layouts);
    }
    if (named == region.version + 1) {
      return isVersionOnly || stored.read().is(named, planned);
    }
    return named == region.version - 1
        && !region.changing
        && (isVersionOnly || isAmong(region.layouts, planned));
  }

  private boolean is(long otherVersion, byte[] planned) {
    return otherVersion == version && Arrays.equals(planned, layouts);
  }

  private static boolean isAmong(byte[] digest, byte[] digests) {
    for (int at = 0; at + Long.BYTES <= digests.length; at += Long.BYTES) {
      if (Bytes.equals(digests, at, Long.BYTES, digest, 0, Long.BYTES)) {
        return true;
      }
    }
    return false;
  }

  /** Whether another stamp says the same. */
  @Override
  public boolean equals(Object other) {
    return other instanceof LayoutStamp && ((LayoutStamp) other).is(version, layouts);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(version) + Arrays.hashCode(layouts);
  }

  /** For messages. */
  @Override
  public String toString() {
    return "version=" + version + " layouts=" + (layouts == null ? "none" : Bytes.toHex(layouts));
  }
}
