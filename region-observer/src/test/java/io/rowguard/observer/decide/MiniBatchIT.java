package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.Refusals.placesOf;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * HBase writes a batch in mini-batches, sorted by row, and asks the observer for each. Here they
 * are small, so that every place in one, and a bad row all alone in one, comes by.
 */
@ExtendWith(MiniCluster.class)
class MiniBatchIT {
  private final HBaseTestingUtility hbase;

  MiniBatchIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "1, 7", "2, 7", "3, 7", "4, 8", "5, 11", "7, 50"})
  void batch_oneBadRowAtEveryPlace_failsItOnly(int miniBatch, int size) throws Exception {
    try (GuardedTable guarded = create(miniBatch)) {
      Set<String> expected = new TreeSet<>();
      for (int bad = 0; bad < size; bad++) {
        List<Row> puts = new ArrayList<>();
        for (int i = 0; i < size; i++) {
          String row = String.format("u%d|%04d", bad, i);
          if (i == bad) {
            puts.add(put(row + "x"));
          } else {
            puts.add(put(row));
            expected.add(row);
          }
        }

        assertEquals(Set.of(bad), placesOf(guarded.batch(puts)));
      }
      assertEquals(new ArrayList<>(expected), guarded.rows());
    }
  }

  @Test
  void batch_lastMiniBatchOfOneBadRow_failsItOnly() throws Exception {
    try (GuardedTable guarded = create(4)) {
      List<Row> puts =
          List.of(put("z|x"), put("a|0001"), put("a|0002"), put("a|0003"), put("a|0004"));

      assertEquals(Set.of(0), placesOf(guarded.batch(puts)));
      assertEquals(4, guarded.rows().size());
    }
  }

  @Test
  void batch_miniBatchOfTheSameBadRow_failsItOnly() throws Exception {
    try (GuardedTable guarded = create(2)) {
      List<Row> puts =
          List.of(
              put("a|0001"),
              put("a|0002"),
              put("b|x", "1"),
              put("b|x", "2"),
              put("c|0003"),
              put("c|0004"));

      assertEquals(Set.of(2, 3), placesOf(guarded.batch(puts)));
      assertEquals(List.of("a|0001", "a|0002", "c|0003", "c|0004"), guarded.rows());
    }
  }

  @Test
  void batch_putsAndDeletesOfABadRowInMiniBatchesOfTheirOwn_failsThePutsOnly() throws Exception {
    try (GuardedTable guarded = create(2)) {
      guarded.plant("b|x");
      List<Row> actions =
          List.of(
              put("a|0001"),
              put("a|0002"),
              put("b|x", "1"),
              put("b|x", "2"),
              delete("b|x"),
              delete("b|x"),
              put("c|0003"),
              put("d|x"));

      assertEquals(Set.of(2, 3, 7), placesOf(guarded.batch(actions)));
      assertEquals(List.of("a|0001", "a|0002", "c|0003"), guarded.rows());
    }
  }

  @Test
  void batch_withRowMutationsOnOtherRowsOfTheRegion_failsTheBadRowsOnly() throws Exception {
    try (GuardedTable guarded = create(1)) {
      List<Row> actions =
          List.of(
              together(put("b|x")),
              put("a|0001"),
              put("c|x"),
              together(put("d|0004")),
              put("e|0005"),
              put("z|x"));

      assertEquals(Set.of(0, 2, 5), placesOf(guarded.batch(actions)));
      assertEquals(List.of("a|0001", "d|0004", "e|0005"), guarded.rows());
    }
  }

  @Test
  void batch_rowMutationsOnABadRowAndThatRowAloneInAMiniBatch_failsThatRowOnly() throws Exception {
    try (GuardedTable guarded = create(2)) {
      List<Row> actions =
          List.of(
              put("a|0001"),
              put("a|0002"),
              put("b|x"),
              put("b|x"),
              put("c|0003"),
              together(put("b|x")));

      Object[] results = guarded.batch(actions);

      assertEquals(List.of("a|0001", "a|0002", "c|0003"), guarded.rows());
      assertEquals(Set.of(2, 3, 5), placesOf(results));
    }
  }

  @Test
  void batch_checkAndMutateOnABadRowAndThatRowAloneInAMiniBatch_failsThatRowOnly()
      throws Exception {
    try (GuardedTable guarded = create(2)) {
      List<Row> actions =
          List.of(
              put("a|0001"),
              put("a|0002"),
              put("z|x"),
              CheckAndMutate.newBuilder(bytes("z|x")).ifNotExists(F, bytes("q")).build(put("z|x")));

      Object[] results = guarded.batch(actions);

      assertEquals(List.of("a|0001", "a|0002"), guarded.rows());
      assertEquals(Set.of(2, 3), placesOf(results));
    }
  }

  private GuardedTable create(int miniBatch) throws IOException {
    return GuardedTable.of(hbase, "rowguard.layout", LAYOUT).withMiniBatchesOf(miniBatch).create();
  }
}
