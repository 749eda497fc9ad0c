package io.rowguard.benchmarks.salt;

/** How all rows are read. */
enum ScanWay {
  PLAIN("unsalted table, plain scan"),
  PREFETCHING("unsalted table, scan that prefetches"),
  ASYNC("unsalted table, `AsyncTable`"),
  SALTED("`SaltedTable`"),
  SALTED_ASYNC("`AsyncTable` of `SaltedAsyncConnection`"),
  ONE_BY_ONE("salted table, one bucket after the other, so not in order");

  private final String words;

  ScanWay(String words) {
    this.words = words;
  }

  /** For a report. */
  @Override
  public String toString() {
    return words;
  }
}
