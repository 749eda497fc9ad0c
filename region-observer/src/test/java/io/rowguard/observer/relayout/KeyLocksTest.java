package io.rowguard.observer.relayout;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyLocksTest {
  private static final long LONG = TimeUnit.MINUTES.toNanos(1);

  private final KeyLocks locks = new KeyLocks();
  private final ExecutorService others = Executors.newCachedThreadPool();

  @AfterEach
  void stop() {
    others.shutdownNow();
  }

  @Test
  void lock_ofFreeKeys_doesNotWait_andLeavesNothing() throws Exception {
    try (KeyLocks.Held held = locks.lock(rows("a", "b"), LONG)) {
      assertFalse(held.waited());
      assertEquals(2, locks.size());
      assertTrue(locks.isLocked(rows("a").get(0)) && !locks.isLocked(rows("c").get(0)));
    }
    assertEquals(0, locks.size());
    assertFalse(locks.isLocked(rows("a").get(0)));
  }

  @Test
  void lock_ofAKeyThatSomebodyHas_isNullWhenTheTimeIsOver_andHasNone() throws Exception {
    try (KeyLocks.Held held = locks.lock(rows("b"), LONG)) {
      assertNull(others.submit(() -> locks.lock(rows("a", "b", "c"), 1)).get(1, TimeUnit.MINUTES));
      assertNotNull(held);
      assertEquals(1, locks.size());
    }
    assertEquals(0, locks.size());
  }

  @Test
  void lock_ofAKeyThatSomebodyHas_comesWhenItIsGivenBack_inTurn() throws Exception {
    List<Integer> order = Collections.synchronizedList(new ArrayList<>());
    List<Future<?>> waiting = new ArrayList<>();
    try (KeyLocks.Held held = locks.lock(rows("a"), LONG)) {
      assertNotNull(held);
      for (int i = 0; i < 5; i++) {
        int place = i;
        CountDownLatch begun = new CountDownLatch(1);
        Thread[] thread = new Thread[1];
        waiting.add(
            others.submit(
                () -> {
                  thread[0] = Thread.currentThread();
                  begun.countDown();
                  try (KeyLocks.Held own = locks.lock(rows("a"), LONG)) {
                    assertTrue(own.waited());
                    order.add(place);
                  }
                  return null;
                }));
        begun.await();
        while (thread[0].getState() != Thread.State.TIMED_WAITING) {
          Thread.sleep(1);
        }
      }
      assertEquals(List.of(), order);
    }
    for (Future<?> each : waiting) {
      each.get(1, TimeUnit.MINUTES);
    }
    assertEquals(List.of(0, 1, 2, 3, 4), order);
    assertEquals(0, locks.size());
  }

  @Test
  void lock_interrupted_givesBackWhatItHad() throws Exception {
    try (KeyLocks.Held held = locks.lock(rows("b"), LONG)) {
      assertNotNull(held);
      Thread waiter =
          new Thread(
              () -> {
                try {
                  locks.lock(rows("a", "b"), LONG);
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
              });
      waiter.start();
      while (waiter.getState() != Thread.State.TIMED_WAITING) {
        Thread.sleep(1);
      }
      waiter.interrupt();
      waiter.join(60_000);
      assertEquals(1, locks.size());
    }
    assertEquals(0, locks.size());
  }

  /** Many threads, many keys in common: no thread waits for ever, no two have the same key. */
  @Test
  void lock_byManyOfMany_neverOfTwoAtOnce_andAlwaysEnds() throws Exception {
    AtomicIntegerArray users = new AtomicIntegerArray(8);
    List<Future<?>> all = new ArrayList<>();
    for (int t = 0; t < 8; t++) {
      Random random = new Random(20261123 + t);
      all.add(
          others.submit(
              () -> {
                for (int i = 0; i < 2_000; i++) {
                  int[] keys =
                      IntStream.range(0, 8).filter(key -> random.nextInt(3) == 0).toArray();
                  List<byte[]> rows = new ArrayList<>();
                  for (int key : keys) {
                    rows.add(Bytes.toBytes("k" + key));
                  }
                  try (KeyLocks.Held held = locks.lock(rows, LONG)) {
                    assertNotNull(held);
                    for (int key : keys) {
                      assertEquals(1, users.incrementAndGet(key));
                    }
                    for (int key : keys) {
                      users.decrementAndGet(key);
                    }
                  }
                }
                return null;
              }));
    }
    for (Future<?> each : all) {
      each.get(1, TimeUnit.MINUTES);
    }
    assertEquals(0, locks.size());
  }

  private static List<byte[]> rows(String... rows) {
    List<byte[]> all = new ArrayList<>();
    for (String row : rows) {
      all.add(row.getBytes(UTF_8));
    }
    return all;
  }
}
