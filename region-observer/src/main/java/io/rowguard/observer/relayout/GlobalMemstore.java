package io.rowguard.observer.relayout;

import org.apache.hadoop.hbase.regionserver.OnlineRegions;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/**
 * HBase's bound of what the memstores of a server hold together. HBase holds up the writes that
 * come as requests ({@code RSRpcServices}, {@code MemStoreFlusher.reclaimMemStoreMemory}); a pull
 * writes by itself and on behalf of Gets, so it asks here. Thread-safe.
 */
public final class GlobalMemstore {
  /** Null where a region is open without a server. */
  private final RegionServerServices server;

  private GlobalMemstore(RegionServerServices server) {
    this.server = server;
  }

  /**
   * The bound of a server; none where a region is open without one.
   *
   * @param server as a coprocessor knows it, which HBase 2.5 to 3.0 hand out whole
   */
  public static GlobalMemstore of(OnlineRegions server) {
    return new GlobalMemstore(
        server instanceof RegionServerServices ? (RegionServerServices) server : null);
  }

  /** Why nothing is moved here now, a sentence; null below the bound. */
  public String obstacle() {
    if (server == null) {
      return null;
    }
    // The type is not public; its name is all that is needed.
    Object mark = server.getRegionServerAccounting().isAboveHighWaterMark();
    return mark.toString().equals("NORMAL")
        ? null
        : "The global memstore of a server is full, try again when HBase has flushed some of it."
            + " server="
            + server.getServerName();
  }
}
