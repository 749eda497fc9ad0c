package io.rowguard.observer.load;

import java.util.List;

/**
 * The rows that a region's operations go to, for JMX: under {@code Rowguard:type=Load} with the
 * server, the table and the region. Counted are one in {@link #getSample} of the rows that are read
 * and written, each half after {@link #getHalfLifeSeconds}; rates are what that comes to. It begins
 * anew when the region is opened, and what is read is at most five seconds old.
 */
public interface RegionLoadMXBean {
  /** The table, as {@code namespace:table}, without the namespace where that is the default one. */
  String getTable();

  /** The region's encoded name. */
  String getRegion();

  /** The region's start key, as HBase's shell writes it. */
  String getStartKey();

  /** The region's end key, likewise. */
  String getEndKey();

  /** Since when it counts, in milliseconds of the epoch. */
  long getSince();

  /** The number of operations of which one is counted. */
  int getSample();

  /** After so long an operation counts half. */
  int getHalfLifeSeconds();

  /** Rows of Gets, found or not, and rows that scans gave. */
  double getReadsPerSecond();

  /** Rows that were written. */
  double getWritesPerSecond();

  /**
   * The part of all these that was not counted, as two came at once: a key may have so much more.
   */
  double getLostPerSecond();

  /** The verdict on the load, in one or two words: {@link io.rowguard.load.LoadVerdict}. */
  String getVerdict();

  /** Advice to the operator. */
  String getAdvice();

  /** The input of the salt that most rows have, where that is the verdict; else null. */
  String getRepeats();

  /** The key that divides the load best; null where there is none, or keys are hidden. */
  String getBoundary();

  /** The share of the load on the smaller side of that key, 0 to 0.5. */
  double getSmallerSide();

  /** Above so many operations a second the region is split by its load; 0 for never. */
  int getSplitLoad();

  /**
   * Whether it is split by its load, and why not: {@link io.rowguard.load.LoadSplitAnswer}. Null
   * where it never is, or has not been looked at.
   */
  String getSplitAnswer();

  /**
   * The hottest entity groups, the hottest first: the ten of the most operations, the ten of the
   * most reads and the ten of the most writes, each once.
   */
  List<HotKey> getGroups();

  /** The hottest rows, likewise. */
  List<HotKey> getRows();
}
