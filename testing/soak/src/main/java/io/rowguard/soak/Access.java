package io.rowguard.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * The calls by which a client writes and reads rows. Each implementation is another part of HBase's
 * API. Some tables are scanned by another object than they are written by: servers salt bare keys
 * of writes and gets, not of scans. As thread-safe as the least of its parts.
 */
interface Access {
  /** Returns when all of them are acknowledged. */
  void put(List<Put> puts) throws IOException;

  Result get(Get get) throws IOException;

  /** All rows of a scan, in the order in which they came. */
  List<Result> scan(Scan scan) throws IOException;

  /** By {@code Table}. */
  record ByTable(Table table, Table scans) implements Access {
    @Override
    public void put(List<Put> puts) throws IOException {
      table.put(puts);
    }

    @Override
    public Result get(Get get) throws IOException {
      return table.get(get);
    }

    @Override
    public List<Result> scan(Scan scan) throws IOException {
      List<Result> all = new ArrayList<>();
      try (ResultScanner scanner = scans.getScanner(scan)) {
        for (Result result = scanner.next(); result != null; result = scanner.next()) {
          all.add(result);
        }
      }
      return all;
    }
  }

  /** By a buffer of mutations, and by {@code AsyncTable}. */
  record ByBuffer(BufferedMutator buffer, AsyncTable<?> rows, AsyncTable<?> scans)
      implements Access {
    @Override
    public void put(List<Put> puts) throws IOException {
      buffer.mutate(puts);
      buffer.flush();
    }

    @Override
    public Result get(Get get) throws IOException {
      return FutureUtils.get(rows.get(get));
    }

    @Override
    public List<Result> scan(Scan scan) throws IOException {
      return FutureUtils.get(scans.scanAll(scan));
    }
  }
}
