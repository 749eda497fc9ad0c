package io.rowguard.observer;

import static io.rowguard.observer.RelayoutTables.OTHERWISE_SALTED;
import static io.rowguard.observer.RelayoutTables.SALTED;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.relayout.Question;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The rows that a request writes in several regions of a server are pulled together. */
@ExtendWith(MiniCluster.class)
class PullTogetherIT {
  private static final int KEYS = 200;
  private static final int WRITERS = 6;
  private static final String[] SPLITS = {"08-", "16-", "24-", "32-", "40-", "48-", "56-"};

  private final HBaseTestingUtility hbase;

  PullTogetherIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** Counts the questions that regions are asked, of each kind. */
  public static final class Asks implements RegionCoprocessor, RegionObserver {
    private static final Map<Question.Kind, Integer> counts = new ConcurrentHashMap<>();

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preGetOp(
        ObserverContext<RegionCoprocessorEnvironment> context, Get get, List<Cell> results)
        throws IOException {
      Question question = Question.of(get);
      if (question != null) {
        counts.merge(question.kind(), 1, Integer::sum);
      }
    }
  }

  @Test
  void batch_toManyRegions_asksTheRegionsOfOldRowsOnce() throws Exception {
    try (GuardedTable guarded = create()) {
      int calls = calls(guarded);
      Asks.counts.clear();

      guarded.table().put(newRows("new"));

      assertEquals(Map.of(Question.Kind.ASK, calls, Question.Kind.DROP, calls), Asks.counts);
      assertMoved(guarded);
      Asks.counts.clear();
      guarded.table().put(newRows("newer"));
      assertEquals(Map.of(), Asks.counts, "what is pulled is remembered");
    }
  }

  /**
   * Of each server to each region of old rows that it needs: what goes to the third region and
   * every other from there on was in the first, the rest in the second.
   */
  private int calls(GuardedTable guarded) throws IOException {
    Set<String> calls = new HashSet<>();
    List<RegionInfo> regions = hbase.getAdmin().getRegions(guarded.name());
    for (int i = 2; i < regions.size(); i++) {
      calls.add(i % 2 + " " + new Servers(hbase).of(regions.get(i)));
    }
    return calls.size();
  }

  /** Did two of them wait for each other, a client that tries once would see that fail. */
  @Test
  void batches_ofTheSameRowsInAnyOrder_neverWaitForEachOther() throws Exception {
    Configuration conf = new Configuration(hbase.getConfiguration());
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    try (GuardedTable guarded = create();
        Connection impatient = ConnectionFactory.createConnection(conf)) {
      List<Callable<Void>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        List<Put> puts = newRows("w" + i);
        Collections.shuffle(puts, new Random(i));
        List<Put> half = puts.subList(0, KEYS / 2);
        writers.add(
            () -> {
              try (Table table = impatient.getTable(guarded.name())) {
                table.put(half);
                table.put(puts);
              }
              return null;
            });
      }
      for (Future<Void> writer : pool.invokeAll(writers)) {
        writer.get();
      }
      assertMoved(guarded);
    } finally {
      pool.shutdownNow();
    }
  }

  private GuardedTable create() throws IOException {
    GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", SALTED)
            .with("rowguard.salt.timeout.ms", "60000")
            .withSplits(SPLITS)
            .withCoprocessor(Asks.class, 1)
            .create();
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      puts.add(Writes.put(RelayoutTables.row(SALTED, key(i))));
    }
    guarded.table().put(puts);
    RelayoutTables.start(guarded, OTHERWISE_SALTED);
    return guarded;
  }

  private static void assertMoved(GuardedTable guarded) throws IOException {
    List<String> expected =
        IntStream.range(0, KEYS)
            .mapToObj(i -> RelayoutTables.row(OTHERWISE_SALTED, key(i)))
            .sorted()
            .toList();
    assertEquals(expected, guarded.rows());
  }

  private static List<Put> newRows(String value) {
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      puts.add(Writes.put(RelayoutTables.row(OTHERWISE_SALTED, key(i)), value));
    }
    return puts;
  }

  private static String key(int i) {
    return "user" + i + "|0001";
  }
}
