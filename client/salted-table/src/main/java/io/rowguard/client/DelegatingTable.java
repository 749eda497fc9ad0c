package io.rowguard.client;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** Hands on to another table all calls that are about neither single rows nor ranges of them. */
abstract class DelegatingTable implements Table {
  final Table table;

  DelegatingTable(Table table) {
    this.table = table;
  }

  @Override
  public TableName getName() {
    return table.getName();
  }

  @Override
  public Configuration getConfiguration() {
    return table.getConfiguration();
  }

  @Override
  public TableDescriptor getDescriptor() throws IOException {
    return table.getDescriptor();
  }

  /** The refusal of a call to the regions of a range of bare keys. */
  static DoNotRetryIOException rangeOfRegions(TableName table) {
    return new DoNotRetryIOException(
        "The regions of a range of bare keys cannot be called through a SaltedTable, as the range"
            + " lies in every bucket. table="
            + table
            + ". Leave both keys empty for all regions, or call the regions of single rows.");
  }

  @Override
  public long getRpcTimeout(TimeUnit unit) {
    return table.getRpcTimeout(unit);
  }

  @Override
  public long getReadRpcTimeout(TimeUnit unit) {
    return table.getReadRpcTimeout(unit);
  }

  @Override
  public long getWriteRpcTimeout(TimeUnit unit) {
    return table.getWriteRpcTimeout(unit);
  }

  @Override
  public long getOperationTimeout(TimeUnit unit) {
    return table.getOperationTimeout(unit);
  }

  /** HBase has this method from 2.6 on. */
  @SuppressWarnings("MissingOverride") // 2.5 lacks it
  public Map<String, byte[]> getRequestAttributes() {
    return table.getRequestAttributes();
  }
}
