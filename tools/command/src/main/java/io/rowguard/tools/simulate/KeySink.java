package io.rowguard.tools.simulate;

/** The sink of a run's keys. Not thread-safe. */
interface KeySink {
  /** Writes the key number {@code number}, the first {@code length} bytes of an array. */
  void write(long number, byte[] key, int length);

  /** As {@link #write}, where the bytes are known to be a row. */
  void writeRow(long number, byte[] row, int length);
}
