package io.rowguard.tools.relayout;

import java.util.List;

/**
 * Figures of the whole table, from the regions that were looked into. A pure function.
 *
 * @param rows how many rows the table may have
 * @param moving how many of them may move
 * @param movingError how far off that may be: what the sizes leave open, which are in whole
 *     mebibytes, and half the width of an interval that holds the true number 19 times out of 20
 * @param bytes what the rows take, as cells
 * @param movingBytes what those take that may move
 */
record MoveFigures(long rows, long moving, long movingError, long bytes, long movingBytes) {
  private static final double TWO_SIDED_95 = 1.96;

  /**
   * Sums up.
   *
   * @param regions how many regions the table has
   * @param seen those that were looked into
   */
  static MoveFigures of(int regions, List<SeenRegion> seen) {
    double toAll = seen.isEmpty() ? 1 : (double) regions / seen.size();
    double rows = 0;
    double moving = 0;
    double bytes = 0;
    double movingBytes = 0;
    double within = 0;
    double ofSizes = 0;
    for (SeenRegion region : seen) {
      rows += region.scale() * region.rows();
      moving += region.scale() * region.moving();
      bytes += region.scale() * region.bytes();
      movingBytes += region.scale() * region.movingBytes();
      within += varianceWithin(region);
      ofSizes += region.scaleError() * region.moving();
    }
    double deviation = Math.sqrt(toAll * within + varianceBetween(seen, moving, regions));
    return new MoveFigures(
        Math.round(toAll * rows),
        Math.round(toAll * moving),
        (long) Math.ceil(toAll * ofSizes + TWO_SIDED_95 * deviation),
        Math.round(toAll * bytes),
        Math.round(toAll * movingBytes));
  }

  /**
   * The variance of the moving rows of a region of which only a share was looked at: that of a
   * proportion.
   */
  private static double varianceWithin(SeenRegion region) {
    if (region.isCounted() || region.rows() == 0) {
      return 0;
    }
    double share = (double) region.moving() / region.rows();
    double all = region.scale() * region.rows();
    return all * all * share * (1 - share) / region.rows();
  }

  /**
   * The variance of the sum over all regions, when some were drawn: Cochran, Sampling Techniques,
   * 2.
   */
  private static double varianceBetween(List<SeenRegion> seen, double moving, int regions) {
    int drawn = seen.size();
    if (drawn < 2 || drawn == regions) {
      return 0;
    }
    double mean = moving / drawn;
    double squares = 0;
    for (SeenRegion region : seen) {
      double difference = region.scale() * region.moving() - mean;
      squares += difference * difference;
    }
    double variance = squares / (drawn - 1);
    return (double) regions * regions * (1 - (double) drawn / regions) * variance / drawn;
  }
}
