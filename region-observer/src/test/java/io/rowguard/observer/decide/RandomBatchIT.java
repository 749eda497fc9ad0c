package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Row;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Several clients send random batches to the same rows at once. Of every action the client gets the
 * result that the oracle knows, and a scan finds what results say.
 */
@ExtendWith(MiniCluster.class)
class RandomBatchIT {
  private static final int CLIENTS = 3;
  private static final int[] SIZES = {30, 1, 200, 2, 7, 1_000, 1, 60, 3, 30};
  private static final int[] BAD_PERCENTS = {25, 0, 50, 10, 25, 100, 100};
  private static final int BATCHES = 25;

  private final HBaseTestingUtility hbase;

  RandomBatchIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @ParameterizedTest
  @CsvSource({"1, 20000", "2, 3", "3, 1"})
  void batches_ofManyClientsAtOnce_areAnsweredAsTheyAreStored(long seed, int miniBatch)
      throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT)
            .withSplits("u|02", "u|05", "u|09")
            .withMiniBatchesOf(miniBatch)
            .create()) {
      RandomBatches.Model model = new RandomBatches.Model();
      List<Callable<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        RandomBatches batches = new RandomBatches(seed * 100 + i, String.valueOf((char) ('a' + i)));
        clients.add(() -> send(guarded, batches, model));
      }
      int refused = 0;
      int sent = 0;
      for (int i = 0; i < BATCHES; i++) {
        sent += CLIENTS * SIZES[i % SIZES.length];
      }
      ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
      try {
        for (Future<Integer> client : threads.invokeAll(clients, 3, TimeUnit.MINUTES)) {
          refused += client.get();
        }
      } finally {
        threads.shutdownNow();
      }

      assertTrue(sent > 8_000);
      assertTrue(refused > sent / 10, "hardly a refusal: " + refused);
      assertEquals(new TreeMap<>(model.cells()), stored(guarded));
    }
  }

  /** Sends the batches of one client; answers how many of its actions were refused. */
  private static int send(GuardedTable guarded, RandomBatches batches, RandomBatches.Model model)
      throws Exception {
    int refused = 0;
    for (int i = 0; i < BATCHES; i++) {
      List<RandomBatches.Action> batch =
          batches.next(SIZES[i % SIZES.length], BAD_PERCENTS[i % BAD_PERCENTS.length]);
      List<Row> actions = new ArrayList<>();
      for (RandomBatches.Action action : batch) {
        actions.add(action.action());
      }
      Object[] results = guarded.batch(actions);
      for (int k = 0; k < results.length; k++) {
        RandomBatches.Action action = batch.get(k);
        boolean failed = results[k] instanceof Throwable;
        assertEquals(action.refused(), failed, "batch " + i + ": " + action + ": " + results[k]);
        if (failed) {
          assertTrue(Refusals.messageOf(results[k]).startsWith("Rowkey does not fit the layout: "));
          refused++;
        } else {
          model.apply(action);
        }
      }
    }
    return refused;
  }

  private static Map<String, String> stored(GuardedTable guarded) throws IOException {
    Map<String, String> cells = new TreeMap<>();
    for (String cell : guarded.latestCells()) {
      int equals = cell.indexOf('=');
      cells.put(cell.substring(0, equals), cell.substring(equals + 1));
    }
    return cells;
  }
}
