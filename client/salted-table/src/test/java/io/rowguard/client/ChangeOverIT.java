package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.Q;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients that have opened a table before its layout changes, and go on reading and writing while
 * it does: nothing fails, nothing is lost, nothing is carried out twice. With the region observer.
 */
@ExtendWith(MiniCluster.class)
@Tag("long")
class ChangeOverIT {
  private static final String[] LAYOUTS = {
    "{user:word}|{item:digits(4)}",
    "{salt:digits(2)=murmur3(user)%16}-{user:word}|{item:digits(4)}",
    "{salt:digits(2)=murmur3(user)%64}-{user:word}|{item:digits(4)}"
  };
  private static final List<String> STABLE = Tables.keys(60, 5);
  private static final byte[] N = bytes("n");

  private final AtomicBoolean over = new AtomicBoolean();
  private final List<Future<Integer>> clients = new ArrayList<>();
  private HBaseTestingUtility hbase;
  private TableName name;
  private long version;

  @ParameterizedTest
  @ValueSource(strings = {"reject", "salt"})
  void clients_tableOpenedBefore_goOnThroughTwoChanges(String mode, HBaseTestingUtility hbase)
      throws Exception {
    this.hbase = hbase;
    boolean salt = mode.equals("salt");
    List<String> layouts = new ArrayList<>(List.of(LAYOUTS));
    if (salt) {
      // There is nothing to salt in the first.
      layouts.remove(0);
    }
    name = Tables.create(hbase, layouts.get(0), mode, "04-", "20-u", "4", "u0020|", "w3");
    ExecutorService threads = Executors.newCachedThreadPool();
    try (SaltedTable table = open()) {
      Tables.fill(table, STABLE);
      SaltedTable idle = open();
      SaltedTable deleting = open();
      SaltedTable comparing = open();
      start(threads, table);
      for (int i = 1; i < layouts.size(); i++) {
        change(layouts.get(i - 1), layouts.get(i));
      }
      over.set(true);
      for (Future<Integer> client : clients) {
        int rounds = client.get();
        assertTrue(rounds > 5, "rounds=" + rounds);
      }
      // This one has not done anything since before the first change.
      idle.put(Tables.put("u0000|0000", "late"));
      assertEquals("late", value(table.get(Tables.get("u0000|0000"))));
      assertEquals(STABLE, Tables.rows(idle, inStable()));
      assertEquals(RowkeyLayout.parse(layouts.get(layouts.size() - 1)), idle.layout());
      CheckAndMutate ifLate =
          CheckAndMutate.newBuilder(Tables.bytes("u0000|0000"))
              .ifEquals(Tables.F, Tables.Q, Tables.bytes("late"))
              .build(new Delete(Tables.bytes("u0000|0000")));
      assertTrue(comparing.checkAndMutate(ifLate).isSuccess());
      table.put(Tables.put("u0000|0000", "again"));
      deleting.delete(new Delete(Tables.bytes("u0000|0000")));
      assertTrue(table.get(Tables.get("u0000|0000")).isEmpty());
      for (SaltedTable each : List.of(idle, deleting, comparing)) {
        each.close();
      }
    } finally {
      over.set(true);
      threads.shutdown();
    }
    Tables.drop(hbase, name);
  }

  private SaltedTable open() throws IOException {
    return SaltedTable.open(hbase.getConnection(), name);
  }

  private void start(ExecutorService threads, SaltedTable shared) throws IOException {
    clients.add(threads.submit(inRounds(open(), (table, random) -> scan(table, random))));
    clients.add(threads.submit(inRounds(shared, (table, random) -> scan(table, random))));
    clients.add(threads.submit(inRounds(shared, counter("w1"))));
    clients.add(threads.submit(inRounds(open(), counter("w2"))));
    clients.add(threads.submit(inRounds(open(), batches("w3"))));
    clients.add(threads.submit(inRounds(shared, batches("w4"))));
  }

  private interface Client {
    void act(SaltedTable table, Random random) throws Exception;
  }

  private Callable<Integer> inRounds(SaltedTable table, Client client) {
    Random random = new Random(clients.size());
    return () -> {
      int rounds = 0;
      while (!over.get()) {
        client.act(table, random);
        rounds++;
      }
      return rounds;
    };
  }

  private static Scan inStable() {
    return new Scan().withStartRow(bytes("u")).withStopRow(bytes("v"));
  }

  /** The keys that nobody writes are all there, once and in order; the others once and in order. */
  private static void scan(SaltedTable table, Random random) throws IOException {
    boolean reversed = random.nextBoolean();
    List<String> expected = new ArrayList<>(STABLE);
    Scan scan = new Scan().setReversed(reversed).setCaching(1 + random.nextInt(100));
    int limit = random.nextBoolean() ? -1 : 1 + random.nextInt(200);
    if (limit > 0) {
      scan.withStartRow(bytes(reversed ? "v" : "u")).setLimit(limit);
    } else if (random.nextInt(3) == 0) {
      scan.setBatch(1);
    }
    if (reversed) {
      Collections.reverse(expected);
    }
    List<String> all = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result : scanner) {
        String row = Bytes.toString(result.getRow());
        boolean again = !all.isEmpty() && all.get(all.size() - 1).equals(row);
        assertFalse(again && scan.getBatch() < 0, row + " twice");
        if (!again) {
          all.add(row);
        }
      }
    }
    List<String> sorted = new ArrayList<>(all);
    sorted.sort(reversed ? Collections.reverseOrder() : null);
    assertEquals(sorted, all);
    List<String> found = new ArrayList<>(all);
    found.removeIf(row -> !row.startsWith("u"));
    assertEquals(limit < 0 ? expected : expected.subList(0, limit), found);
  }

  /** A row's only writer knows each answer beforehand. */
  private Client counter(String user) {
    long[] counts = new long[20];
    return (table, random) -> {
      int i = random.nextInt(counts.length);
      byte[] key = bytes(String.format("%s|%04d", user, i));
      switch (random.nextInt(5)) {
        case 0:
          CheckAndMutate check =
              CheckAndMutate.newBuilder(key)
                  .ifMatches(F, N, CompareOperator.EQUAL, Bytes.toBytes(counts[i]))
                  .build(new Put(key).addColumn(F, N, Bytes.toBytes(counts[i] + 10)));
          assertEquals(counts[i] > 0, table.checkAndMutate(check).isSuccess());
          counts[i] += counts[i] > 0 ? 10 : 0;
          break;
        case 1:
          table.append(new Append(key).addColumn(F, Q, bytes("x")));
          table.mutateRow(
              RowMutations.of(
                  List.of(
                      new Delete(key).addColumns(F, Q),
                      new Put(key).addColumn(F, N, Bytes.toBytes(++counts[i])))));
          break;
        case 2:
          byte[] value = table.get(new Get(key)).getValue(F, N);
          assertEquals(counts[i], value == null ? 0 : Bytes.toLong(value), Bytes.toString(key));
          break;
        default:
          Result result = table.increment(new Increment(key).addColumn(F, N, 1));
          assertEquals(++counts[i], Bytes.toLong(result.getValue(F, N)), Bytes.toString(key));
      }
    };
  }

  private Client batches(String user) {
    String[] values = new String[60];
    return (table, random) -> {
      List<Integer> some = new ArrayList<>();
      for (int i = 0; i < values.length; i++) {
        if (random.nextInt(4) == 0) {
          some.add(i);
        }
      }
      List<Put> puts = new ArrayList<>();
      List<Get> gets = new ArrayList<>();
      List<Delete> deletes = new ArrayList<>();
      for (int i : some) {
        String key = String.format("%s|%04d", user, i);
        gets.add(Tables.get(key));
        if (random.nextInt(5) == 0) {
          deletes.add(new Delete(bytes(key)));
          values[i] = null;
        } else {
          values[i] = "v" + random.nextInt(1 << 20);
          puts.add(Tables.put(key, values[i]));
        }
      }
      if (random.nextBoolean()) {
        table.put(puts);
        table.delete(deletes);
      } else {
        List<Row> actions = new ArrayList<>(puts);
        actions.addAll(deletes);
        table.batch(actions, new Object[actions.size()]);
      }
      Result[] results = table.get(gets);
      for (int i = 0; i < results.length; i++) {
        assertEquals(values[some.get(i)], value(results[i]), user + some.get(i));
      }
    };
  }

  private static String value(Result result) {
    byte[] value = result.getValue(F, Q);
    return value == null ? null : Bytes.toString(value);
  }

  private void change(String from, String to) throws Exception {
    long generation = version + 1;
    alter(from, to, "prepared", generation);
    Thread.sleep(500);
    alter(from, to, "moving", generation);
    Thread.sleep(500);
    RowkeyLayout old = RowkeyLayout.parse(from);
    RowkeyLayout now = RowkeyLayout.parse(to);
    int left = 1;
    for (int pass = 0; left > 0; pass++) {
      assertTrue(pass < 20, "old rows stay: " + left);
      left = 0;
      try (Table raw = Tables.salted(hbase, name);
          ResultScanner scanner = raw.getScanner(new Scan())) {
        for (Result result : scanner) {
          byte[] row = result.getRow();
          if (old.check(row).conforms() && !now.check(row).conforms()) {
            left++;
            touch(raw, generation, now.complete(old.strip(row)));
          }
        }
      }
    }
    alter(null, to, null, 0);
  }

  private static void touch(Table raw, long generation, byte[] newRow) throws IOException {
    RelayoutResponse response =
        RelayoutResponse.of(
            raw.get(RelayoutRequest.touch(generation, List.of(newRow)).toGet(newRow)));
    RelayoutResponse.Outcome outcome = response.items().get(0).outcome();
    assertTrue(
        outcome == RelayoutResponse.Outcome.DONE || outcome == RelayoutResponse.Outcome.UNMOVED,
        outcome + " " + response.items().get(0).words());
  }

  private void alter(String from, String to, String phase, long generation) throws Exception {
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(hbase.getAdmin().getDescriptor(name));
    set(table, "rowguard.layout", to);
    set(table, "rowguard.layout.previous", from);
    set(table, "rowguard.layout.phase", phase);
    set(table, "rowguard.layout.generation", from == null ? null : "" + generation);
    set(table, "rowguard.layout.version", "" + ++version);
    hbase.getAdmin().modifyTable(table.build());
  }

  private static void set(TableDescriptorBuilder table, String key, String value) {
    if (value == null) {
      table.removeValue(Bytes.toBytes(key));
    } else {
      table.setValue(key, value);
    }
  }
}
