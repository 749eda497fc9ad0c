package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.Refusals.messageOf;
import static io.rowguard.observer.fixture.Refusals.placesOf;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.testing.MiniCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.throttle.StoreHotnessProtector;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In a batch only the bad rows fail, each for itself, and the others land. */
@ExtendWith(MiniCluster.class)
class BatchIT {
  private final HBaseTestingUtility hbase;

  BatchIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 20_241, 7_777_777})
  void batch_thousandPutsWithSevenBadRowsAtRandomPlaces_failsExactlyThose(long seed)
      throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      Set<Integer> bad = new TreeSet<>();
      Random random = new Random(seed);
      while (bad.size() < 7) {
        bad.add(random.nextInt(1_000));
      }
      List<Row> puts = puts(1_000, bad);
      Collections.shuffle(puts, random);
      Set<Integer> places = new TreeSet<>();
      for (int i = 0; i < puts.size(); i++) {
        if (Bytes.toString(puts.get(i).getRow()).endsWith("x")) {
          places.add(i);
        }
      }

      Object[] results = guarded.batch(puts);

      assertEquals(places, placesOf(results));
      assertEquals(7, placesOf(results).size());
      List<String> rows = guarded.rows();
      assertEquals(993, rows.size());
      assertTrue(rows.stream().noneMatch(row -> row.endsWith("x")));
      for (int place : places) {
        assertInstanceOf(FailedSanityCheckException.class, Refusals.reasonOf(results[place]));
        String row = Bytes.toString(puts.get(place).getRow());
        assertTrue(messageOf(results[place]).contains(" row=\"" + row + "\" "), "its own message");
      }
    }
  }

  @Test
  void batch_overManyRegions_failsExactlyTheBadRowsOfEach() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT)
            .withSplits("u|01", "u|02", "u|03", "u|04", "u|05", "u|06", "u|07", "u|08", "u|09")
            .create()) {
      Set<Integer> bad = new TreeSet<>(List.of(0, 99, 100, 101, 350, 351, 599, 600, 998, 999));

      Object[] results = guarded.batch(puts(1_000, bad));

      assertEquals(bad, placesOf(results));
      assertEquals(990, guarded.rows().size());
    }
  }

  @Test
  void batch_allRowsBad_failsEveryOne() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      Set<Integer> all = new TreeSet<>();
      for (int i = 0; i < 50; i++) {
        all.add(i);
      }

      assertEquals(all, placesOf(guarded.batch(puts(50, all))));
      assertEquals(List.of(), guarded.cells());
    }
  }

  @Test
  void batch_ofOneBadRow_fails() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      assertEquals(Set.of(0), placesOf(guarded.batch(List.of(put(BAD)))));
      assertEquals(List.of(), guarded.cells());
    }
  }

  @Test
  void batch_ofOneBadRowManyTimes_failsEveryTime() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      List<Row> puts = List.of(put(BAD, "1"), put(BAD, "2"), put(BAD, "3"));

      assertEquals(Set.of(0, 1, 2), placesOf(guarded.batch(puts)));
      assertEquals(List.of(), guarded.cells());
    }
  }

  @Test
  void batch_oneBadRowManyTimesAmongOthers_failsEveryTime() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      List<Row> puts =
          List.of(put("a|0001"), put(BAD, "1"), put("b|0002"), put(BAD, "2"), put("c|0003"));

      assertEquals(Set.of(1, 3), placesOf(guarded.batch(puts)));
      assertEquals(List.of("a|0001", "b|0002", "c|0003"), guarded.rows());
    }
  }

  @Test
  void batch_deletesAndPutsOfOneBadRow_failsThePutsOnly() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      guarded.plant(BAD);

      Object[] results = guarded.batch(List.of(put(BAD, "1"), delete(BAD), put(BAD, "2")));

      assertEquals(Set.of(0, 2), placesOf(results));
      assertEquals(List.of(), guarded.rows());
    }
  }

  @Test
  void batch_withRowMutationsOnTheSameRegion_failsExactlyTheBadOnes() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      List<Row> actions =
          List.of(
              put("a|0001"),
              together(put(BAD), delete(BAD)),
              put("c|0002x"),
              together(put("d|0003"), increment("d|0003")),
              together(put("e|0004x")),
              put("f|0005"));

      assertEquals(Set.of(1, 2, 4), placesOf(guarded.batch(actions)));
      assertEquals(List.of("a|0001", "d|0003", "f|0005"), guarded.rows());
    }
  }

  @Test
  void batch_withRowMutationsOnTheSameBadRow_failsExactlyThatRow() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      List<Row> actions =
          List.of(put(BAD, "1"), together(put(BAD, "2")), put("c|0003"), put(BAD, "3"));

      assertEquals(Set.of(0, 1, 3), placesOf(guarded.batch(actions)));
      assertEquals(List.of("c|0003"), guarded.rows());
    }
  }

  @Test
  void batch_withRowMutationsOnTheSameConformingRow_landsBoth() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      List<Row> actions =
          List.of(put("a|0001"), together(increment("a|0001")), put(BAD), put("a|0001"));

      assertEquals(Set.of(2), placesOf(guarded.batch(actions)));
      assertEquals(2, guarded.latest("a|0001").size());
    }
  }

  /**
   * HBase counts a wide row in before the observer is asked, and counts it out only when its status
   * is SUCCESS or FAILURE ({@code HRegion.BatchOperation#doFinishHotnessProtector}).
   */
  @Test
  void batch_refusedWideRowsWhereParallelPutsAreLimited_doNotUseUpTheLimit() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(
                hbase,
                "rowguard.layout",
                LAYOUT,
                StoreHotnessProtector.PARALLEL_PUT_STORE_THREADS_LIMIT,
                "2",
                StoreHotnessProtector.PARALLEL_PUT_STORE_THREADS_LIMIT_MIN_COLUMN_COUNT,
                "10")
            .create()) {
      for (int i = 0; i < 10; i++) {
        assertEquals(
            Set.of(0), placesOf(guarded.batch(List.of(wide("b|x"), put("a|" + (1000 + i))))));
      }

      assertTrue(placesOf(guarded.batch(List.of(wide("w|0001"), put("a|0001")))).isEmpty());
      assertEquals(12, guarded.rows().size());
    }
  }

  /** Puts of the rows u|0000, u|0001 and so on; those of these numbers end with an x. */
  private static List<Row> puts(int count, Set<Integer> bad) {
    List<Row> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      puts.add(put(String.format("u|%04d%s", i, bad.contains(i) ? "x" : "")));
    }
    return puts;
  }

  private static Put wide(String row) {
    Put put = new Put(bytes(row));
    for (int i = 0; i < 20; i++) {
      put.addColumn(F, Bytes.toBytes("q" + i), Bytes.toBytes("v"));
    }
    return put;
  }
}
