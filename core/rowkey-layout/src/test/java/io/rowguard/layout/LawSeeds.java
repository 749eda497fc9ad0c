package io.rowguard.layout;

import java.util.stream.LongStream;

/**
 * The seeds of random laws: a fifth of them, since each law has hundreds of layouts for a seed; all
 * with {@code -Drowguard.matrix=whole}, as CI runs them on one version of HBase.
 */
final class LawSeeds {
  private static final int PART = 5;

  private LawSeeds() {}

  /** The seeds from the first to the last, inclusive, or the first fifth of them. */
  static LongStream of(long first, long last) {
    long all = last - first + 1;
    boolean isWhole = System.getProperty("rowguard.matrix", "").equals("whole");
    return LongStream.range(first, first + (isWhole ? all : (all + PART - 1) / PART));
  }
}
