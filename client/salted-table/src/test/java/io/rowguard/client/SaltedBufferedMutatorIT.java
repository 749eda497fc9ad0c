package io.rowguard.client;

import static io.rowguard.client.PropertyClient.salted;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static io.rowguard.client.Tables.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Buffered mutators of a {@link PropertyClient}: HBase's own kind, and the asynchronous one. */
@ExtendWith(MiniCluster.class)
class SaltedBufferedMutatorIT {
  private final HBaseTestingUtility hbase;
  @RegisterExtension private final PropertyClient client;

  SaltedBufferedMutatorIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.client = new PropertyClient(hbase);
  }

  @Test
  void bufferedMutator_manyMutations_areStoredSalted() throws IOException {
    TableName name = client.create(Tables.LAYOUT, "reject", Tables.SPLITS);
    List<String> keys = Tables.keys(50, 4);
    BufferedMutator mutator =
        client
            .connection()
            .getBufferedMutator(new BufferedMutatorParams(name).writeBufferSize(4_000));
    assertEquals(name, mutator.getName());
    assertEquals(4_000, mutator.getWriteBufferSize());
    List<Mutation> some = new ArrayList<>();
    for (String key : keys) {
      some.add(put(key, key));
      if (some.size() == 7) {
        mutator.mutate(some);
        some.clear();
      }
    }
    mutator.mutate(some);
    DoNotRetryIOException e =
        assertThrows(
            DoNotRetryIOException.class,
            () -> mutator.mutate(List.of(put("late|0001", "v"), put("no bare key", "v"))));
    assertTrue(e.getMessage().contains("no literal"), e.getMessage());
    mutator.flush();
    assertEquals(salted(Tables.LAYOUT, keys), client.stored(name));
    mutator.mutate(new Delete(bytes(keys.get(0))));
    mutator.close();
    mutator.close();
    assertEquals(keys.size() - 1, client.stored(name).size());
  }

  @Test
  void bufferedMutator_someFail_theListenerSeesBareKeys() throws IOException {
    TableName name = client.create(Tables.LAYOUT, null, Tables.SPLITS);
    Map<String, String> failed = new HashMap<>();
    Set<BufferedMutator> mutators = new HashSet<>();
    BufferedMutatorParams params =
        new BufferedMutatorParams(name)
            .listener(
                (failure, mutator) -> {
                  mutators.add(mutator);
                  for (int i = 0; i < failure.getNumExceptions(); i++) {
                    Row row = failure.getRow(i);
                    assertEquals(1, ((Mutation) row).getFamilyCellMap().size());
                    assertEquals(0, ((Mutation) row).getAttributesMap().size());
                    failed.put(Bytes.toString(row.getRow()), "" + failure.getCause(i));
                  }
                });
    try (BufferedMutator mutator = client.connection().getBufferedMutator(params)) {
      mutator.mutate(put("alice|0001", "v"));
      mutator.mutate(new Delete(bytes("bob|0001")).addColumn(bytes("nosuch"), Q));
      mutator.flush();
      assertEquals(Set.of("bob|0001"), failed.keySet());
      assertTrue(failed.get("bob|0001").contains("nosuch"), "" + failed);
      assertEquals(Set.of(mutator), mutators);
    }
    assertEquals(salted(Tables.LAYOUT, List.of("alice|0001")), client.stored(name));
    // The listener that HBase sets throws.
    BufferedMutator throwing = client.connection().getBufferedMutator(name);
    throwing.mutate(new Delete(bytes("bob|0001")).addColumn(bytes("nosuch"), Q));
    RetriesExhaustedWithDetailsException e =
        assertThrows(RetriesExhaustedWithDetailsException.class, throwing::flush);
    assertEquals("bob|0001", Bytes.toString(e.getRow(0).getRow()));
    throwing.close();
  }

  @Test
  void bufferedMutator_layoutChangesOnTheWay_isPlannedAnew() throws Exception {
    TableName name = client.create(Tables.FOUR, "reject", "02-", "03-", "08-");
    RowkeyLayout sixteen = RowkeyLayout.parse(Tables.LAYOUT);
    LayoutSteps steps = new LayoutSteps(hbase.getConnection(), name);
    List<String> keys = Tables.keys(30, 2);
    try (BufferedMutator mutator = client.connection().getBufferedMutator(name)) {
      for (int i = 0; i < keys.size(); i++) {
        if (i == 15) {
          steps.prepare(sixteen);
        } else if (i == 30) {
          steps.move();
        } else if (i == 45) {
          mutator.flush();
        }
        mutator.mutate(put(keys.get(i), "new"));
      }
    }
    try (Table table = client.connection().getTable(name)) {
      assertEquals(keys, Tables.rows(table, new Scan()));
    }
    List<String> both = client.stored(name);
    assertEquals(keys.size(), both.size());
    assertTrue(
        both.containsAll(salted(Tables.LAYOUT, List.of(keys.get(59), keys.get(0)))), "" + both);
  }

  /** The keys of the old table may be none of the new one: they are lost, and reported. */
  @Test
  void bufferedMutator_tableMadeAnew_reportsWhatIsNoKeyOfIt() throws Exception {
    TableName name = client.create(Tables.FOUR, "reject");
    List<String> lost = new ArrayList<>();
    BufferedMutatorParams params =
        new BufferedMutatorParams(name)
            .listener(
                (failure, mutator) -> {
                  for (int i = 0; i < failure.getNumExceptions(); i++) {
                    lost.add(Bytes.toString(failure.getRow(i).getRow()));
                  }
                });
    try (BufferedMutator mutator = client.connection().getBufferedMutator(params)) {
      mutator.mutate(List.of(put("alice|0001", "v"), put("bob|0002", "v")));
      String other = "{salt:digits(2)=murmur3(user)%9}-{user:word}|000{item:digits(1)}";
      TableDescriptorBuilder table =
          TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name));
      Tables.drop(hbase, name);
      hbase.getAdmin().createTable(table.setValue("rowguard.layout", other).build());
      mutator.flush();
      assertEquals(salted(other, List.of("alice|0001", "bob|0002")), client.stored(name));

      mutator.mutate(List.of(put("alice|0003", "v"), put("bob|0004", "v")));
      String none = "{salt:digits(2)=murmur3(user)%9}-{user:word}|0003{rest:word}";
      table = TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name));
      Tables.drop(hbase, name);
      hbase.getAdmin().createTable(table.setValue("rowguard.layout", none).build());
      mutator.flush();
      assertEquals(List.of("alice|0003", "bob|0004"), new ArrayList<>(new TreeSet<>(lost)));
    }
    assertEquals(List.of(), client.stored(name));
  }

  @Test
  void asyncBufferedMutator_layoutChangesOnTheWay_isPlannedAnew() throws Exception {
    TableName name = client.create(Tables.FOUR, "reject", "02-", "03-", "08-");
    RowkeyLayout sixteen = RowkeyLayout.parse(Tables.LAYOUT);
    LayoutSteps steps = new LayoutSteps(hbase.getConnection(), name);
    List<String> keys = Tables.keys(30, 2);
    AsyncTable<AdvancedScanResultConsumer> table = client.asyncConnection().getTable(name);
    AsyncBufferedMutator buffer = client.asyncConnection().getBufferedMutator(name);
    List<CompletableFuture<Void>> futures = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      if (i == 15) {
        steps.prepare(sixteen);
      } else if (i == 30) {
        steps.move();
      } else if (i == 45) {
        buffer.flush();
      }
      futures.add(buffer.mutate(put(keys.get(i), "new")));
    }
    buffer.close();
    for (CompletableFuture<Void> future : futures) {
      AsyncView.get(future);
    }
    // This table was opened under the first layout, too.
    assertEquals(keys, Tables.rows(AsyncView.get(table.scanAll(new Scan()))));
    assertEquals(keys.size(), client.stored(name).size());
  }
}
