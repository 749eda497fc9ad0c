package io.rowguard.observer.relayout;

import java.io.IOException;
import org.apache.hadoop.hbase.regionserver.HRegion;

/**
 * The edits that responses with cells leave in a region's log, for tests of what becomes of them.
 */
public final class Fences {
  private Fences() {}

  /** Leaves it there. */
  public static void pass(HRegion region) throws IOException {
    LogFence.pass(region);
  }
}
