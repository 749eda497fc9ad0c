package io.rowguard.client;

import static io.rowguard.client.Tables.F;
import static io.rowguard.client.Tables.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.RowkeyLayout;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The answers to increments and appends get lost, the table's layout goes a step on, and HBase's
 * client tries again: whatever its user is told, each was carried out once.
 */
@ExtendWith(MiniCluster.class)
@Tag("long")
class LostAnswersIT {
  private static final String SIXTEEN = Tables.FOUR.replace("%4", "%16");
  private static final byte[] COUNTER = Bytes.toBytes("n");
  private static final byte[] TEXT = Bytes.toBytes("s");

  /** For each of the ways to add something, so many keys. */
  private static final int KEYS = 3;

  private static final int ADDS = 7;

  private final HBaseTestingUtility hbase;
  private final ExecutorService client = Executors.newCachedThreadPool();
  private TableName name;
  private SaltedTable table;
  private LayoutSteps steps;

  LostAnswersIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @BeforeEach
  void create() throws IOException {
    name = Tables.create(hbase, Tables.FOUR, "reject", "01-", "02-", "03-", "08-", "12-");
    Tables.load(hbase, name, LostAnswers.class);
    steps = new LayoutSteps(hbase.getConnection(), name);
  }

  @AfterEach
  void drop() throws IOException {
    LostAnswers.isOn = false;
    client.shutdownNow();
    table.close();
    Tables.drop(hbase, name);
  }

  /** A step of the change. */
  private interface Step {
    void run() throws Exception;
  }

  /** A way to add something to a row. */
  private interface Add {
    void to(String key) throws IOException, InterruptedException;
  }

  private void increment(String key) throws IOException {
    table.increment(new Increment(bytes(key)).addColumn(F, COUNTER, 1));
  }

  private void append(String key) throws IOException {
    table.append(new Append(bytes(key)).addColumn(F, TEXT, bytes("x")));
  }

  private void batch(String key) throws IOException, InterruptedException {
    List<Increment> batch = List.of(new Increment(bytes(key)).addColumn(F, COUNTER, 1));
    table.batch(batch, new Object[1]);
  }

  private void together(String key) throws IOException {
    table.mutateRow(putAndIncrement(key));
  }

  private void appendTogether(String key) throws IOException {
    table.mutateRow(
        RowMutations.of(
            List.of(
                Tables.put(key, "put"), new Append(bytes(key)).addColumn(F, TEXT, bytes("x")))));
  }

  private void ifMissing(String key) throws IOException {
    table.checkAndMutate(missing(key).build(new Increment(bytes(key)).addColumn(F, COUNTER, 1)));
  }

  private void togetherIfMissing(String key) throws IOException, InterruptedException {
    table.batch(List.of(missing(key).build(putAndIncrement(key))), new Object[1]);
  }

  private static RowMutations putAndIncrement(String key) throws IOException {
    return RowMutations.of(
        List.of(Tables.put(key, "put"), new Increment(bytes(key)).addColumn(F, COUNTER, 1)));
  }

  /** A condition that is true before and after. */
  private static CheckAndMutate.Builder missing(String key) {
    return CheckAndMutate.newBuilder(bytes(key)).ifNotExists(F, bytes("missing"));
  }

  /** Those that have different rows under the two layouts. */
  private static List<String> keys(int count) {
    List<String> keys = new ArrayList<>(Tables.keys(100, 1));
    keys.removeIf(key -> Arrays.equals(row(Tables.FOUR, key), row(SIXTEEN, key)));
    return keys.subList(0, count);
  }

  private static byte[] row(String layout, String key) {
    return RowkeyLayout.parse(layout).complete(bytes(key));
  }

  private void assertCarriedOutOnce(Step step) throws Exception {
    assertCarriedOutOnce(keys(KEYS * ADDS), step);
  }

  private void assertCarriedOutOnce(List<String> keys, Step step) throws Exception {
    List<Add> adds =
        List.of(
            this::increment,
            this::append,
            this::batch,
            this::together,
            this::appendTogether,
            this::ifMissing,
            this::togetherIfMissing);
    assertEquals(ADDS, adds.size());
    table = SaltedTable.open(hbase.getConnection(), name);
    LostAnswers.LOST.clear();
    LostAnswers.isOn = true;
    Map<String, Future<?>> answers = new TreeMap<>();
    for (String key : keys) {
      Add add = adds.get(answers.size() % adds.size());
      answers.put(
          key,
          client.submit(
              () -> {
                add.to(key);
                return null;
              }));
    }
    Eventually.isTrue("all answers are lost", () -> LostAnswers.LOST.containsAll(keys));
    step.run();
    LostAnswers.isOn = false;
    Map<String, String> told = new TreeMap<>();
    for (String key : keys) {
      try {
        answers.get(key).get(3, TimeUnit.MINUTES);
        told.put(key, "done");
      } catch (ExecutionException e) {
        assertTrue(e.getCause() instanceof IOException, () -> "" + e.getCause());
        told.put(key, e.getCause().toString());
      }
    }
    try (SaltedTable later = SaltedTable.open(hbase.getConnection(), name)) {
      for (String key : keys) {
        Result row = later.get(new Get(bytes(key)));
        boolean isText = row.containsColumn(F, TEXT);
        byte[] expected = isText ? bytes("x") : Bytes.toBytes(1L);
        assertEquals(
            Bytes.toStringBinary(expected),
            Bytes.toStringBinary(row.getValue(F, isText ? TEXT : COUNTER)),
            () -> key + ": " + told.get(key));
      }
    }
  }

  @Test
  void noStep() throws Exception {
    assertCarriedOutOnce(() -> {});
  }

  @Test
  void prepare() throws Exception {
    assertCarriedOutOnce(() -> steps.prepare(RowkeyLayout.parse(SIXTEEN)));
  }

  @Test
  void move() throws Exception {
    steps.prepare(RowkeyLayout.parse(SIXTEEN));
    assertCarriedOutOnce(steps::move);
  }

  @Test
  void move_afterAnEarlierChange() throws Exception {
    prepare();
    steps.giveUp();
    steps.prepare(RowkeyLayout.parse(SIXTEEN));
    assertCarriedOutOnce(keys(2 * KEYS * ADDS).subList(KEYS * ADDS, 2 * KEYS * ADDS), steps::move);
  }

  @Test
  void prepareAndMove() throws Exception {
    assertCarriedOutOnce(
        () -> {
          steps.prepare(RowkeyLayout.parse(SIXTEEN));
          steps.move();
        });
  }

  @Test
  void giveUp() throws Exception {
    steps.prepare(RowkeyLayout.parse(SIXTEEN));
    assertCarriedOutOnce(steps::giveUp);
  }

  @Test
  void back() throws Exception {
    steps.prepare(RowkeyLayout.parse(SIXTEEN));
    steps.move();
    assertCarriedOutOnce(steps::back);
  }

  @Test
  void finish() throws Exception {
    steps.prepare(RowkeyLayout.parse(SIXTEEN));
    steps.move();
    assertCarriedOutOnce(
        () -> {
          assertTrue(steps.isNothingLeft());
          steps.finish();
        });
  }
}
