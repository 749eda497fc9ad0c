package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.junit.jupiter.api.Test;

/** An answer of a part of HBase's API means the same as that of another. */
class AccessTest {
  private final List<String> calls = new ArrayList<>();

  /** Errors of a buffer come with its flush, as those of its threads do. */
  @SuppressWarnings("unused") // called by name
  private final class Buffer {
    private IOException error;

    void mutate(List<?> puts) {
      calls.add("mutate " + puts.size());
    }

    void flush() throws IOException {
      calls.add("flush");
      if (error != null) {
        throw error;
      }
    }
  }

  @SuppressWarnings("unused") // called by name
  private record Rows(CompletableFuture<Result> one, CompletableFuture<List<Result>> all) {
    CompletableFuture<Result> get(Get get) {
      return one;
    }

    CompletableFuture<List<Result>> scanAll(Scan scan) {
      return all;
    }
  }

  private static Access byBuffer(Buffer buffer, Rows rows) {
    AsyncTable<?> table = Fake.of(AsyncTable.class, rows);
    return new Access.ByBuffer(Fake.of(BufferedMutator.class, buffer), table, table);
  }

  private static <T> CompletableFuture<T> failed(String why) {
    return CompletableFuture.failedFuture(new IOException(why));
  }

  @Test
  void putByBuffer_isAcknowledgedWithItsFlush() throws IOException {
    Buffer buffer = new Buffer();
    Access access = byBuffer(buffer, new Rows(null, null));
    List<Put> puts = List.of(new Put(new byte[] {1}), new Put(new byte[] {2}));

    access.put(puts);
    assertEquals(List.of("mutate 2", "flush"), calls);

    buffer.error = new IOException("gone");
    assertThrows(IOException.class, () -> access.put(puts));
  }

  @Test
  void readByAsyncTable_thatFails_throwsAnIoException() throws IOException {
    Result none = Result.EMPTY_RESULT;
    CompletableFuture<Result> one = CompletableFuture.completedFuture(none);
    CompletableFuture<List<Result>> all = CompletableFuture.completedFuture(List.of(none, none));
    Get get = new Get(new byte[] {1});

    Access right = byBuffer(new Buffer(), new Rows(one, all));
    assertEquals(none, right.get(get));
    assertEquals(List.of(none, none), right.scan(new Scan()));

    Access wrong = byBuffer(new Buffer(), new Rows(failed("get"), failed("scan")));
    assertThrows(IOException.class, () -> wrong.get(get));
    assertThrows(IOException.class, () -> wrong.scan(new Scan()));
  }

  /** A scanner's iterator would wrap the error in one that ends the client. */
  @Test
  void scanByTable_thatFailsOnItsWay_throwsAnIoException() {
    @SuppressWarnings("unused") // called by name
    final class Scanner {
      private int count;

      Result next() throws IOException {
        if (++count == 3) {
          throw new IOException("gone");
        }
        return Result.EMPTY_RESULT;
      }

      void close() {
        calls.add("close");
      }
    }
    @SuppressWarnings("unused") // called by name
    final class Scans {
      ResultScanner getScanner(Scan scan) {
        return Fake.of(ResultScanner.class, new Scanner());
      }
    }
    Table table = Fake.of(Table.class, new Scans());

    assertThrows(IOException.class, () -> new Access.ByTable(table, table).scan(new Scan()));
    assertEquals(List.of("close"), calls);
  }
}
