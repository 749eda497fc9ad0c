package io.rowguard.client;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;

/** The salted rows of a table, as sub-scans read them. As thread-safe as the table. */
abstract class SaltedRows {
  private SaltedRows() {}

  /** Opens a scanner; it may fail at its first result only. */
  abstract ResultScanner getScanner(Scan salted) throws IOException;

  abstract Configuration getConfiguration();

  /** Where sub-scans read ahead; null where the scanners do so by themselves. */
  abstract FetchThreads threads();

  /** Those of a table whose scanners read when they are asked. */
  static SaltedRows of(Table table, FetchThreads threads) {
    return new SaltedRows() {
      @Override
      ResultScanner getScanner(Scan salted) throws IOException {
        return table.getScanner(salted);
      }

      @Override
      Configuration getConfiguration() {
        return table.getConfiguration();
      }

      @Override
      FetchThreads threads() {
        return threads;
      }
    };
  }

  /** Those of a table whose scanners begin to read when they are opened, and read ahead. */
  static SaltedRows of(AsyncTable<?> table) {
    return new SaltedRows() {
      @Override
      ResultScanner getScanner(Scan salted) {
        return table.getScanner(salted);
      }

      @Override
      Configuration getConfiguration() {
        return table.getConfiguration();
      }

      @Override
      FetchThreads threads() {
        return null;
      }
    };
  }
}
