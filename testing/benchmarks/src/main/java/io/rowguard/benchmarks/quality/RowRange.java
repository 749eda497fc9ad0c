package io.rowguard.benchmarks.quality;

/**
 * Some rows of a table that follow each other.
 *
 * @param from the number of the first, inclusive
 * @param to the number of the last, exclusive
 */
record RowRange(int from, int to) {

  int size() {
    return to - from;
  }
}
