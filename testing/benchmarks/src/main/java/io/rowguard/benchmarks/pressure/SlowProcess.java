package io.rowguard.benchmarks.pressure;

import java.io.IOException;

/** Lets a server run for a fifth of the time only, until that ends. */
final class SlowProcess {
  private static final int TIMES_STOPPED = 4;

  private final ServerProcesses.Server server;
  private final Thread thread;
  private volatile boolean over;

  private SlowProcess(ServerProcesses.Server server, int runMillis) {
    this.server = server;
    this.thread = new Thread(() -> slow(runMillis), "slow-server");
  }

  /**
   * Begins.
   *
   * @param runMillis for how long it runs each time
   */
  static SlowProcess begin(ServerProcesses.Server server, int runMillis) {
    SlowProcess slow = new SlowProcess(server, runMillis);
    slow.thread.start();
    return slow;
  }

  private void slow(int runMillis) {
    try {
      while (!over) {
        server.signal("STOP");
        Thread.sleep((long) TIMES_STOPPED * runMillis);
        server.signal("CONT");
        Thread.sleep(runMillis);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException("a server may stand still now", e);
    }
  }

  /** Lets it run. */
  void end() throws InterruptedException {
    over = true;
    thread.join();
  }
}
