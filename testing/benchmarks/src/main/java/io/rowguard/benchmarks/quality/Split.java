package io.rowguard.benchmarks.quality;

import io.rowguard.workload.RowRange;

/**
 * One region that was cut in two.
 *
 * @param region its rows
 * @param cut the first row of the upper daughter
 * @param bytes of all its rows
 * @param smaller the bytes of its smaller daughter
 * @param best what those would be at the best legal boundary; 0 when it had none
 */
record Split(RowRange region, int cut, long bytes, long smaller, long best) {

  static Split of(TableRows rows, RowRange region, int cut) {
    int bestCut = rows.bestCut(region);
    return new Split(
        region,
        cut,
        rows.bytes(region),
        rows.smallerSide(region, cut),
        bestCut < 0 ? 0 : rows.smallerSide(region, bestCut));
  }

  boolean leavesDaughterEmpty() {
    return cut == region.from() || cut == region.to();
  }

  /** The smaller daughter's share of the bytes against the best possible; 1 is best. */
  double quality() {
    return (double) smaller / best;
  }
}
