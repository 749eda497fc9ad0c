package io.rowguard.observer.load;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.hbase.ServerName;

/**
 * The one thread of a server that looks at the load of its regions, one after the other. It lives
 * from the first region that wants it to the last. Thread-safe. Tests have several servers in one
 * JVM.
 */
final class LoadDaemon {
  private static final Map<ServerName, LoadDaemon> OPEN = new HashMap<>();

  private final ScheduledThreadPoolExecutor timer;
  private int regions;

  private LoadDaemon(ServerName server) {
    timer =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "rowguard-load-" + server.getServerName());
              thread.setDaemon(true);
              return thread;
            });
    timer.setContinueExistingPeriodicTasksAfterShutdownPolicy(false);
    timer.setRemoveOnCancelPolicy(true);
  }

  /**
   * Looks at a region again and again, until what is given back is run. Running it waits for
   * nothing: a look that is under way ends by itself.
   *
   * @param look must throw nothing
   * @param everyMillis the pause between two looks
   */
  static Runnable watch(ServerName server, Runnable look, long everyMillis) {
    synchronized (OPEN) {
      LoadDaemon daemon = OPEN.computeIfAbsent(server, LoadDaemon::new);
      Future<?> looks =
          daemon.timer.scheduleWithFixedDelay(
              look, everyMillis, everyMillis, TimeUnit.MILLISECONDS);
      daemon.regions++;
      AtomicBoolean isOver = new AtomicBoolean();
      return () -> {
        if (isOver.compareAndSet(false, true)) {
          looks.cancel(/* mayInterruptIfRunning= */ false);
          daemon.leave();
        }
      };
    }
  }

  private void leave() {
    synchronized (OPEN) {
      if (--regions == 0) {
        OPEN.values().remove(this);
        timer.shutdown();
      }
    }
  }
}
