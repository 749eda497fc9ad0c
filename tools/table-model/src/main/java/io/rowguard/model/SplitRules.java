package io.rowguard.model;

import java.util.SplittableRandom;

/**
 * When a region is split. Immutable.
 *
 * @param when the policy
 * @param maxFileSize {@code hbase.hregion.max.filesize}, bytes
 * @param jitter {@code hbase.hregion.max.filesize.jitter}: by what share of the largest size
 *     regions differ at most, half of it up and half of it down
 * @param initialSize {@code hbase.increasing.policy.initial.size}, bytes
 * @param regionLimit {@code hbase.regionserver.regionSplitLimit}: a server with so many regions
 *     splits none
 */
public record SplitRules(
    SplitWhen when, long maxFileSize, double jitter, long initialSize, int regionLimit) {

  /**
   * The largest size of a new region: chosen anew for each, as {@code
   * ConstantSizeRegionSplitPolicy.configureForRegion} does.
   */
  long jittered(SplittableRandom random) {
    double rate = (random.nextDouble() - 0.5) * jitter;
    long by = (long) (maxFileSize * rate);
    return by > Long.MAX_VALUE - maxFileSize ? Long.MAX_VALUE : maxFileSize + by;
  }

  /** The size beyond which a region is to be split. */
  long sizeToCheck(long jitteredMaxFileSize, int regionsOnServer) {
    return when.sizeToCheck(jitteredMaxFileSize, initialSize, regionsOnServer);
  }
}
