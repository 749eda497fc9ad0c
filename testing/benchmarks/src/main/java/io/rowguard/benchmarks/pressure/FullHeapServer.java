package io.rowguard.benchmarks.pressure;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.regionserver.HRegionServer;

/** A region server most of whose heap is taken by something that it never lets go. */
final class FullHeapServer {
  /** In megabytes. */
  static final String TAKEN = "rowguard.benchmark.taken";

  /** Small enough for any of G1's regions. */
  private static final int PIECE = 1 << 18;

  private static final List<byte[]> PIECES = new ArrayList<>();

  private FullHeapServer() {}

  /** Takes the memory, and goes on as HBase does. */
  public static void main(String[] args) {
    long pieces = Long.getLong(TAKEN) * (1 << 20) / PIECE;
    for (long i = 0; i < pieces; i++) {
      PIECES.add(new byte[PIECE]);
    }
    HRegionServer.main(args);
  }
}
