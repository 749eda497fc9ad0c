package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.observer.LayoutRegionObserver;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncBufferedMutator;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * SaltedTables that were opened before their table was made anew with another layout, or emptied
 * and altered, read and write what is there now. The versions of the layouts say nothing of it.
 */
@ExtendWith(MiniCluster.class)
@Tag("long")
class MadeAnewIT {
  private static final String SIXTEEN = Tables.FOUR.replace("%4", "%16");
  private static final List<String> KEYS = Tables.keys(100, 5);
  private static final String KEY = "u0050|0001";
  private static final byte[] N = bytes("n");

  private final HBaseTestingUtility hbase;
  private final TableName name = TableName.valueOf("anew");

  /** Opened before; each is used for one thing, since it knows the layout from then on. */
  private final Map<String, SaltedTable> old = new TreeMap<>();

  MadeAnewIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  private void create(String layout) throws IOException {
    hbase
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(name)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(F))
                .setValue("rowguard.layout", layout)
                .setValue("rowguard.mode", "reject")
                .setCoprocessor(
                    CoprocessorDescriptorBuilder.newBuilder(LayoutRegionObserver.class.getName())
                        .setPriority(1001)
                        .build())
                .build(),
            Tables.bytes("02-", "03-", "08-"));
  }

  private SaltedTable open() throws IOException {
    return SaltedTable.open(hbase.getConnection(), name);
  }

  private void fill() throws IOException {
    try (SaltedTable table = open()) {
      Tables.fill(table, KEYS);
    }
  }

  /** Opens a table for each thing, and uses it once. */
  private void openAll() throws IOException {
    for (String use :
        List.of("get", "batch", "exists", "scan", "put", "puts", "add", "check", "delete", "rm")) {
      old.put(use, open());
      assertEquals(KEY, Bytes.toString(old.get(use).get(Tables.get(KEY)).getValue(F, Q)), use);
    }
  }

  @AfterEach
  void drop() throws IOException {
    for (SaltedTable table : old.values()) {
      table.close();
    }
    Tables.drop(hbase, name);
  }

  private void assertAllSeesWhatIsThere(String layout) throws Exception {
    List<Get> gets = new ArrayList<>();
    KEYS.forEach(key -> gets.add(Tables.get(key)));
    Map<String, Integer> seen = new TreeMap<>();
    for (Get get : gets) {
      seen.merge("get", old.get("get").get(get).isEmpty() ? 0 : 1, Integer::sum);
    }
    Result[] results = old.get("batch").get(gets);
    for (int i = 0; i < results.length; i++) {
      seen.merge("batch", results[i].isEmpty() ? 0 : 1, Integer::sum);
    }
    for (boolean exists : old.get("exists").exists(gets)) {
      seen.merge("exists", exists ? 1 : 0, Integer::sum);
    }
    seen.put("scan", Tables.rows(old.get("scan"), new Scan()).size());
    int all = KEYS.size();
    assertEquals(Map.of("get", all, "batch", all, "exists", all, "scan", all), seen);

    byte[] row = bytes(KEY);
    old.get("put").put(Tables.put("new|0001", "put"));
    old.get("puts").put(List.of(Tables.put("new|0002", "put"), Tables.put("new|0003", "put")));
    old.get("add").increment(new Increment(row).addColumn(F, N, 1));
    CheckAndMutate ifThere =
        CheckAndMutate.newBuilder(row)
            .ifEquals(F, Q, row)
            .build(new Put(row).addColumn(F, bytes("checked"), row));
    assertEquals(true, old.get("check").checkAndMutate(ifThere).isSuccess());
    old.get("delete").delete(new Delete(bytes("u0051|0001")));
    byte[] other = bytes("u0052|0001");
    old.get("rm").mutateRow(RowMutations.of(List.of(new Delete(other).addColumns(F, Q))));

    try (Table raw = Tables.salted(hbase, name)) {
      RowkeyLayout now = RowkeyLayout.parse(layout);
      List<String> expected = new ArrayList<>(KEYS);
      expected.removeAll(List.of("u0051|0001", "u0052|0001"));
      expected.addAll(List.of("new|0001", "new|0002", "new|0003"));
      expected.replaceAll(key -> Bytes.toString(now.complete(bytes(key))));
      expected.sort(null);
      assertEquals(expected, Tables.rows(raw, new Scan()));
      assertEquals(3, raw.get(new Get(now.complete(row))).size());
    }
  }

  @Test
  void table_droppedAndMadeWithAnotherSalt_isReadAndWrittenAsItIsNow() throws Exception {
    create(Tables.FOUR);
    fill();
    openAll();
    Tables.drop(hbase, name);
    create(SIXTEEN);
    fill();

    assertAllSeesWhatIsThere(SIXTEEN);
  }

  @Test
  void table_emptiedAndAltered_isReadAndWrittenAsItIsNow() throws Exception {
    create(SIXTEEN);
    LayoutSteps steps = new LayoutSteps(hbase.getConnection(), name);
    steps.prepare(RowkeyLayout.parse(Tables.FOUR));
    steps.giveUp();
    fill();
    openAll();
    hbase.getAdmin().disableTable(name);
    hbase.getAdmin().truncateTable(name, true);
    // As the master observer counts.
    hbase
        .getAdmin()
        .modifyTable(
            TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name))
                .setValue("rowguard.layout", Tables.FOUR)
                .setValue("rowguard.layout.version", "3")
                .build());
    fill();

    assertAllSeesWhatIsThere(Tables.FOUR);
  }

  /** A key of the first table is none of the second. */
  @Test
  void asynchronousBuffer_keyThatIsNoneAnyMore_failsAlone() throws Exception {
    create(Tables.FOUR);
    try (AsyncConnection own =
            ConnectionFactory.createAsyncConnection(hbase.getConfiguration()).get();
        AsyncBufferedMutator buffer = SaltedAsyncConnection.over(own).getBufferedMutator(name)) {
      Tables.drop(hbase, name);
      create(SIXTEEN.replace("{user:word}", "{user:text(5)}"));
      List<CompletableFuture<Void>> written =
          buffer.mutate(List.of(Tables.put(KEY, "v"), Tables.put("longer|0001", "v")));
      buffer.flush();
      written.get(0).get(1, TimeUnit.MINUTES);
      ExecutionException e =
          assertThrows(ExecutionException.class, () -> written.get(1).get(1, TimeUnit.MINUTES));
      assertTrue(e.getMessage().contains("takes bare keys"), e.getMessage());
    }
    try (SaltedTable table = open()) {
      assertEquals(List.of(KEY), Tables.rows(table, new Scan()));
    }
  }

  /** To a region in the middle of the second change a client of the first looks a step ahead. */
  @Test
  void table_madeAnewAndInTheSameChangeAgain_isReadAndWrittenAsItIsNow() throws Exception {
    create(Tables.FOUR);
    LayoutSteps steps = new LayoutSteps(hbase.getConnection(), name);
    steps.prepare(RowkeyLayout.parse(SIXTEEN));
    steps.move();
    steps.finish();
    fill();
    openAll();
    Tables.drop(hbase, name);
    create(Tables.FOUR);
    fill();
    steps.prepare(RowkeyLayout.parse(SIXTEEN));
    steps.move();

    assertEquals(KEYS.size(), Tables.rows(old.get("scan"), new Scan()).size());
    List<Get> gets = new ArrayList<>();
    KEYS.forEach(key -> gets.add(Tables.get(key)));
    long found = 0;
    for (Result result : old.get("batch").get(gets)) {
      found += result.isEmpty() ? 0 : 1;
    }
    assertEquals(KEYS.size(), found);
  }
}
