package io.rowguard.observer.load;

import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Servers;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.MiniCluster;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Regions that are split by their load, and those that are not. Minutes are half a second here, and
 * an operation counts half after one; every operation is counted.
 */
@ExtendWith(MiniCluster.class)
class LoadSplitIT {
  private static final int USERS = 300;
  private static final int MOST_REGIONS = 3;
  private static final String ALL_REGIONS =
      "wait: the server has rowguard.split.load.max.regions regions of the table";
  private static final String BELOW = "wait: the load is not above rowguard.split.load";
  private static final String CANNOT = "cannot: no split divides the load";

  /** Where few rows were sampled, a cut may leave a region of which one group has most. */
  private static final List<Object> FINAL = Arrays.asList(ALL_REGIONS, CANNOT);

  private final HBaseTestingUtility hbase;

  LoadSplitIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  /** A program that writes as fast as it can until it is closed. */
  private static final class Writer implements AutoCloseable {
    private static final int BATCH = 50;

    private final GuardedTable guarded;
    private final IntFunction<String> rows;
    private final Map<String, Integer> written = new TreeMap<>();
    private final Thread thread = new Thread(this::write);
    private volatile boolean over;
    private final AtomicInteger count = new AtomicInteger();
    private volatile Throwable failure;

    Writer(GuardedTable guarded, IntFunction<String> rows) {
      this.guarded = guarded;
      this.rows = rows;
      thread.start();
    }

    private void write() {
      try {
        while (!over) {
          List<Put> puts = new ArrayList<>();
          for (int i = 0; i < BATCH; i++) {
            String row = rows.apply(count.get() + i);
            puts.add(put(row));
            written.merge(row, 1, Integer::sum);
          }
          guarded.table().put(puts);
          count.addAndGet(BATCH);
        }
      } catch (Throwable e) {
        failure = e;
      }
    }

    int count() {
      if (failure != null) {
        throw new AssertionError("The writer failed.", failure);
      }
      return count.get();
    }

    /** The share of the rows from one on, inclusive, to another, exclusive; empty for no bound. */
    double share(String from, String to) {
      double within =
          written.entrySet().stream()
              .filter(row -> row.getKey().compareTo(from) >= 0)
              .filter(row -> to.isEmpty() || row.getKey().compareTo(to) < 0)
              .mapToInt(Map.Entry::getValue)
              .sum();
      return within / written.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Override
    public void close() throws InterruptedIOException {
      over = true;
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (InterruptedIOException) new InterruptedIOException("No end").initCause(e);
      }
      count();
    }
  }

  private GuardedTable split(String... keysAndValues) throws Exception {
    return GuardedTable.of(
            hbase,
            "rowguard.layout",
            GuardedTable.LAYOUT,
            "rowguard.group",
            "user",
            "rowguard.load.sample",
            "1",
            "rowguard.load.halflife.seconds",
            "1",
            "rowguard.split.load",
            "60",
            "rowguard.split.load.minutes",
            "1",
            "rowguard.split.load.max.regions",
            "" + MOST_REGIONS,
            "io.rowguard.load.half.minute.ms",
            "250")
        .with(keysAndValues)
        .create();
  }

  private List<RegionInfo> regions(GuardedTable guarded) throws Exception {
    return hbase.getAdmin().getRegions(guarded.name());
  }

  private static long counted(GuardedTable guarded, String counter) {
    return Counters.of(guarded.name()).getOrDefault("load_split_" + counter, 0L);
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("rowguard-load-"))
        .toList();
  }

  @Test
  void load_uniform_splitsUpToTheMostRegions() throws Exception {
    Random random = new Random(1);
    requireSplits(i -> String.format("u%03d|0001", random.nextInt(USERS)));
  }

  @Test
  void load_zipf_splitsUpToTheMostRegions() throws Exception {
    Random random = new Random(1);
    double[] below = new double[USERS];
    for (int i = 0; i < USERS; i++) {
      below[i] = (i == 0 ? 0 : below[i - 1]) + 1.0 / (i + 1);
    }
    requireSplits(
        i -> {
          double place = random.nextDouble() * below[USERS - 1];
          int rank = 0;
          while (below[rank] < place) {
            rank++;
          }
          return String.format("u%03d|0001", rank * 7 % USERS); // the hot ones are apart
        });
  }

  private void requireSplits(IntFunction<String> rows) throws Exception {
    try (GuardedTable guarded = split()) {
      Writer writer = new Writer(guarded, rows);
      try (writer) {
        List<Object> answers = new ArrayList<>();
        Eventually.isTrue(
            () -> "no region is split further, as there are enough; answers: " + answers,
            () -> {
              writer.count();
              putAwayParentsFiles(guarded);
              answers.clear();
              answers.addAll(new LoadBeans(guarded.name()).all("SplitAnswer"));
              return answers.size() == MOST_REGIONS
                  && answers.contains(ALL_REGIONS)
                  && FINAL.containsAll(answers);
            });
      }
      List<RegionInfo> regions = regions(guarded);
      assertEquals(MOST_REGIONS, regions.size());
      assertEquals(MOST_REGIONS - 1, counted(guarded, "done"));
      List<String> starts = new ArrayList<>();
      regions.forEach(region -> starts.add(Bytes.toStringBinary(region.getStartKey())));
      starts.remove("");
      String first = starts.get(0);
      String second = starts.get(1);
      // One was cut first; the other cut one of its sides.
      assertTrue(
          (isGood(writer.share("", first))
                  && isGood(writer.share(first, second), writer, first, ""))
              || (isGood(writer.share("", second))
                  && isGood(writer.share("", first), writer, "", second)),
          starts.toString());
    }
  }

  /**
   * Archives the parent's files: HBase does so every two minutes, and a daughter cannot be split
   * before.
   */
  private void putAwayParentsFiles(GuardedTable guarded) throws IOException {
    for (HRegion region : new Servers(hbase).regionsOf(guarded.name())) {
      for (HStore store : region.getStores()) {
        store.closeAndArchiveCompactedFiles();
      }
    }
  }

  private static boolean isGood(double share, Writer writer, String from, String to) {
    return isGood(share / writer.share(from, to));
  }

  /** A quarter at least, but that the rule knows it from a sample. */
  private static boolean isGood(double share) {
    return Math.min(share, 1 - share) > 0.2;
  }

  @Test
  void load_ofOneRow_splitsNothing() throws Exception {
    requireNoSplit(i -> i % 10 == 0 ? "u" + i % 100 + "|0001" : "hot|0001", "one_row");
  }

  @Test
  void load_ofOneGroup_splitsNothing() throws Exception {
    Random random = new Random(1);
    requireNoSplit(i -> String.format("hot|%04d", random.nextInt(10_000)), "one_group");
  }

  private void requireNoSplit(IntFunction<String> rows, String verdict) throws Exception {
    try (GuardedTable guarded = split()) {
      try (Writer writer = new Writer(guarded, rows)) {
        Eventually.isTrue(
            verdict, () -> writer.count() > 0 && counted(guarded, "cannot_" + verdict) == 1);
        int count = writer.count();
        Eventually.isTrue("more load", () -> writer.count() > count + 2_000);
      }
      assertEquals(1, regions(guarded).size());
      assertEquals(0, counted(guarded, "cut"));
      assertEquals(1, counted(guarded, "cannot_" + verdict), "told once");
    }
  }

  @Test
  void load_thatStops_splitsNothingMore() throws Exception {
    try (GuardedTable guarded = split("rowguard.split.load.max.regions", "20")) {
      LoadBeans load = new LoadBeans(guarded.name());
      try (Writer writer = new Writer(guarded, i -> String.format("u%03d|0001", i * 7 % USERS))) {
        Eventually.isTrue("a split", () -> writer.count() > 0 && counted(guarded, "done") > 0);
      }
      Eventually.isTrue("no load", () -> load.all("SplitAnswer").stream().allMatch(BELOW::equals));
      int regions = regions(guarded).size();
      Eventually.isTrue("hardly a trace of it", () -> load.rate("WritesPerSecond") < 1);
      assertEquals(regions, regions(guarded).size());
      // A side that still refers to its parent's files cannot be split: asked for, and not done.
      assertEquals(regions - 1, counted(guarded, "done"));
    }
  }

  @Test
  void load_ofARegionThatMoves_isLookedAtAnewThere() throws Exception {
    Servers servers = new Servers(hbase);
    try (GuardedTable guarded = split()) {
      RegionInfo region = regions(guarded).get(0);
      ServerName to = servers.otherThan(servers.of(region));
      try (Writer writer = new Writer(guarded, i -> "hot|0001")) {
        Eventually.isTrue(
            "a verdict", () -> writer.count() > 0 && counted(guarded, "cannot_one_row") == 1);

        servers.move(region, to);

        Eventually.isTrue(
            "another", () -> writer.count() > 0 && counted(guarded, "cannot_one_row") == 2);
        assertEquals(CANNOT, new LoadBeans(guarded.name()).only("SplitAnswer"));
        assertTrue(counted(guarded, "short") >= 1, "not before its load was above long enough");
      }
      Eventually.isTrue("no thread here", () -> threads().equals(List.of("rowguard-load-" + to)));
    }
    Eventually.isTrue("no thread", () -> threads().isEmpty());
  }

  @Test
  void load_switchedOffByAlter_isNotLookedAt() throws Exception {
    try (GuardedTable guarded = split()) {
      LoadBeans load = new LoadBeans(guarded.name());
      Eventually.isTrue("a look", () -> BELOW.equals(load.only("SplitAnswer")));
      assertEquals(1, threads().size());
      guarded.alter("rowguard.split.load", null);
      Eventually.isTrue("no thread", () -> threads().isEmpty());
      assertEquals(0, load.only("SplitLoad"));
      assertNull(load.only("SplitAnswer"));
    }
  }
}
