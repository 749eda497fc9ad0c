package io.rowguard.observer.salt;

import static io.rowguard.observer.fixture.GuardedTable.F;
import static io.rowguard.observer.fixture.GuardedTable.LAYOUT;
import static io.rowguard.observer.fixture.GuardedTable.Q;
import static io.rowguard.observer.fixture.Writes.put;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.observer.fixture.Counters;
import io.rowguard.observer.fixture.GuardedTable;
import io.rowguard.observer.fixture.Refusals;
import io.rowguard.observer.fixture.Writes;
import io.rowguard.testing.MiniCluster;
import io.rowguard.testing.TestLog;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.HBaseTestingUtility;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Clients that send nothing but bad rows, long and binary, as fast as they can: neither the log nor
 * an answer grows with that, and writers of conforming rows are not disturbed.
 */
@ExtendWith(MiniCluster.class)
@Tag("long")
class HostileClientIT {
  // A row and what was found in it, 100 bytes of each and four characters a byte, and some words.
  private static final int MOST_OF_A_LINE = 2 * 400 + 500;
  private static final int CLIENTS = 3;
  private static final int BATCHES = 16;
  private static final int ROWS = 1_000;
  private static final int ROW_LENGTH = 1_000;
  private static final long SECONDS_BETWEEN_SAMPLES = 10;

  /** A client's answer for one row: the refusal and HBase's stack trace, whatever the row. */
  private static final int LONGEST_MESSAGE = 4_000;

  private final HBaseTestingUtility hbase;

  HostileClientIT(HBaseTestingUtility hbase) {
    this.hbase = hbase;
  }

  @Test
  void badRows_ofManyClients_leaveTheLogAndOtherClientsAlone() throws Exception {
    try (GuardedTable guarded =
        GuardedTable.of(hbase, "rowguard.layout", LAYOUT).withSplits("m", "\\x80").create()) {
      long start = System.nanoTime();
      List<Callable<Integer>> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        Random random = new Random(9_000 + i);
        clients.add(() -> attack(guarded, random));
      }
      clients.add(() -> writeConforming(guarded));
      int refused = 0;
      ExecutorService threads = Executors.newFixedThreadPool(clients.size());
      try {
        for (Future<Integer> client : threads.invokeAll(clients, 5, TimeUnit.MINUTES)) {
          refused += client.get();
        }
      } finally {
        threads.shutdownNow();
      }
      long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);

      assertEquals(CLIENTS * BATCHES * ROWS, refused);
      assertEquals(BATCHES * ROWS, guarded.rows().size());
      assertCounted(guarded);
      assertLogged(guarded, 1 + seconds / SECONDS_BETWEEN_SAMPLES);
    }
  }

  @Test
  void answer_toABatchOfTenThousandBadRows_doesNotGrowWithTheirLength() throws Exception {
    try (GuardedTable guarded = GuardedTable.create(hbase)) {
      Random random = new Random(9_100);
      List<Row> bad = badRows(random, 9_990, 100);
      bad.addAll(badRows(random, 10, Short.MAX_VALUE));

      for (Object each : guarded.batch(bad)) {
        String message = assertInstanceOf(Throwable.class, each).getMessage();
        assertTrue(message.length() <= LONGEST_MESSAGE, () -> message.length() + ": " + message);
      }

      assertEquals(List.of(), guarded.rows());
    }
  }

  private static int attack(GuardedTable guarded, Random random) throws Exception {
    int refused = 0;
    for (int i = 0; i < BATCHES; i++) {
      refused += Refusals.placesOf(guarded.batch(badRows(random, ROWS, ROW_LENGTH))).size();
    }
    return refused;
  }

  /** Rows of random bytes; the first of them ends every word. */
  private static List<Row> badRows(Random random, int count, int length) {
    List<Row> puts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] row = new byte[length];
      random.nextBytes(row);
      row[1] = 0;
      puts.add(new Put(row).addColumn(F, Q, Writes.bytes("v")));
    }
    return puts;
  }

  /** Answers how many of its rows were refused. */
  private static int writeConforming(GuardedTable guarded) throws Exception {
    int refused = 0;
    for (int i = 0; i < BATCHES; i++) {
      List<Row> puts = new ArrayList<>();
      for (int k = 0; k < ROWS; k++) {
        puts.add(put(String.format("%s%d|%04d", k % 2 == 0 ? "a" : "z", i, k)));
      }
      refused += Refusals.placesOf(guarded.batch(puts)).size();
    }
    return refused;
  }

  private static void assertCounted(GuardedTable guarded) {
    Map<String, Long> counters = Counters.of(guarded.name());
    assertEquals(BATCHES * ROWS, counters.remove("conforming"));
    assertTrue(
        counters.keySet().stream().allMatch(name -> name.startsWith("rejected_")),
        counters.toString());
    assertEquals(
        CLIENTS * BATCHES * ROWS, counters.values().stream().mapToLong(Long::longValue).sum());
  }

  /** The log has some lines of the table, few and short, that account for no more than happened. */
  private static void assertLogged(GuardedTable guarded, long most) throws IOException {
    List<String> lines;
    try (Stream<String> log = Files.lines(TestLog.path())) {
      lines =
          log.filter(line -> line.contains("SampleLog: "))
              .filter(line -> line.contains(" table=" + guarded.name() + " "))
              .toList();
    }
    assertTrue(!lines.isEmpty() && lines.size() <= most, lines.size() + " lines, not " + most);
    long accountedFor = 0;
    Pattern leftOut = Pattern.compile("leftOutSinceTheLastSample=(\\d+)$");
    for (String line : lines) {
      assertTrue(line.length() < MOST_OF_A_LINE, line);
      Matcher matcher = leftOut.matcher(line);
      assertTrue(matcher.find(), line);
      accountedFor += 1 + Long.parseLong(matcher.group(1));
    }
    assertTrue(accountedFor <= CLIENTS * BATCHES * ROWS, "" + accountedFor);
  }
}
