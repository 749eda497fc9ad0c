package io.rowguard.benchmarks.load;

/** How many of a table's operations its region observer counts. */
enum SampleRate {
  OFF(0, "none"),
  DEFAULT(100, "1 in 100, the default"),
  EACH(1, "each");

  private final int sample;
  private final String words;

  SampleRate(int sample, String words) {
    this.sample = sample;
    this.words = words;
  }

  /** The value of {@code rowguard.load.sample}. */
  int sample() {
    return sample;
  }

  /** For a report. */
  @Override
  public String toString() {
    return words;
  }
}
