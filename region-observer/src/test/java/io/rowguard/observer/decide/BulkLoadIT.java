package io.rowguard.observer.decide;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.HFiles;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Pair;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** HFiles that are handed to a guarded table. */
@ExtendWith(MiniCluster.class)
class BulkLoadIT {
  private static final List<String> GOOD = List.of("alice|0001", "bob|0001", "carol|0001");
  private static final List<String> BAD_FIRST = List.of("alice|x", "bob|0001", "carol|0001");
  private static final List<String> BAD_LAST = List.of("alice|0001", "bob|0001", "carol|x");
  private static final List<String> BAD_MIDDLE = List.of("alice|0001", "bob|x", "carol|0001");

  private final HBaseTestingUtility hbase;

  BulkLoadIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @ParameterizedTest(name = "mode={0} bulkload={1} rows={2}")
  @CsvSource({
    "reject, blocks, good, true",
    "reject, full, good, true",
    "reject, off, good, true",
    "reject, blocks, first, false",
    "reject, full, first, false",
    "reject, off, first, true",
    "reject, blocks, last, false",
    "reject, full, last, false",
    "reject, off, last, true",
    "reject, blocks, middle, true", // one block, which is not looked into
    "reject, full, middle, false",
    "reject, off, middle, true",
    "warn, blocks, first, true",
    "warn, full, middle, true",
    "warn, off, first, true",
    "off, blocks, first, true",
    "off, full, middle, true",
    "off, off, first, true",
  })
  void load_inEachModeAndCheck_landsOrLeavesNothing(
      String mode, String check, String kind, boolean lands) throws Exception {
    try (GuardedTable guarded = table("rowguard.mode", mode, "rowguard.bulkload", check)) {
      List<String> rows = rows(kind);
      HFiles files = new HFiles(hbase);
      files.add(rows);

      if (lands) {
        files.load(guarded.name());
        assertEquals(rows, guarded.rows());
      } else {
        refusalOf(files, guarded);
        assertEquals(List.of(), guarded.rows());
      }
      assertEquals(expectedCounters(mode, check, kind, lands), Counters.of(guarded.name()));
    }
  }

  private static List<String> rows(String kind) {
    return Map.of("good", GOOD, "first", BAD_FIRST, "last", BAD_LAST, "middle", BAD_MIDDLE)
        .get(kind);
  }

  private static Map<String, Long> expectedCounters(
      String mode, String check, String kind, boolean lands) {
    Map<String, Long> counters = new TreeMap<>();
    if (mode.equals("off") || check.equals("off")) {
      return counters;
    }
    counters.put("bulkload_files_checked", 1L);
    boolean seen = !kind.equals("good") && !(kind.equals("middle") && check.equals("blocks"));
    if (seen) {
      counters.put((lands ? "accepted" : "rejected") + "_too_short", 1L);
    }
    if (!lands) {
      counters.put("bulkload_files_rejected", 1L);
    }
    return counters;
  }

  @Test
  void load_refused_saysWhichFileAndRow() throws Exception {
    try (GuardedTable guarded = table()) {
      HFiles files = new HFiles(hbase);
      Path file = files.add(BAD_LAST);

      assertEquals(
          String.format(
              "Rowkey does not fit the layout: the row ends before segment item is complete."
                  + " table=%s file=file:%s row=\"carol|x\" segment=item offset=7 expected=\"4"
                  + " digits\" found=\"x\". Layout: {user:word}|{item:digits(4)}",
              guarded.name(), file),
          refusalOf(files, guarded));
    }
  }

  @Test
  void load_ofSeveralFiles_landsWholeOrNotAtAll() throws Exception {
    try (GuardedTable guarded = table()) {
      HFiles files = new HFiles(hbase);
      files.add(GOOD);
      files.add(List.of("dave|0001"));
      files.add(BAD_LAST);

      refusalOf(files, guarded);

      assertEquals(List.of(), guarded.rows());
    }
  }

  @Test
  void load_overSeveralRegions_landsInThoseWhereAllFits() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", GuardedTable.LAYOUT).withSplits("b").create()) {
      HFiles files = new HFiles(hbase);
      files.add(List.of("alice|0001", "alice|0002"));
      files.add(List.of("bob|0001", "bob|x"));

      refusalOf(files, guarded);

      // HBase loads the regions side by side: each is whole, and the tool says that one failed.
      assertTrue(guarded.rows().stream().noneMatch(row -> row.startsWith("bob")));
    }
  }

  @Test
  void load_blockOfBadRowsAmongThousands_isFoundByTheIndex() throws Exception {
    // Far more blocks than are looked at, and an index of three levels.
    List<String> rows = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      rows.add(String.format("alice|%04d", i));
    }
    rows.set(3_456, "alice|3455x");
    rows.set(3_457, "alice|3455xx");
    rows.set(3_458, "alice|3455xxx");
    try (GuardedTable guarded = table()) {
      HFiles files = new HFiles(hbase).withBlocksOf(1).withIndexBlocksOf(512);
      Path file = files.add(rows);
      try (HFile.Reader reader = files.open(file)) {
        assertTrue(reader.getTrailer().getNumDataIndexLevels() >= 3);
      }

      assertTrue(refusalOf(files, guarded).contains("row=\"alice|3455x"));
    }
  }

  @Test
  void load_fileThatIsNone_isAnErrorAndTheServerGoesOn() throws Exception {
    try (GuardedTable guarded = table()) {
      HRegion region = hbase.getMiniHBaseCluster().getRegions(guarded.name()).get(0);
      HFiles files = new HFiles(hbase);
      for (int length : new int[] {0, 10, 5_000}) {
        Path garbage = files.addGarbage(length);

        assertThrows(
            IOException.class,
            () ->
                region
                    .getCoprocessorHost()
                    .preBulkLoadHFile(List.of(Pair.newPair(F, garbage.toString()))));
      }
      guarded.table().put(Writes.put(Writes.GOOD));
      assertEquals(2, hbase.getMiniHBaseCluster().getLiveRegionServerThreads().size());
    }
  }

  @Test
  void load_fileThatIsGone_isAnErrorThatNamesIt() throws Exception {
    try (GuardedTable guarded = table()) {
      HRegion region = hbase.getMiniHBaseCluster().getRegions(guarded.name()).get(0);

      IOException error =
          assertThrows(
              IOException.class,
              () ->
                  region
                      .getCoprocessorHost()
                      .preBulkLoadHFile(List.of(Pair.newPair(F, "/no/such/file"))));

      assertTrue(error.toString().contains("/no/such/file"), error.toString());
    }
  }

  @ParameterizedTest(name = "replication={0}")
  @CsvSource({"accept, true", "enforce, false"})
  void load_thatIsReplicated_isHeldToTheLayoutAsConfigured(String replication, boolean lands)
      throws Exception {
    try (GuardedTable guarded = table("rowguard.replication", replication)) {
      HFiles files = new HFiles(hbase);
      files.add(BAD_FIRST);

      if (lands) {
        files.replicate(guarded.name());
        assertEquals(BAD_FIRST, guarded.rows());
        assertEquals(
            Map.of("bulkload_files_checked", 1L, "accepted_too_short", 1L),
            Counters.of(guarded.name()));
      } else {
        assertThrows(IOException.class, () -> files.replicate(guarded.name()));
        assertEquals(List.of(), guarded.rows());
      }
    }
  }

  @Test
  void load_byAnotherUser_isLookedAtWithTheirRights() throws Exception {
    try (GuardedTable guarded = table()) {
      User user =
          User.createUserForTesting(hbase.getConfiguration(), "loader", new String[] {"loaders"});
      HFiles bad = new HFiles(hbase);
      bad.add(BAD_FIRST);
      HFiles good = new HFiles(hbase);
      good.add(GOOD);

      user.runAs(
          (PrivilegedExceptionAction<Void>)
              () -> {
                refusalOf(bad, guarded);
                good.load(guarded.name());
                return null;
              });

      assertEquals(GOOD, guarded.rows());
    }
  }

  @ParameterizedTest(name = "mode={0}")
  @CsvSource({"reject, false", "warn, false", "off, true"})
  void load_wrongConfiguration_isRefusedUnlessOff(String mode, boolean lands) throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", "{", "rowguard.mode", mode).create()) {
      HFiles files = new HFiles(hbase);
      files.add(GOOD);

      if (lands) {
        files.load(guarded.name());
      } else {
        assertTrue(
            refusalOf(files, guarded)
                .startsWith(
                    "The rowguard configuration of this table is wrong, so all its writes are"
                        + " refused, bulk loads too. table="
                        + guarded.name()));
      }
      assertEquals(lands ? GOOD : List.of(), guarded.rows());
    }
  }

  @Test
  void load_intoATableWithoutLayout_isNotLookedAt() throws Exception {
    try (GuardedTable free = GuardedTable.of(hbase).create()) {
      HFiles files = new HFiles(hbase);
      files.add(BAD_FIRST);

      files.load(free.name());

      assertEquals(BAD_FIRST, free.rows());
    }
  }

  @Test
  void visitBlocks_filesOfManySizes_visitsFirstAndLastAndSpreadsItsLooks() throws Exception {
    for (int size : new int[] {1, 2, 255, 256, 257, 300, 3_000}) {
      List<String> rows =
          IntStream.range(0, size).mapToObj(i -> String.format("alice|%04d", i)).toList();
      HFiles files = new HFiles(hbase).withBlocksOf(1).withIndexBlocksOf(512);
      List<String> visited = new ArrayList<>();
      try (HFile.Reader reader = files.open(files.add(rows))) {
        new HFileRows(reader, files.conf())
            .visitBlocks(
                (first, last) -> true, row -> visited.add(new String(row, StandardCharsets.UTF_8)));
      }

      assertEquals(rows.get(0), visited.get(0));
      assertEquals(rows.get(size - 1), visited.get(visited.size() - 1));
      List<String> sorted = new ArrayList<>(new TreeSet<>(visited));
      assertEquals(sorted, visited, "in order, each once");
      int most = HFileRows.MOST_BLOCKS;
      assertTrue(
          visited.size() > Math.min(size, most) / 2 && visited.size() <= most + 1, size + "");
      int widest = 0;
      for (int i = 1; i < visited.size(); i++) {
        widest = Math.max(widest, rows.indexOf(visited.get(i)) - rows.indexOf(visited.get(i - 1)));
      }
      assertTrue(widest <= 2 * ((size + most - 1) / most), size + " rows, gap of " + widest);
    }
  }

  private GuardedTable table(String... keysAndValues) throws IOException {
    return GuardedTable.of(hbase, "rowguard.layout", GuardedTable.LAYOUT)
        .with(keysAndValues)
        .create();
  }

  /** The refusal that {@code completebulkload} fails with. */
  private static String refusalOf(HFiles files, GuardedTable guarded) {
    IOException failure = assertThrows(IOException.class, () -> files.load(guarded.name()));
    return Refusals.messageOf(failure.getCause());
  }
}
