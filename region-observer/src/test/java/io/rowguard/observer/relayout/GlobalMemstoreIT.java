package io.rowguard.observer.relayout;

import static io.rowguard.observer.fixture.Asked.answer;
import static io.rowguard.observer.fixture.Asked.outcomes;
import static io.rowguard.observer.fixture.Asked.rows;
import static io.rowguard.observer.fixture.RelayoutTables.SALTED;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Asked;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.RelayoutTables;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.relayout.RelayoutRequest;
import io.rowguard.relayout.RelayoutResponse;
import io.rowguard.relayout.RelayoutResponse.Item;
import io.rowguard.relayout.RelayoutResponse.Outcome;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pulls on servers whose memstores are full, which HBase itself looks at for writes only. */
@ExtendWith(MiniCluster.class)
class GlobalMemstoreIT {
  private static final String ALICE = "alice|0001";
  private static final String NEW_ALICE = RelayoutTables.row(SALTED, ALICE);
  private static final long MORE_THAN_ANY_BOUND = 1L << 40;
  private static final int ROWS = 240;
  private static final int ROW_BYTES = 50_000;
  private static final int TOUCHED = 10;

  private final HBaseTestingUtility hbase;

  GlobalMemstoreIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void requests_whileMemstoresAreFull_areAnsweredLater() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(put(ALICE));
      long generation = RelayoutTables.start(guarded, SALTED);
      HRegion region = new Servers(hbase).regionsOf(guarded.name()).get(0);
      RelayoutRequest ask = RelayoutRequest.ask(generation, rows(ALICE, "bob|0001"));
      RelayoutRequest drop = RelayoutRequest.drop(generation, rows(ALICE), List.of(1L << 60));
      RelayoutRequest touch = RelayoutRequest.touch(generation, rows(NEW_ALICE));
      Put write = put(NEW_ALICE);

      count(MORE_THAN_ANY_BOUND);
      try {
        assertLater(answer(guarded, ALICE, touch).items().get(0));
        assertLater(answer(guarded, ALICE, drop).items().get(0));
        assertLater(answer(guarded, ALICE, ask).items().get(0));
        assertEquals(Outcome.NOTHING, answer(guarded, ALICE, ask).items().get(1).outcome());
        RegionTooBusyException busy =
            assertThrows(RegionTooBusyException.class, () -> region.put(write));
        assertTrue(busy.getMessage().contains("global memstore"), busy.getMessage());
        assertEquals(List.of(ALICE), guarded.rows());
      } finally {
        count(-MORE_THAN_ANY_BOUND);
      }

      assertEquals(List.of(Outcome.DONE), outcomes(answer(guarded, ALICE, touch)));
      assertEquals(List.of(NEW_ALICE), guarded.rows());
    }
  }

  private static void assertLater(Item item) {
    assertEquals(Outcome.FAILED, item.outcome());
    assertTrue(item.words().startsWith("The global memstore of a server is full"), item.words());
  }

  /** As an exception it would be tried again, in the handler of the region that pulls. */
  @Test
  void drop_whileTheRegionsMemstoreIsFull_isAnsweredLater() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      guarded.table().put(put(ALICE));
      long generation = RelayoutTables.start(guarded, SALTED);
      RelayoutRequest drop = RelayoutRequest.drop(generation, rows(ALICE), List.of(1L << 60));
      String blocking = "hbase.hregion.memstore.block.multiplier";

      guarded.alter(blocking, "0", "hbase.table.sanity.checks", "false");
      Item item = answer(guarded, ALICE, drop).items().get(0);

      assertEquals(Outcome.FAILED, item.outcome());
      assertTrue(item.words().contains("Over memstore limit"), item.words());
      assertEquals(List.of(ALICE), guarded.rows());
      guarded.alter(blocking, "4");
      assertEquals(List.of(Outcome.DONE), outcomes(answer(guarded, ALICE, drop)));
    }
  }

  /** Without a write the flusher looks by itself, from time to time. */
  @Test
  void touches_ofMoreThanMemstoresMayHold_goOnAfterEachFlush() throws Exception {
    try (GuardedTable guarded = Asked.unsalted(hbase)) {
      List<byte[]> newRows = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        String key = "user" + i + "|0001";
        newRows.add(Writes.bytes(RelayoutTables.row(SALTED, key)));
        guarded.table().put(put(key, "x".repeat(ROW_BYTES)));
      }
      long generation = RelayoutTables.start(guarded, SALTED);
      HRegionServer server = hbase.getRSForFirstRegionInTable(guarded.name()); // of all new rows
      long limit = heapOf(server) + 4_000_000;
      AtomicLong most = new AtomicLong();
      AtomicInteger later = new AtomicInteger();
      server.getFlushRequester().setGlobalMemStoreLimit(limit);
      try {
        for (int i = 0; i < ROWS; i += TOUCHED) {
          List<byte[]> some = newRows.subList(i, i + TOUCHED);
          Eventually.isTrue(
              "rows are moved",
              () -> {
                RelayoutResponse response =
                    answer(guarded, ALICE, RelayoutRequest.touch(generation, some));
                boolean isLater = outcomes(response).contains(Outcome.FAILED);
                later.addAndGet(isLater ? 1 : 0);
                most.accumulateAndGet(heapOf(server), Math::max);
                return !isLater;
              });
        }
      } finally {
        server
            .getFlushRequester()
            .setGlobalMemStoreLimit(
                MemorySizeUtil.getGlobalMemStoreSize(server.getConfiguration()).getFirst());
      }

      assertTrue(later.get() > 0, "nothing had to wait");
      assertTrue(
          most.get() < limit + (TOUCHED + 1) * ROW_BYTES, "limit=" + limit + " most=" + most);
      assertEquals(ROWS, guarded.rows().size());
      assertTrue(guarded.rows().stream().allMatch(row -> row.charAt(0) < 'a'));
    }
  }

  private static long heapOf(HRegionServer server) {
    return server.getRegionServerAccounting().getGlobalMemStoreHeapSize();
  }

  /** As if the memstores of all servers held so many bytes more. */
  private void count(long bytes) {
    for (RegionServerThread thread : hbase.getMiniHBaseCluster().getLiveRegionServerThreads()) {
      thread.getRegionServer().getRegionServerAccounting().incGlobalMemStoreSize(0, bytes, 0);
    }
  }
}
