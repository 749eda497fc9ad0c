package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.testing.WholeOnly;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A client sees of a table whose layout changes all the time the same as of one whose layout stays:
 * each read is that of a map, each write is carried out once. No cluster.
 */
@Tag("long")
class ChangingWorldTest {
  private static final byte[] N = bytes("n");
  private static final List<String> KEYS = Tables.keys(30, 4);

  private final NavigableMap<String, Map<String, String>> expected = new TreeMap<>();
  private Random random;
  private ChangingWorld world;
  private Table table;

  @WholeOnly(after = 6)
  @ParameterizedTest(name = "seed {0} backs {1}")
  @CsvSource({
    "1,false", "6,true", "2,false", "7,true", "3,false", "8,true", "4,false", "5,false", "9,true",
    "10,true", "11,true", "12,true", "13,true", "14,true", "15,true", "16,true", "17,true"
  })
  void client_layoutChangesAllTheTime_seesAndWritesAsIfItStayed(long seed, boolean backs)
      throws Exception {
    random = new Random(seed);
    world = new ChangingWorld(seed, ChangingWorld.layouts(), backs);
    table = world.open();
    int rounds = 0;
    while (!world.isOver() || rounds < 300) {
      if (random.nextInt(30) == 0) {
        table = world.open();
      }
      act("seed=" + seed + " round=" + rounds);
      rounds++;
      assertTrue(rounds < 100_000, "it comes to no end");
    }
    assertEquals(expected.keySet().size(), KEYS.stream().filter(world::has).count());
    assertTrue(world.alters >= 12, "alters=" + world.alters);
    assertTrue(world.pulls > 50 && world.refusals > 5, world.pulls + " " + world.refusals);
  }

  @ParameterizedTest(name = "seed {0} backs {1}")
  @CsvSource({"31,false", "32,false", "33,false", "34,true", "35,true", "36,true"})
  void asyncClient_layoutChangesAllTheTime_seesAndWritesAsIfItStayed(long seed, boolean backs)
      throws Exception {
    random = new Random(seed);
    world = new ChangingWorld(seed, ChangingWorld.layouts(), backs);
    table = AsyncView.of(world.openAsync(), seed);
    int rounds = 0;
    while (!world.isOver() || rounds < 300) {
      if (random.nextInt(30) == 0) {
        table = AsyncView.of(world.openAsync(), seed + rounds);
      }
      act("seed=" + seed + " round=" + rounds);
      rounds++;
      assertTrue(rounds < 100_000, "it comes to no end");
    }
    assertEquals(expected.keySet().size(), KEYS.stream().filter(world::has).count());
    assertTrue(world.pulls > 50 && world.refusals > 5, world.pulls + " " + world.refusals);
  }

  /** As {@link #buffer_layoutChangesAllTheTime_writesAsIfItStayed}. */
  @ParameterizedTest(name = "seed {0} backs {1}")
  @CsvSource({"41,false", "42,true", "43,true"})
  void asyncBuffer_layoutChangesAllTheTime_writesAsIfItStayed(long seed, boolean backs)
      throws Exception {
    random = new Random(seed);
    world = new ChangingWorld(seed, ChangingWorld.layouts(), backs);
    table = AsyncView.of(world.openAsync(), seed);
    SaltedAsyncBufferedMutator mutator = world.asyncMutator();
    for (int round = 0; !world.isOver(); round++) {
      List<String> keys = new ArrayList<>(KEYS);
      Collections.shuffle(keys, random);
      List<CompletableFuture<Void>> futures = new ArrayList<>();
      for (String key : keys.subList(0, 1 + random.nextInt(60))) {
        int kind = random.nextInt(4);
        if (kind == 0) {
          expected.remove(key);
        }
        futures.add(
            mutator.mutate(
                kind == 0 ? new Delete(bytes(key)) : kind == 1 ? increment(key) : put(key)));
      }
      if (random.nextBoolean()) {
        mutator.flush();
      } else {
        mutator.close();
        mutator = world.asyncMutator();
      }
      for (CompletableFuture<Void> future : futures) {
        AsyncView.get(future);
      }
      gets("seed=" + seed + " round=" + round);
      assertTrue(round < 100_000, "it comes to no end");
    }
    assertEquals(expected.keySet().size(), KEYS.stream().filter(world::has).count());
    assertTrue(world.pulls > 50 && world.refusals > 5, world.pulls + " " + world.refusals);
  }

  /** Each key once between two flushes: what is sent again may come behind what was added later. */
  @ParameterizedTest(name = "seed {0} backs {1}")
  @CsvSource({"21,false", "22,false", "23,true", "24,true", "25,true", "26,true"})
  void buffer_layoutChangesAllTheTime_writesAsIfItStayed(long seed, boolean backs)
      throws Exception {
    random = new Random(seed);
    world = new ChangingWorld(seed, ChangingWorld.layouts(), backs);
    table = world.open();
    SaltedBufferedMutator mutator = world.mutator((failure, buffer) -> fail(failure));
    for (int round = 0; !world.isOver(); round++) {
      List<String> keys = new ArrayList<>(KEYS);
      Collections.shuffle(keys, random);
      for (String key : keys.subList(0, 1 + random.nextInt(60))) {
        int kind = random.nextInt(4);
        if (kind == 0) {
          expected.remove(key);
        }
        mutator.mutate(kind == 0 ? new Delete(bytes(key)) : kind == 1 ? increment(key) : put(key));
      }
      if (random.nextBoolean()) {
        mutator.flush();
      } else {
        mutator.close();
        mutator = world.mutator((failure, buffer) -> fail(failure));
      }
      gets("seed=" + seed + " round=" + round);
      assertTrue(round < 100_000, "it comes to no end");
    }
    assertEquals(expected.keySet().size(), KEYS.stream().filter(world::has).count());
    assertTrue(world.pulls > 50 && world.refusals > 5, world.pulls + " " + world.refusals);
  }

  private static void fail(RetriesExhaustedWithDetailsException failure) {
    throw new AssertionError("It is reported", failure);
  }

  private String key() {
    return KEYS.get(random.nextInt(KEYS.size()));
  }

  private void act(String where) throws IOException, InterruptedException {
    String key = key();
    switch (random.nextInt(8)) {
      case 0:
        table.put(put(key));
        break;
      case 1:
        List<Put> puts = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          puts.add(put(key()));
        }
        table.put(puts);
        break;
      case 2:
        Result result = table.increment(increment(key));
        assertEquals(
            expected.get(key).get("n"), "" + Bytes.toLong(result.getValue(F, N)), where + key);
        break;
      case 3:
        delete(where);
        break;
      case 4:
        assertEquals("" + expected.get(key), show(table.get(new Get(bytes(key)))), where + key);
        break;
      case 5:
        gets(where);
        break;
      case 6:
        batch(where);
        break;
      default:
        scan(where);
    }
  }

  private Put put(String key) {
    String value = "v" + random.nextInt(1000);
    Put put = new Put(bytes(key));
    for (int i = 0; i < 5; i++) {
      String qualifier = "q" + i;
      expected.computeIfAbsent(key, one -> new TreeMap<>()).put(qualifier, value);
      put.addColumn(F, bytes(qualifier), bytes(value));
    }
    return put;
  }

  private Increment increment(String key) {
    expected
        .computeIfAbsent(key, one -> new TreeMap<>())
        .merge("n", "1", (a, b) -> "" + (Long.parseLong(a) + 1));
    return new Increment(bytes(key)).addColumn(F, N, 1);
  }

  private void delete(String where) throws IOException {
    if (random.nextBoolean()) {
      String key = key();
      expected.remove(key);
      table.delete(new Delete(bytes(key)));
      return;
    }
    List<Delete> deletes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String key = key();
      expected.remove(key);
      deletes.add(new Delete(bytes(key)));
    }
    List<Delete> left = new ArrayList<>(deletes);
    table.delete(left);
    assertTrue(left.isEmpty() || left.equals(deletes), where + left);
  }

  private void gets(String where) throws IOException {
    List<Get> gets = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      String key = key();
      gets.add(new Get(bytes(key)));
      shown.add("" + expected.get(key));
    }
    List<String> found = new ArrayList<>();
    for (Result result : table.get(gets)) {
      found.add(show(result));
    }
    assertEquals(shown, found, where);
  }

  /** Each key once: nothing says in which order the actions of a batch are carried out. */
  private void batch(String where) throws IOException, InterruptedException {
    List<String> keys = new ArrayList<>(KEYS);
    Collections.shuffle(keys, random);
    List<Row> actions = new ArrayList<>();
    List<String> shown = new ArrayList<>();
    for (String key : keys.subList(0, 9)) {
      int kind = random.nextInt(3);
      actions.add(kind == 0 ? put(key) : kind == 1 ? increment(key) : (Row) new Get(bytes(key)));
      shown.add(kind == 0 ? "null" : "" + expected.get(key));
    }
    Object[] results = new Object[actions.size()];
    table.batch(actions, results);
    List<String> found = new ArrayList<>();
    for (Object result : results) {
      found.add(show((Result) result));
    }
    assertEquals(shown, found, where);
  }

  private void scan(String where) throws IOException {
    Scan scan = new Scan().setReversed(random.nextBoolean()).setCaching(1 + random.nextInt(9));
    NavigableMap<String, Map<String, String>> range = new TreeMap<>(expected);
    if (random.nextBoolean()) {
      String from = key();
      String to = key();
      boolean swap = from.compareTo(to) > 0;
      range = range.subMap(swap ? to : from, true, swap ? from : to, true);
      String low = swap ? to : from;
      String high = swap ? from : to;
      scan.withStartRow(bytes(scan.isReversed() ? high : low), true);
      scan.withStopRow(bytes(scan.isReversed() ? low : high), true);
    }
    boolean inParts = random.nextBoolean();
    int limit = inParts || random.nextBoolean() ? -1 : 1 + random.nextInt(60);
    if (inParts) {
      // So few bytes that a window could end in the middle of a row.
      scan.setBatch(1).setMaxResultSize(1 + random.nextInt(200));
    } else if (limit > 0) {
      scan.setLimit(limit);
    }
    List<String> shown = new ArrayList<>();
    (scan.isReversed() ? range.descendingMap() : range)
        .forEach((key, cells) -> add(shown, key, cells, inParts));
    List<String> all = limit > 0 ? shown.subList(0, Math.min(limit, shown.size())) : shown;
    List<String> found = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        found.add(Bytes.toString(result.getRow()) + show(result));
      }
    }
    assertEquals(all, found, where + " " + scan);
  }

  private static void add(
      List<String> shown, String key, Map<String, String> cells, boolean inParts) {
    if (inParts) {
      cells.forEach((qualifier, value) -> shown.add(key + Map.of(qualifier, value)));
    } else {
      shown.add(key + cells);
    }
  }

  private static String show(Result result) {
    if (result.isEmpty()) {
      return "null";
    }
    Map<String, String> cells = new TreeMap<>();
    for (Cell cell : result.rawCells()) {
      byte[] value = CellUtil.cloneValue(cell);
      boolean number = CellUtil.matchingQualifier(cell, N);
      cells.put(
          Bytes.toString(CellUtil.cloneQualifier(cell)),
          number ? "" + Bytes.toLong(value) : Bytes.toString(value));
    }
    return cells.toString();
  }
}
