package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.LayoutRegionObserver;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Puts name what their client knows of the layout by their own timestamp, and their cells have the
 * timestamps that the user gave, or the server's: by each way, in blocks of cells and in protocol
 * buffers.
 */
@ExtendWith(MiniCluster.class)
class PutTimestampsIT {
  private static final TableName NAME = TableName.valueOf("stamped");
  private static final byte[] GIVEN = bytes("given");
  private static final long THEN = 1234;

  private final HBaseTestingUtility hbase;

  PutTimestampsIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @BeforeEach
  void create() throws IOException {
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(NAME)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .setValue("rowguard.layout", "{salt:digits(2)=murmur3(user)%4}-{user:word}")
                .setValue("rowguard.mode", "reject")
                .setCoprocessor(
                    CoprocessorDescriptorBuilder.newBuilder(LayoutRegionObserver.class.getName())
                        .setPriority(1001)
                        .build())
                .setCoprocessor(
                    CoprocessorDescriptorBuilder.newBuilder(StampSpy.class.getName())
                        .setPriority(500)
                        .build())
                .build(),
            new byte[][] {bytes("02-")});
  }

  @AfterEach
  void drop() throws IOException {
    Tables.drop(hbase, NAME);
  }

  /** A Put of one cell with a timestamp and one without. */
  private static Put put(String key) {
    return new Put(bytes(key)).addColumn(F, Q, bytes("v")).addColumn(F, GIVEN, THEN, bytes("v"));
  }

  private static CheckAndMutate.Builder ifNew(String key) {
    return CheckAndMutate.newBuilder(bytes(key)).ifNotExists(F, Q);
  }

  @Test
  void put_byEachWay_storesTheTimestampsOfItsCells() throws Exception {
    Configuration conf = hbase.getConfiguration();
    long begun = System.currentTimeMillis();
    try (Connection connection = ConnectionFactory.createConnection(conf);
        SaltedConnection salted = SaltedConnection.over(connection);
        Table table = salted.getTable(NAME);
        BufferedMutator buffer = salted.getBufferedMutator(NAME);
        AsyncConnection async = ConnectionFactory.createAsyncConnection(conf).get()) {
      table.put(put("single"));
      table.put(List.of(put("list1"), put("list2")));
      table.mutateRow(RowMutations.of(List.of(put("several"))));
      assertTrue(table.checkAndMutate(ifNew("conditional").build(put("conditional"))).isSuccess());
      RowMutations several = RowMutations.of(List.of(put("severalIf")));
      assertTrue(table.checkAndMutate(ifNew("severalIf").build(several)).isSuccess());
      buffer.mutate(put("buffer"));
      buffer.flush();
      AsyncConnection saltedAsync = SaltedAsyncConnection.over(async);
      AsyncTable<?> asyncTable = saltedAsync.getTable(NAME);
      asyncTable.put(put("async")).get();
      asyncTable.putAll(List.of(put("async1"), put("async2"))).get();
      try (AsyncBufferedMutator asyncBuffer = saltedAsync.getBufferedMutator(NAME)) {
        CompletableFuture<Void> sent = asyncBuffer.mutate(put("asyncBuffer"));
        asyncBuffer.flush();
        sent.get();
      }
    }

    assertEquals(
        "async async1 async2 asyncBuffer buffer conditional list1 list2 several severalIf single",
        stored(begun));
  }

  /** HBase's asynchronous client, and so 3.0's table, cannot send several like that. */
  @Test
  void put_inProtocolBuffersOnly_storesTheTimestampsOfItsCells() throws Exception {
    Configuration conf = new Configuration(hbase.getConfiguration());
    conf.set("hbase.client.rpc.codec", "");
    conf.set("hbase.client.default.rpc.codec", "");
    long begun = System.currentTimeMillis();
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Table table = SaltedTable.open(connection, NAME)) {
      table.put(put("single"));
      assertTrue(table.checkAndMutate(ifNew("conditional").build(put("conditional"))).isSuccess());
    }

    assertEquals("conditional single", stored(begun));
  }

  /** The keys in their order, if each has one cell of that time and one of now, and was stamped. */
  private String stored(long begun) throws IOException {
    Set<String> keys = new TreeSet<>();
    Set<String> stamped = StampSpy.take();
    try (Table table = hbase.getConnection().getTable(NAME);
        ResultScanner scanner = table.getScanner(new Scan().readAllVersions())) {
      for (Result result : scanner) {
        String row = Bytes.toString(result.getRow());
        assertTrue(stamped.contains(row), row);
        assertEquals(2, result.size(), row);
        for (Cell cell : result.rawCells()) {
          if (CellUtil.matchingQualifier(cell, GIVEN)) {
            assertEquals(THEN, cell.getTimestamp(), row);
          } else {
            assertTrue(cell.getTimestamp() >= begun, row);
            assertTrue(cell.getTimestamp() <= System.currentTimeMillis(), row);
          }
        }
        keys.add(row.substring(3));
      }
    }
    return String.join(" ", keys);
  }

  /** What is handed in can go on to be used. */
  @Test
  void put_thatWasSent_isAsItWas() throws Exception {
    byte[] more = bytes("more");
    try (Table table = SaltedTable.open(hbase.getConnection(), NAME)) {
      Put put = put("again");
      table.put(put);
      assertEquals(HConstants.LATEST_TIMESTAMP, put.getTimestamp());
      table.put(put.addColumn(F, more, bytes("v")));
      Cell cell = table.get(Tables.get("again")).getColumnLatestCell(F, more);
      assertTrue(cell.getTimestamp() <= System.currentTimeMillis());
    }
  }
}
