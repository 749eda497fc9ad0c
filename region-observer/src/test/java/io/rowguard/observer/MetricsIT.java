package io.rowguard.observer;

import static io.rowguard.observer.Writes.GOOD;
import static io.rowguard.observer.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.layout.Verdict;
import io.rowguard.testing.MiniCluster;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The counters in HBase's registry for coprocessors. */
@ExtendWith(MiniCluster.class)
class MetricsIT {
  private final HBaseTestingUtility hbase;

  MetricsIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void registry_ofATable_hasACounterForEveryCode() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      Set<String> expected =
          new TreeSet<>(
              Set.of(
                  "conforming",
                  "rejected_wrong_configuration",
                  "rejected_bare_key",
                  "rejected_scan",
                  "forwarded",
                  "forwarded_failed",
                  "bare_reads",
                  "bulkload_files_checked",
                  "bulkload_files_rejected"));
      for (Verdict verdict : Verdict.values()) {
        if (!verdict.conforms()) {
          expected.add("rejected_" + verdict.name().toLowerCase(Locale.ROOT));
          expected.add("accepted_" + verdict.name().toLowerCase(Locale.ROOT));
        }
      }

      assertEquals(expected, Counters.namesOf(guarded.name()));
    }
  }

  @Test
  void counters_ofARegionThatMoves_goOn() throws Exception {
    try (GuardedTable guarded =
            GuardedTable.of(hbase, "rowguard.layout", GuardedTable.LAYOUT)
                .withSplits("b", "c", "d")
                .create();
        GuardedTable neighbour = GuardedTable.create(hbase)) {
      guarded.table().put(List.of(put("a|0001"), put("b|0001"), put("c|0001"), put("d|0001")));
      guarded.alter("rowguard.delete", "enforce"); // reopens them one by one
      guarded.table().put(List.of(put("a|0002"), put("b|0002"), put("c|0002"), put("d|0002")));
      neighbour.table().put(put(GOOD));

      assertEquals(8, Counters.of(guarded.name()).get("conforming"));
      assertEquals(1, Counters.of(neighbour.name()).get("conforming"));
    }
  }
}
