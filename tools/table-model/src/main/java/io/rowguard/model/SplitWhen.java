package io.rowguard.model;

/** When a region is split: the formulas of HBase's split policies (2.6, package regionserver). */
public enum SplitWhen {
  /** {@code ConstantSizeRegionSplitPolicy}: beyond the largest size. */
  CONSTANT {
    @Override
    long sizeToCheck(long maxFileSize, long initialSize, int regionsOnServer) {
      return maxFileSize;
    }
  },

  /**
   * {@code IncreasingToUpperBoundRegionSplitPolicy}: beyond the initial size times the cube of the
   * number of regions that the table has on the server, the largest size at most.
   */
  INCREASING {
    @Override
    long sizeToCheck(long maxFileSize, long initialSize, int regionsOnServer) {
      if (regionsOnServer == 0 || regionsOnServer > MOST_CUBED) {
        return maxFileSize;
      }
      long cube = (long) regionsOnServer * regionsOnServer * regionsOnServer;
      return Math.min(maxFileSize, initialSize * cube);
    }
  },

  /**
   * {@code SteppingSplitPolicy}, HBase's default: beyond the initial size while the table has one
   * region on the server, then beyond the largest size.
   */
  STEPPING {
    @Override
    long sizeToCheck(long maxFileSize, long initialSize, int regionsOnServer) {
      return regionsOnServer == 1 ? initialSize : maxFileSize;
    }
  },

  /** {@code DisabledRegionSplitPolicy}: never. */
  DISABLED {
    @Override
    long sizeToCheck(long maxFileSize, long initialSize, int regionsOnServer) {
      return Long.MAX_VALUE;
    }
  };

  // HBase's own limit, against an overflow.
  private static final int MOST_CUBED = 100;

  /**
   * The size in bytes beyond which (exclusive) a region is to be split.
   *
   * @param maxFileSize the region's own, with its jitter
   * @param regionsOnServer how many regions the table has on the region's server
   */
  abstract long sizeToCheck(long maxFileSize, long initialSize, int regionsOnServer);
}
