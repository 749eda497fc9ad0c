package io.rowguard.benchmarks.write;

import io.rowguard.benchmarks.layout.SampleRows;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;

/** The rows that every guard gets to see, and their puts. */
final class WrittenRows {
  /** How many puts are sent at once. */
  static final int BATCH = 100;

  private static final int LENGTH = 32;
  private static final int VALUE_BYTES = 100;
  private static final byte[] QUALIFIER = {'q'};
  private static final long SEED = 1;

  private final List<byte[]> rows;
  private final byte[] value = new byte[VALUE_BYTES];

  /** The number of batches. */
  WrittenRows(int batches) {
    rows = new SampleRows(Guard.ROWS.layout(), LENGTH, SEED).conforming(batches * BATCH);
    new Random(SEED).nextBytes(value);
  }

  /** How many batches there are. */
  int batches() {
    return rows.size() / BATCH;
  }

  /** New puts of one batch. A region writes its times into puts, so each is for one use. */
  List<Put> batch(int index, Durability durability) {
    return IntStream.range(index * BATCH, (index + 1) * BATCH)
        .mapToObj(i -> put(rows.get(i), durability))
        .toList();
  }

  /** New puts of all batches. */
  List<List<Put>> batches(Durability durability) {
    return IntStream.range(0, batches()).mapToObj(i -> batch(i, durability)).toList();
  }

  /** A put to a row that every guard that refuses anything refuses. */
  Put bad() {
    return put(new byte[] {'?'}, Durability.SKIP_WAL);
  }

  private Put put(byte[] row, Durability durability) {
    return new Put(row).addColumn(Guard.FAMILY, QUALIFIER, value).setDurability(durability);
  }
}
