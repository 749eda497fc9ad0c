package io.rowguard.tools.relayout;

import java.time.Duration;

/**
 * The times of a {@link PaceController}.
 *
 * @param moving how long rows move between two rests
 * @param movingGap from one probe read to the next meanwhile
 * @param restGap the same in a rest
 * @param restReads how many reads a rest is for
 * @param learnedReads how many reads the first rest is for
 * @param window how long a read counts
 */
record PaceTimes(
    Duration moving,
    Duration movingGap,
    Duration restGap,
    int restReads,
    int learnedReads,
    Duration window) {
  /**
   * The usual ones. A hundred reads tell the slowest of ten to a tenth, which is enough to see a
   * fifth more; a rest takes about a tenth of the time.
   */
  static PaceTimes usual() {
    return new PaceTimes(
        Duration.ofSeconds(5),
        Duration.ofMillis(50),
        Duration.ofMillis(25),
        20,
        100,
        Duration.ofMinutes(2));
  }
}
