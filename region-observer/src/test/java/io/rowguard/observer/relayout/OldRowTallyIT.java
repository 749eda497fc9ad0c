package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.Asked.answer;
import static io.rowguard.observer.fixture.Asked.outcomes;
import static io.rowguard.observer.fixture.Asked.rows;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.RelayoutTables.UNSALTED;
import static io.rowguard.observer.fixture.Writes.bytes;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.observer.fixture.Asked;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.relayout.RegionProgress;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import io.rowguard.testing.MiniCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The tally of regions, against a count of the rows that have gone and are left. */
@ExtendWith(MiniCluster.class)
class OldRowTallyIT {
  private static final int ROWS = 300;

  private final HBaseTestingUtility hbase;
  private final Servers servers;

  OldRowTallyIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
    this.servers = new Servers(hbase);
  }

  private static String row(int i) {
    return "u" + i + "|0001";
  }

  /** Each piece is of one row, so rows go before, while and after they are counted. */
  @Test
  void progress_whileRowsGo_isThatOfTheRegion() throws Exception {
    LayoutChange change = LayoutChange.of(RowkeyLayout.parse(UNSALTED), RowkeyLayout.parse(SALTED));
    try (GuardedTable guarded = GuardedTable.of(hbase, "rowguard.layout", UNSALTED).create()) {
      List<byte[]> doomed = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        guarded.table().put(put(row(i)));
        if (i % 3 > 0) {
          doomed.add(bytes(row(i)));
        }
      }
      HRegion region = servers.regionsOf(guarded.name()).get(0);
      for (int seed = 0; seed < 3; seed++) {
        OldRowTally tally = new OldRowTally(region, change, 0);
        Collections.shuffle(doomed, new Random(seed));
        List<byte[]> some = List.copyOf(doomed.subList(0, doomed.size() / 2));
        doomed.removeAll(some);
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
          Future<?> going = other.submit(() -> drop(region, tally, some));
          RegionProgress progress = tally.progress();
          assertTrue(progress.left() <= 1 && !progress.isCounted(), progress.toString());
          while (!progress.isCounted()) {
            progress = tally.progress();
          }
          going.get();
        } finally {
          other.shutdown();
        }
        RegionProgress progress = tally.progress();
        String message = "seed=" + seed + " " + progress;
        assertEquals(guarded.rows().size(), progress.left(), message);
        assertEquals(some.size(), progress.gone(), message);
        assertEquals(some.size(), progress.lately(), message);
      }
    }
  }

  private static Void drop(HRegion region, OldRowTally tally, List<byte[]> rows) throws Exception {
    for (byte[] row : rows) {
      tally.going().lock();
      try {
        region.delete(new Delete(row));
        tally.gone(List.of(row));
      } finally {
        tally.going().unlock();
      }
    }
    return null;
  }

  @Test
  void progress_ofPulls_isExact_andBeginsAnewWhenTheRegionOpens() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      for (int i = 0; i < 20; i++) {
        guarded.table().put(put(row(i)));
      }
      guarded.table().put(put("alice|0001"));
      RelayoutTables.prepare(guarded, SALTED);
      assertEquals(List.of(Outcome.REFUSED), outcomes(answer(guarded, row(0), progress(1))));
      long generation = RelayoutTables.move(guarded);
      assertEquals(
          List.of(Outcome.REFUSED), outcomes(answer(guarded, row(0), progress(generation + 1))));
      assertProgress(guarded, row(0), generation, 0, 20);

      String[] moved = new String[7];
      for (int i = 0; i < moved.length; i++) {
        moved[i] = RelayoutTables.row(SALTED, row(2 * i));
      }
      answer(guarded, moved[0], RelayoutRequest.touch(generation, rows(moved)));
      answer(guarded, moved[0], RelayoutRequest.touch(generation, rows(moved)));
      guarded.table().put(put(RelayoutTables.row(SALTED, row(1))));
      assertProgress(guarded, row(0), generation, 8, 12);
      assertProgress(guarded, "alice|0001", generation, 0, 1);

      RegionInfo second = servers.regionsOf(guarded.name()).get(1).getRegionInfo();
      servers.move(second, servers.otherThan(servers.of(second)));
      assertProgress(guarded, row(0), generation, 0, 12);
    }
  }

  private static RelayoutRequest progress(long generation) {
    return RelayoutRequest.progress(generation);
  }

  private static void assertProgress(
      GuardedTable guarded, String at, long generation, long gone, long left) throws Exception {
    RegionProgress progress = RegionProgress.of(answer(guarded, at, progress(generation)));

    assertTrue(progress.isCounted(), progress.toString());
    assertEquals(gone, progress.gone(), progress.toString());
    assertEquals(left, progress.left(), progress.toString());
    assertEquals(gone == 0, progress.latelyMillis() == 0 && progress.lately() == 0);
  }
}
