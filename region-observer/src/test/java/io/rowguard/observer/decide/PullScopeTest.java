package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.config.TableConfig;
import io.rowguard.observer.request.InternalMutations;
import io.rowguard.observer.request.OpenBatches;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.junit.jupiter.api.Test;

/** The scopes of a batch in the log, by which HBase ships it to other clusters. */
class PullScopeTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE).build();

  private final InternalMutations own = new InternalMutations();
  private final OpenBatches open = new OpenBatches();
  private final BatchCheck batches =
      new BatchCheck(REGION, writes(), null, own, Delivery.NONE, List.of(), open);

  /** It judges nothing here: what is added where the configuration is wrong goes with the rest. */
  private static WriteCheck writes() {
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TABLE).setValue("rowguard.mode", "wrong").build();
    TableConfig config = TableConfig.of(table, new Configuration(false));
    return new WriteCheck("t", config, null, null, null);
  }

  private static WALKeyImpl key(int scope) {
    NavigableMap<byte[], Integer> scopes = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    if (scope != HConstants.REPLICATION_SCOPE_LOCAL) {
      scopes.put(bytes("f"), scope);
    }
    return new WALKeyImpl(bytes("r"), TABLE, 1, scopes);
  }

  private static MiniBatchOperationInProgress<Mutation> batch(Mutation... mutations) {
    OperationStatus[] statuses = new OperationStatus[mutations.length];
    Arrays.fill(statuses, OperationStatus.NOT_RUN);
    return new MiniBatchOperationInProgress<>(
        mutations, statuses, new WALEdit[1], 0, mutations.length, mutations.length);
  }

  private Put moved(String row) {
    Put put = put(row);
    own.mark(put);
    return put;
  }

  @Test
  void beforeLog_ofWhatARegionMoves_leavesNoScope() throws IOException {
    MiniBatchOperationInProgress<Mutation> batch = batch(moved("a|0001"), moved("b|0001"));
    batches.judge(batch);
    WALKeyImpl key = key(HConstants.REPLICATION_SCOPE_GLOBAL);

    batches.beforeLog(key);

    assertNull(key.getReplicationScopes());
  }

  /** Those of another region instance are a client's here. */
  @Test
  void beforeLog_ofWhatClientsWrite_leavesTheScopes() throws IOException {
    Put foreign = put("a|0001");
    new InternalMutations().mark(foreign);
    for (Mutation written : List.of(put("a|0001"), foreign)) {
      MiniBatchOperationInProgress<Mutation> batch = batch(moved("b|0001"), written);
      open.begin(batch);
      WALKeyImpl key = key(HConstants.REPLICATION_SCOPE_GLOBAL);

      batches.beforeLog(key);

      assertEquals(1, key.getReplicationScopes().size());
      open.end(batch);
    }
  }

  /** It would be lost to other clusters, or the moved row would go there. */
  @Test
  void beforeLog_whereARowIsAddedToWhatIsMoved_failsWhatWouldBeShipped() throws IOException {
    MiniBatchOperationInProgress<Mutation> batch = batch(moved("a|0001"));
    batch.addOperationsFromCP(0, new Mutation[] {put("c|0001")});
    open.begin(batch);

    IOException e =
        assertThrows(
            DoNotRetryIOException.class,
            () -> batches.beforeLog(key(HConstants.REPLICATION_SCOPE_GLOBAL)));
    assertTrue(e.getMessage().startsWith("Another coprocessor adds a row"), e.getMessage());
    batches.beforeLog(key(HConstants.REPLICATION_SCOPE_LOCAL));
  }

  @Test
  void beforeLog_withoutABatch_leavesTheScopes() throws IOException {
    WALKeyImpl key = key(HConstants.REPLICATION_SCOPE_GLOBAL);

    batches.beforeLog(key);

    assertEquals(1, key.getReplicationScopes().size());
  }
}
