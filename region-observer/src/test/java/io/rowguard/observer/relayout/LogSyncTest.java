package io.rowguard.observer.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogSyncTest {
  @ParameterizedTest
  @CsvSource({
    "USE_DEFAULT, false, SYNC_WAL",
    "USE_DEFAULT, true, FSYNC_WAL",
    "SKIP_WAL, true, SYNC_WAL",
    "ASYNC_WAL, true, SYNC_WAL",
    "SYNC_WAL, true, SYNC_WAL",
    "FSYNC_WAL, false, FSYNC_WAL"
  })
  void of_tableAndServer_isThatOfTheTablesWritesButSynced(
      Durability declared, boolean hsync, Durability expected) {
    Configuration conf = new Configuration(false);
    conf.setBoolean("hbase.wal.hsync", hsync);
    assertEquals(
        expected,
        LogSync.of(
            TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                .setDurability(declared)
                .build(),
            conf));
  }
}
