package io.rowguard.benchmarks.load;

import java.io.IOException;

/** Operations on tables that differ in how many of them are counted. For one thread. */
interface SampledOperations {
  /** Puts rows in batches, and says how many. */
  int put(SampleRate sampling) throws IOException;

  /** Reads rows by Gets, and says how many. */
  int get(SampleRate sampling) throws IOException;

  /** Reads rows by a scan, and says how many. */
  int scan(SampleRate sampling) throws IOException;

  /** Writes what is in memory to files. */
  void flush() throws IOException;
}
