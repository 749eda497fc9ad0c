package org.apache.hadoop.hbase.regionserver;

/**
 * Keeps a store file from being closed while it is read. The counters are visible in HBase's own
 * package only; this class does nothing else.
 */
public final class StoreFileAccess {
  private StoreFileAccess() {}

  /** Until {@link #release}, a compaction that replaces the file leaves it open and in place. */
  public static void retain(HStoreFile file) {
    file.increaseRefCount();
  }

  /** Undoes one {@link #retain}. */
  public static void release(HStoreFile file) {
    file.decreaseRefCount();
  }
}
