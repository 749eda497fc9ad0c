package io.rowguard.model;

import java.util.concurrent.TimeUnit;

/**
 * When a region is split by its load, with the defaults of {@code rowguard.split.load.*} and {@code
 * rowguard.load.halflife.seconds}. Immutable.
 *
 * @param load {@code rowguard.split.load}: operations a second
 * @param writesPerSecond how many rows are written in a second
 * @param maxRegions {@code rowguard.split.load.max.regions}: regions of the table on a server at
 *     which none is split by load
 */
public record SplitByLoad(double load, double writesPerSecond, int maxRegions) {
  static final long MINUTES_MILLIS = TimeUnit.MINUTES.toMillis(5);
  static final int HALF_LIFE_SECONDS = 60;

  private static final int MAX_REGIONS = 20;

  /** A server looks at its regions so often. */
  static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** With the most regions that a server has by default. */
  public SplitByLoad(double load, double writesPerSecond) {
    this(load, writesPerSecond, MAX_REGIONS);
  }

  /** The time in nanoseconds at which a row is written. */
  long nanos(long number) {
    return Math.round(number * (TimeUnit.SECONDS.toNanos(1) / writesPerSecond));
  }
}
