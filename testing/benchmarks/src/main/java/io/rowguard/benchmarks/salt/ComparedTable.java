package io.rowguard.benchmarks.salt;

import java.io.IOException;
import java.util.List;

/** A salted table of orders in one of two products, read by unsalted id. */
interface ComparedTable extends AutoCloseable {
  /** How many rows are sent at once. */
  int BATCH = 1_000;

  /** Its name in HBase. */
  String name();

  /** Writes rows with these ids. */
  void load(List<byte[]> ids) throws Exception;

  /** Reads all rows in the order of ids, which must be these. */
  void scan(List<byte[]> ids) throws Exception;

  /** Reads the first row in the order of ids, which must be this. */
  void first(byte[] id) throws Exception;

  /** Reads, in their order, the rows between two ids, which must be exactly these. */
  void range(List<byte[]> ids) throws Exception;

  /** Reads one row, which must be there. */
  void get(byte[] id) throws Exception;

  @Override
  void close() throws IOException;
}
