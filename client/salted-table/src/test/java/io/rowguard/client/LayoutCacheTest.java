package io.rowguard.client;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

/** When the layouts of a table are read again that no server has said anything about. */
class LayoutCacheTest {
  private final TableLayouts first = layouts(Tables.LAYOUT);
  private final TableLayouts other = layouts(Tables.LAYOUT.replace("%16", "%8"));
  private final Queue<TableLayouts> declared = new ArrayDeque<>();
  private final List<Runnable> background = new ArrayList<>();
  private long nanos;

  private final LayoutCache layouts =
      new LayoutCache(first, this::read, background::add, millis -> {}, () -> nanos);

  private static TableLayouts layouts(String layout) {
    FilterRules filters = new FilterRules(TableName.valueOf("t"), Set.of());
    return TableLayouts.byHand(RowkeyLayout.parse(layout), 256, filters);
  }

  private TableLayouts read() throws IOException {
    if (declared.isEmpty()) {
      throw new IOException("The master is away.");
    }
    return declared.remove();
  }

  private void later() {
    nanos += LayoutCache.NANOS_OF_BELIEF + 1;
  }

  @Test
  void now_aMinuteLater_readsAgainInTheBackground() {
    declared.add(other);
    nanos += LayoutCache.NANOS_OF_BELIEF;
    assertSame(first, layouts.now());
    assertEquals(0, background.size());

    nanos++;
    assertSame(first, layouts.now());
    assertSame(first, layouts.now());
    assertEquals(1, background.size());

    background.remove(0).run();
    assertSame(other, layouts.now());
    assertEquals(0, background.size());
  }

  @Test
  void now_masterAway_goesOnAndAsksAgain() {
    later();
    layouts.now();
    background.remove(0).run();
    assertSame(first, layouts.now());
    assertEquals(0, background.size());

    declared.add(other);
    later();
    layouts.now();
    background.remove(0).run();
    assertSame(other, layouts.now());
  }

  /** A refused write waits no longer than its operation may take. */
  @Test
  void after_anotherThreadReads_waitsForItsTimeOnly() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    LayoutCache cache =
        new LayoutCache(
            first,
            () -> {
              begun.countDown();
              assertDoesNotThrow(() -> answer.await());
              return other;
            },
            background::add);
    FutureTask<TableLayouts> reader = new FutureTask<>(() -> cache.after(first));
    new Thread(reader).start();
    begun.await();
    assertSame(first, cache.after(first, 1));
    answer.countDown();
    assertSame(other, reader.get());
    assertSame(other, cache.after(first, 60_000));
  }

  @Test
  void now_executorWithoutAThread_goesOnAndAsksAgain() {
    later();
    layouts.now();
    background.clear();
    later();
    layouts.now();
    assertEquals(1, background.size());
  }
}
