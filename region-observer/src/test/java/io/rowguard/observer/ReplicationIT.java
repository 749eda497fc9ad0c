package io.rowguard.observer;

import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.Writes.BAD;
import static io.rowguard.observer.fixture.Writes.GOOD;
import static io.rowguard.observer.fixture.Writes.append;
import static io.rowguard.observer.fixture.Writes.delete;
import static io.rowguard.observer.fixture.Writes.increment;
import static io.rowguard.observer.fixture.Writes.put;
import static io.rowguard.observer.fixture.Writes.together;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.DurableCluster;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.OneTablePeer;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.observer.relayout.Fences;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Replication from a cluster where any row may land, by HBase's own means, to a table that refuses
 * bad ones. A peer ships a region server's edits in order and sends a shipment again until all of
 * it is taken.
 */
@ExtendWith({MiniCluster.class, DurableCluster.Started.class})
class ReplicationIT {
  private final HBaseTestingUtility sinks;
  private final HBaseTestingUtility sources;
  private OneTablePeer peer;

  ReplicationIT(HBaseTestingUtility sinks, DurableCluster sources) {
    this.sinks = sinks;
    this.sources = sources.hbase();
  }

  @AfterEach
  void removePeer() throws IOException {
    peer.close();
  }

  @Test
  void replication_badRowsByDefault_arriveAndHoldUpNothing() throws Exception {
    try (GuardedTable sink = GuardedTable.create(sinks);
        GuardedTable source = sourceOf(sink)) {
      source.table().put(put(GOOD));
      source.table().put(put(BAD));
      source.table().put(List.of(put("bob|001x"), put("c|0001"), put("bob|002x")));
      source.table().append(append("bob|003x"));
      source.table().mutateRow(together(put("bob|004x"), increment("bob|004x")));
      source.table().delete(delete("bob|002x"));
      source.table().put(put("zoe|0009"));

      Eventually.isTrue(
          "all rows at the sink", () -> sink.latestCells().equals(source.latestCells()));

      assertEquals(
          List.of(GOOD, "bob|000x", "bob|001x", "bob|003x", "bob|004x", "c|0001", "zoe|0009"),
          sink.rows());
      Map<String, Long> counters = Counters.of(sink.name());
      assertEquals(Set.of("accepted_not_digits", "conforming"), counters.keySet());
      assertTrue(counters.get("accepted_not_digits") >= 5, counters.toString());
      assertTrue(counters.get("conforming") >= 3, counters.toString());
      Refusals.assertRefused(sink, () -> sink.table().put(put(BAD, "new")));
    }
  }

  @Test
  void replication_badRowWhereEnforced_stallsUntilItIsAccepted() throws Exception {
    try (GuardedTable sink =
            GuardedTable.of(sinks, "rowguard.layout", LAYOUT, "rowguard.replication", "enforce")
                .create();
        GuardedTable source = sourceOf(sink)) {
      source.table().put(put(GOOD));
      Eventually.isTrue("the good row at the sink", () -> sink.rows().equals(List.of(GOOD)));

      source.table().put(List.of(put(BAD), put("carol|0005"))); // in one shipment, as one edit
      awaitRefusals(sink, 1);
      source.table().put(put("zoe|0009"));
      awaitRefusals(sink, 4); // it is sent again and again, and alone

      assertEquals(List.of(GOOD, "carol|0005"), sink.rows());

      sink.alter("rowguard.replication", "accept");
      Eventually.isTrue(
          "all rows at the sink",
          () -> sink.rows().equals(List.of(GOOD, BAD, "carol|0005", "zoe|0009")));
      assertTrue(Counters.of(sink.name()).get("accepted_not_digits") >= 1);
    }
  }

  /** They have no replication scope: nothing arrives of them, and nothing waits for them. */
  @Test
  void replication_answersInTheLog_areLeftOut() throws Exception {
    try (GuardedTable sink = GuardedTable.create(sinks);
        GuardedTable source = sourceOf(sink)) {
      HRegion region = new Servers(sources).regionsOf(source.name()).get(0);
      Fences.pass(region);
      source.table().put(put(GOOD));
      Fences.pass(region);
      Fences.pass(region);
      source.table().put(put("zoe|0009"));

      Eventually.isTrue("both rows at the sink", () -> sink.rows().size() == 2);
      assertEquals(source.cells(), sink.cells());
      assertEquals(List.of(GOOD + "/q=v", "zoe|0009/q=v"), sink.cells());
    }
  }

  private static void awaitRefusals(GuardedTable sink, long count) throws Exception {
    Eventually.isTrue(
        count + " refusals at the sink",
        () -> Counters.of(sink.name()).getOrDefault("rejected_not_digits", 0L) >= count);
  }

  private GuardedTable sourceOf(GuardedTable sink) throws IOException {
    GuardedTable source =
        GuardedTable.sourceOf(sink, sources).with("rowguard.mode", "off").create();
    peer = OneTablePeer.add(sources, sinks, source);
    return source;
  }
}
