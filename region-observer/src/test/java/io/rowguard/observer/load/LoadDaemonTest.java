package io.rowguard.observer.load;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.rowguard.testing.Eventually;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.ServerName;
import org.junit.jupiter.api.Test;

/** One thread per server, as long as a region wants it. */
class LoadDaemonTest {
  private static final ServerName SERVER = ServerName.valueOf("daemon.test,1,1");

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("rowguard-load-" + SERVER.getServerName()))
        .count();
  }

  @Test
  void watch_twoRegions_haveOneThreadUntilTheLastIsClosed() throws Exception {
    Set<Thread> seen = ConcurrentHashMap.newKeySet();
    AtomicInteger first = new AtomicInteger();
    AtomicInteger second = new AtomicInteger();
    Runnable one = LoadDaemon.watch(SERVER, () -> count(first, seen), 1);
    Runnable two = LoadDaemon.watch(SERVER, () -> count(second, seen), 1);
    Eventually.isTrue("looks at both", () -> first.get() > 2 && second.get() > 2);
    assertEquals(1, seen.size());

    one.run();
    one.run();
    int looks = second.get();
    Eventually.isTrue("looks at the other", () -> second.get() > looks + 2);
    assertEquals(1, threads());
    two.run();
    Eventually.isTrue("no thread", () -> threads() == 0);

    Runnable again = LoadDaemon.watch(SERVER, () -> count(first, seen), 1);
    int before = first.get();
    Eventually.isTrue("looks anew", () -> first.get() > before + 1);
    again.run();
    assertEquals(2, seen.size());
  }

  private static void count(AtomicInteger looks, Set<Thread> seen) {
    seen.add(Thread.currentThread());
    looks.incrementAndGet();
  }
}
