package io.rowguard.demo;

import io.rowguard.workload.ServerMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/** Writes rows in batches and keeps what the server said of each row. Not thread-safe. */
final class BatchWriter {
  static final int BATCH = 1_000;

  /**
   * The outcome for the rows.
   *
   * @param landed how many rows the server took
   * @param refusals the rows that it refused, each with the server's message
   * @param mixedBatches the batches in which some rows landed and others were refused
   */
  record WriteOutcome(int landed, SortedMap<byte[], String> refusals, int mixedBatches) {}

  private final Table table;
  private final Function<byte[], Put> rowToPut;
  private final SortedMap<byte[], String> refusals = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private int landed;
  private int mixedBatches;

  private BatchWriter(Table table, Function<byte[], Put> rowToPut) {
    this.table = table;
    this.rowToPut = rowToPut;
  }

  /**
   * Writes one put per row.
   *
   * @throws IOException when a row failed for another reason than that the server refuses it
   */
  static WriteOutcome write(
      Connection connection,
      TableName name,
      List<byte[]> rows,
      Function<byte[], Put> rowToPut,
      DemoProgress progress)
      throws IOException, InterruptedException {
    try (Table table = connection.getTable(name)) {
      BatchWriter writer = new BatchWriter(table, rowToPut);
      for (int from = 0; from < rows.size(); from += BATCH) {
        writer.write(rows.subList(from, Math.min(rows.size(), from + BATCH)));
        progress.at("written " + Screen.count(from));
      }
      return new WriteOutcome(writer.landed, writer.refusals, writer.mixedBatches);
    }
  }

  private void write(List<byte[]> rows) throws IOException, InterruptedException {
    List<Put> puts = new ArrayList<>(rows.size());
    for (byte[] row : rows) {
      puts.add(rowToPut.apply(row));
    }
    Object[] results = new Object[puts.size()];
    try {
      table.batch(puts, results);
    } catch (RetriesExhaustedWithDetailsException e) {
      // Some rows failed; the results say which, why, and what became of the others.
    }
    int refused = 0;
    for (int i = 0; i < results.length; i++) {
      refused += take(rows.get(i), results[i]) ? 0 : 1;
    }
    if (refused > 0 && refused < results.length) {
      mixedBatches++;
    }
  }

  private boolean take(byte[] row, Object result) throws IOException {
    if (result instanceof DoNotRetryIOException refusal) {
      refusals.put(row, ServerMessage.of(refusal));
      return false;
    }
    if (result == null || result instanceof Throwable) {
      throw new IOException(
          "The row \"" + Bytes.toStringBinary(row) + "\" was neither taken nor refused: " + result);
    }
    landed++;
    return true;
  }
}
