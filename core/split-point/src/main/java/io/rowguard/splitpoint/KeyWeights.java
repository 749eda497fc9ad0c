package io.rowguard.splitpoint;

/**
 * How the bytes of one store file, or of a part of one, divide between its rows: an ascending list
 * of rows, each with all the bytes up to the next.
 */
public interface KeyWeights {
  /** How many entries there are, 1 or more. */
  int size();

  /** The row at which an entry begins; no row of an earlier entry is above it. */
  byte[] row(int entry);

  /** Compares the row of an entry with another one, without copying it. */
  int compareRow(int entry, byte[] row);

  /**
   * The start of an entry's bytes, ascending.
   *
   * @param entry 0 to {@link #size()} (inclusive): the last stands for the end
   */
  long start(int entry);

  /**
   * Whether {@link #start} counts the bytes of the file from its beginning; else only proportions
   * count.
   */
  boolean isInFileBytes();

  /** Whether {@link #start} only counts entries, since how many bytes they have is not known. */
  boolean isGuess();

  /** Whether an entry is a single row, so that its bytes divide no further. */
  boolean isOneRow(int entry);

  /**
   * How the bytes of one entry divide in their turn, at the cost of one block read.
   *
   * @return null when there is nothing finer, or the block cannot be read
   */
  KeyWeights readEntry(int entry);
}
