package io.rowguard.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.checker.Histories;
import io.rowguard.checker.RowState;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.layout.Verdict;
import io.rowguard.testing.Eventually;
import io.rowguard.testing.WholeOnly;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A table changes its layout while clients of all kinds work on it without pause, regions are
 * split, merged and moved, and servers die. One order explains all answers
 * (docs/internals/decisions/0013-relayout-by-pull.md).
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RelayoutIT {
  private static final String UNSALTED = "{user:word}|{item:digits(4)}";
  private static final String SIXTEEN = "{salt:digits(2)=murmur3(user)%16}-" + UNSALTED;
  private static final String SIXTY_FOUR = "{salt:digits(2)=murmur3(user)%64}-" + UNSALTED;

  private static final long SEED = 20261123;

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private LiveCluster cluster;

  @BeforeAll
  void start() {
    cluster = new LiveCluster();
  }

  @AfterAll
  void stop() throws Exception {
    threads.shutdownNow();
    cluster.close();
  }

  /** Acts of an operator while there is traffic. */
  private interface Script {
    void run(Operator operator, RegionTrouble trouble, LiveTraffic traffic) throws Exception;
  }

  private void assertOneOrder(String name, String mode, String layout, Script script)
      throws Exception {
    LiveTable table = LiveTable.create(cluster, name, mode, layout);
    Histories histories = new Histories(LiveTable.hot(), table.cold());
    Path file = Path.of("target", "history-" + name + ".txt");
    try (LiveTraffic traffic = new LiveTraffic(table, histories);
        LiveConnections connections = new LiveConnections(cluster, traffic)) {
      boolean isSalted = !layout.equals(UNSALTED);
      startClients(traffic, connections, isSalted);
      RegionTrouble trouble = new RegionTrouble(cluster, traffic, SEED);
      Future<?> troubled =
          threads.submit(
              () -> {
                while (!traffic.isOver()) {
                  trouble.next(70);
                }
                return null;
              });
      try {
        script.run(new Operator(cluster, traffic, trouble), trouble, traffic);
        traffic.stop();
        troubled.get(3, TimeUnit.MINUTES);
        Eventually.isTrue("every region is open", trouble::isWhole);
        try (SaltedTable last = table.open(cluster.patient())) {
          new ScanningClient(traffic, SEED, last, isSalted).all();
          assertWholeInOnePlace(table, last);
        }
      } finally {
        System.out.println(name + ": " + traffic);
        histories.write(file);
      }
      List<String> violations = histories.violations();
      assertEquals(
          0, violations.size(), () -> report(file, violations) + "\n" + histories.events());
      assertTrue(histories.unknown() * 10L < traffic.operations(), traffic::toString);
    }
    cluster.hbase().deleteTable(table.name());
  }

  private static String report(Path file, List<String> violations) {
    return "seed="
        + SEED
        + " histories are in "
        + file.toAbsolutePath()
        + "\n"
        + String.join("\n", violations.subList(0, Math.min(5, violations.size())));
  }

  /**
   * Nine of them.
   *
   * @param isSalted whether rows have a salt at first: scans in descending order are for salted
   *     rows
   */
  private static void startClients(
      LiveTraffic traffic, LiveConnections connections, boolean isSalted) throws Exception {
    traffic.start(connections.raw(SEED - 1)::next);
    traffic.start(connections.ofTable(SEED)::next);
    traffic.start(connections.scanning(SEED + 1, isSalted)::next);
    traffic.start(connections.byProperty(SEED + 2)::next);
    traffic.start(connections.async(SEED + 3)::next);
    traffic.start(connections.asyncPooled(SEED + 4)::next);
    traffic.start(connections.buffered(SEED + 5)::next);
    traffic.start(connections.bufferedAsync(SEED + 6)::next);
    traffic.start(connections.scanningAsync(SEED + 7, isSalted)::next);
  }

  /** Every stored row conforms to the table's layout, and SaltedTable shows just those. */
  private void assertWholeInOnePlace(LiveTable table, SaltedTable salted) throws Exception {
    RowkeyLayout layout = salted.layout();
    TreeMap<String, RowState> stored = new TreeMap<>();
    try (Table raw = cluster.patient().getTable(table.name());
        ResultScanner scanner = raw.getScanner(new Scan())) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        String row = Bytes.toStringBinary(result.getRow());
        assertEquals(Verdict.CONFORMS, layout.check(result.getRow()), row);
        stored.put(
            Bytes.toString(layout.strip(result.getRow())), RowState.of(result.getNoVersionMap()));
      }
    }
    TreeMap<String, RowState> shown = new TreeMap<>();
    try (ResultScanner scanner = salted.getScanner(new Scan())) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        shown.put(Bytes.toString(result.getRow()), RowState.of(result.getNoVersionMap()));
      }
    }
    assertEquals(stored, shown);
  }

  @Test
  void moreBuckets_andBack() throws Exception {
    assertOneOrder(
        "buckets",
        "reject",
        SIXTEEN,
        (operator, trouble, traffic) -> thereAndBack(operator, traffic, SIXTY_FOUR));
  }

  @Test
  @WholeOnly
  void fewerBuckets_andBack_bareKeys() throws Exception {
    assertOneOrder(
        "saltMode",
        "salt",
        SIXTY_FOUR,
        (operator, trouble, traffic) -> thereAndBack(operator, traffic, SIXTEEN));
  }

  @Test
  void unsalted_toSalted_toUnsalted() throws Exception {
    assertOneOrder(
        "unsalted",
        "reject",
        UNSALTED,
        (operator, trouble, traffic) -> {
          change(operator, traffic, SIXTEEN);
          trouble.compactAll();
          change(operator, traffic, UNSALTED);
        });
  }

  private static void thereAndBack(Operator operator, LiveTraffic traffic, String to)
      throws Exception {
    RowkeyLayout first = traffic.table().home();
    traffic.awaitMore(200);
    operator.prepare(RowkeyLayout.parse(to));
    traffic.awaitMore(200);
    operator.move();
    killInTheMiddle(operator, traffic);
    operator.back();
    killInTheMiddle(operator, traffic);
    operator.finish();
    assertEquals(first, traffic.table().home());
    traffic.awaitMore(200);
  }

  private static void killInTheMiddle(Operator operator, LiveTraffic traffic) throws Exception {
    for (int i = 0; i < 2; i++) {
      MoverThread mover = operator.startMover();
      traffic.awaitMore(100);
      mover.kill();
      traffic.awaitMore(100);
    }
  }

  private static void change(Operator operator, LiveTraffic traffic, String to) throws Exception {
    traffic.awaitMore(200);
    operator.prepare(RowkeyLayout.parse(to));
    traffic.awaitMore(100);
    operator.move();
    killInTheMiddle(operator, traffic);
    operator.finish();
    traffic.awaitMore(200);
  }
}
