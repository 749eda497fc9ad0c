package io.rowguard.tools.relayout;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/**
 * Probe reads: Gets as clients send them, of one cell. They wait in the servers' queues behind what
 * the mover does, as those of clients do. Not thread-safe.
 */
final class ProbeReads implements Closeable {
  /** After so long a read is none: it says that a region is away, and nothing of the others. */
  private static final int LONGEST_MILLIS = 1_000;

  private final Table table;

  ProbeReads(Connection connection, TableName table) {
    this.table =
        connection
            .getTableBuilder(table, null)
            .setOperationTimeout(LONGEST_MILLIS)
            .setRpcTimeout(LONGEST_MILLIS)
            .setReadRpcTimeout(LONGEST_MILLIS)
            .build();
  }

  /**
   * Reads a row.
   *
   * @return how long that took, in nanoseconds; -1 where it failed, or took too long
   * @throws InterruptedException when the thread is interrupted
   */
  long read(byte[] row) throws InterruptedException {
    long began = System.nanoTime();
    try {
      table.get(new Get(row).setFilter(new FirstKeyOnlyFilter()));
    } catch (SocketTimeoutException e) {
      return -1;
    } catch (InterruptedIOException e) {
      throw (InterruptedException) new InterruptedException("Interrupted.").initCause(e);
    } catch (IOException e) {
      return -1; // whoever moves rows meets the same, and tells of it
    }
    long took = System.nanoTime() - began;
    return took < TimeUnit.MILLISECONDS.toNanos(LONGEST_MILLIS) ? took : -1;
  }

  @Override
  public void close() throws IOException {
    table.close();
  }
}
