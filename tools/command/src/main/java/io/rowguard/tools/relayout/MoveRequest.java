package io.rowguard.tools.relayout;

/**
 * How rows are to be moved.
 *
 * @param threads how many regions are read at a time, 1 or more
 * @param rowsPerSecond the most rows that are moved in a second; 0 for no limit
 */
public record MoveRequest(int threads, double rowsPerSecond) {
  /** The usual request. */
  public static MoveRequest usual() {
    return new MoveRequest(8, 0);
  }
}
