package io.rowguard.benchmarks.salt;

/** How the events of one kind are read. */
enum EventWay {
  ONE_REGION("no salt: one region, one scan"),
  THREADS("a salt that writers choose: a scan per bucket, each on its thread, so not in order"),
  MERGED("the same through `SaltedTable`, in order");

  private final String words;

  EventWay(String words) {
    this.words = words;
  }

  /** For a report. */
  @Override
  public String toString() {
    return words;
  }
}
