package io.rowguard.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.rowguard.layout.EntityGroup;
import io.rowguard.layout.RowkeyLayout;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The summary as a whole: time, threads, memory. */
class LoadSummaryTest {
  private static final EntityGroup USERS =
      EntityGroup.of(
          RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%16}-{user:word}|{n:digits(6)}"),
          "user");
  private static final int HALF_LIFE = 60;
  private static final int THREADS = 8;
  private static final int MOST_BYTES = 64 * 1024;

  @Test
  void record_rowsOfGroups_areCountedByRowAndByGroup() {
    LoadSummary summary = LoadSummary.of(USERS, HALF_LIFE, 0, 1);
    for (int i = 0; i < 100; i++) {
      record(summary, row("alice", i % 10), i % 4 == 0, 0);
      record(summary, row("bob", 1), false, 0);
    }
    record(summary, Streams.bytes("no such row"), true, 0);
    LoadSnapshot snapshot = summary.snapshot(0);
    assertEquals(175, snapshot.reads());
    assertEquals(26, snapshot.writes());
    assertEquals(0, snapshot.lost());
    assertEquals("no such row", text(snapshot.groups().get(2).key()));
    assertTrue(text(snapshot.groups().get(0).key()).endsWith("-alice"));
    assertEquals(25, snapshot.groups().get(0).writes());
    assertEquals(75, snapshot.groups().get(0).reads());
    assertEquals(text(row("bob", 1)), text(snapshot.rows().get(0).key()));
    assertEquals(12, snapshot.rows().size());
  }

  @Test
  void snapshot_afterHalfLives_hasHalfOfTheWeightEach() {
    LoadSummary summary = LoadSummary.of(USERS, HALF_LIFE, 0, 1);
    long halfLife = TimeUnit.SECONDS.toNanos(HALF_LIFE);
    for (int i = 0; i < 64; i++) {
      record(summary, row("alice", 1), true, 0);
    }
    assertEquals(64, summary.snapshot(0).total());
    assertEquals(32, summary.snapshot(halfLife).total());
    record(summary, row("bob", 1), true, 2 * halfLife);
    LoadSnapshot later = summary.snapshot(2 * halfLife);
    assertEquals(17, later.total(), 1e-9);
    assertEquals(16, later.rows().get(0).atLeast(), 1e-9);
    assertEquals(1, later.rows().get(1).atLeast(), 1e-9);
    assertEquals(17, later.sample().stream().mapToDouble(SampledRow::weight).sum(), 1e-9);
  }

  @Test
  void record_severalOperationsAtOnce_countAsMany() {
    LoadSummary summary = LoadSummary.of(USERS, HALF_LIFE, 0, 1);
    for (int i = 0; i < 300; i++) {
      byte[] row = row("user" + i, 1);
      summary.record(row, 0, row.length, 1 + i % 5, /* isWrite= */ false, 0);
    }
    byte[] hot = row("alice", 1);
    summary.record(hot, 0, hot.length, 100, /* isWrite= */ true, 0);
    LoadSnapshot snapshot = summary.snapshot(TimeUnit.SECONDS.toNanos(HALF_LIFE));
    assertEquals(450, snapshot.reads(), 1e-9);
    assertEquals(50, snapshot.writes(), 1e-9);
    assertEquals(text(hot), text(snapshot.rows().get(0).key()));
    assertEquals(50, snapshot.rows().get(0).writes(), 1e-9);
    SampledRow heaviest = snapshot.sample().get(snapshot.sample().size() - 1);
    assertEquals(text(hot), text(heaviest.row()));
    assertEquals(50, heaviest.weight(), 1e-9);
    assertEquals(500, snapshot.sample().stream().mapToDouble(SampledRow::weight).sum(), 60);
  }

  @Test
  void record_overYears_staysFiniteAndForgets() {
    LoadSummary summary = LoadSummary.of(USERS, 1, 0, 1);
    long second = TimeUnit.SECONDS.toNanos(1);
    for (long at = 0; at < 5_000; at += 50) {
      for (int i = 0; i < 300; i++) {
        record(summary, row("user" + i % 200, 1), true, at * second);
      }
      LoadSnapshot snapshot = summary.snapshot(at * second);
      assertEquals(300, snapshot.total(), 1e-6, "at=" + at);
      double sampled = snapshot.sample().stream().mapToDouble(SampledRow::weight).sum();
      assertEquals(300, sampled, 100, "at=" + at);
    }
    LoadSnapshot last = summary.snapshot(200_000_000L * second);
    assertEquals(0, last.total());
    record(summary, row("alice", 1), false, 200_000_000L * second);
    LoadSnapshot again = summary.snapshot(200_000_000L * second);
    assertEquals(1, again.total());
    assertEquals(text(row("alice", 1)), text(again.rows().get(0).key()));
  }

  @Test
  void perHalfLife_steadyLoad_isItsRateFromTheBeginning() {
    LoadSummary summary = LoadSummary.of(USERS, HALF_LIFE, 0, 1);
    long millisecond = TimeUnit.MILLISECONDS.toNanos(1);
    for (long at = 1; at <= 600_000; at += 10) {
      record(summary, row("alice", 1), false, at * millisecond);
      if (at == 10_001 || at == 60_001 || at == 599_991) {
        LoadSnapshot snapshot = summary.snapshot(at * millisecond);
        assertEquals(6_000, snapshot.perHalfLife(snapshot.total()), 20, "at=" + at);
      }
    }
    assertEquals(0, LoadSummary.of(USERS, HALF_LIFE, 0, 1).snapshot(0).perHalfLife(5));
  }

  @Test
  void record_eightThreads_loseNothingThatIsNotCounted() throws Exception {
    LoadSummary summary = LoadSummary.of(USERS, HALF_LIFE, 0, 1);
    int each = 200_000;
    byte[][] rows = new byte[2_000][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = row("user" + i / 4, i);
    }
    long[][] counts = new long[THREADS][rows.length];
    CountDownLatch start = new CountDownLatch(1);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS + 1);
    List<Future<?>> running = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      int thread = t;
      int[] stream = Streams.zipf(rows.length, 1.1, each, new Random(t));
      running.add(
          threads.submit(
              () -> {
                start.await();
                for (int i : stream) {
                  counts[thread][i]++;
                  record(summary, rows[i], thread % 2 == 0, 0);
                }
                return null;
              }));
    }
    // Snapshots are taken meanwhile.
    running.add(
        threads.submit(
            () -> {
              start.await();
              for (int i = 0; i < 50; i++) {
                requireWhole(summary.snapshot(0));
              }
              return null;
            }));
    start.countDown();
    for (Future<?> each1 : running) {
      each1.get(120, TimeUnit.SECONDS);
    }
    threads.shutdown();
    LoadSnapshot snapshot = summary.snapshot(0);
    assertEquals((double) THREADS * each, snapshot.total() + snapshot.lost(), "counted or lost");
    requireWhole(snapshot);
    requireBounds(snapshot, rows, counts);
  }

  /** The counters have all that was counted: a takeover moves weight to the error. */
  private static void requireWhole(LoadSnapshot snapshot) {
    double counted = snapshot.rows().stream().mapToDouble(HeavyKey::atLeast).sum();
    assertTrue(counted <= snapshot.total(), "counted=" + counted + " of=" + snapshot.total());
    double most = snapshot.rows().stream().mapToDouble(HeavyKey::atMost).sum();
    assertEquals(snapshot.total(), most, 1e-6, "Space-Saving: all weight is in some counter");
  }

  private static void requireBounds(LoadSnapshot snapshot, byte[][] rows, long[][] counts) {
    int seen = 0;
    for (int i = 0; i < rows.length; i++) {
      long count = 0;
      for (long[] ofThread : counts) {
        count += ofThread[i];
      }
      String row = text(rows[i]);
      double most = snapshot.unseenRowAtMost();
      for (HeavyKey key : snapshot.rows()) {
        if (text(key.key()).equals(row)) {
          assertTrue(key.atLeast() <= count, row);
          most = key.atMost();
          seen++;
        }
      }
      assertTrue(count <= most + snapshot.lost(), row + " count=" + count + " most=" + most);
    }
    assertEquals(snapshot.rows().size(), seen, "no row that never came");
  }

  @Test
  void record_anyRow_allocatesNothing() {
    LoadSummary summary = LoadSummary.of(USERS, HALF_LIFE, 0, 1);
    byte[][] rows = new byte[1_000][];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = i % 10 == 0 ? new byte[i] : row("user" + i / 2, i);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    recordAll(summary, rows, 20);
    long thread = Thread.currentThread().getId();
    long before = threads.getThreadAllocatedBytes(thread);
    recordAll(summary, rows, 100);
    long allocated = threads.getThreadAllocatedBytes(thread) - before;
    assertTrue(allocated < 100 * rows.length / 4, "allocated=" + allocated);
  }

  private static void recordAll(LoadSummary summary, byte[][] rows, int rounds) {
    for (int i = 0; i < rounds; i++) {
      for (byte[] row : rows) {
        summary.record(row, 0, row.length, 1, i % 2 == 0, i * 1_000_000_000L);
      }
    }
  }

  @Test
  void summary_withItsGroups_takesAtMost64Kilobytes() throws IllegalAccessException {
    long bytes = bytesOf(LoadSummary.of(USERS, HALF_LIFE, 0, 1));
    assertTrue(bytes <= MOST_BYTES, "bytes=" + bytes);
    assertTrue(bytes > MOST_BYTES / 2, "what is allowed is used. bytes=" + bytes);
  }

  /** The arrays and objects of this package, with 16 bytes of header each. */
  private static long bytesOf(Object object) throws IllegalAccessException {
    long bytes = 16;
    if (object.getClass().isArray()) {
      int width = object instanceof byte[] || object instanceof boolean[] ? 1 : 8;
      width = object instanceof short[] ? 2 : width;
      return bytes + (long) width * Array.getLength(object);
    }
    for (Field field : object.getClass().getDeclaredFields()) {
      if (!Modifier.isStatic(field.getModifiers())) {
        bytes += 8;
        field.setAccessible(true);
        Object value = field.get(object);
        boolean isOurs =
            value != null
                && !field.getType().isPrimitive()
                && (value.getClass().isArray()
                    || value.getClass().getPackageName().equals("io.rowguard.load"));
        bytes += isOurs ? bytesOf(value) : 0;
      }
    }
    return bytes;
  }

  private static void record(LoadSummary summary, byte[] row, boolean isWrite, long now) {
    summary.record(row, 0, row.length, 1, isWrite, now);
  }

  private static byte[] row(String user, int n) {
    return USERS.layout().complete(Streams.bytes(user + "|" + String.format("%06d", n)));
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }
}
