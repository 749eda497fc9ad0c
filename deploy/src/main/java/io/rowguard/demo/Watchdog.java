package io.rowguard.demo;

import java.util.concurrent.TimeUnit;

/**
 * Ends the demo when it takes too long: a client of a cluster that is ill retries for many minutes,
 * and nobody waits that long for a demo.
 */
final class Watchdog {
  private Watchdog() {}

  static void start(Screen screen, int seconds, int exitCode) {
    Thread thread =
        new Thread(
            () -> {
              try {
                TimeUnit.SECONDS.sleep(seconds);
              } catch (InterruptedException e) {
                return;
              }
              screen.blank();
              screen.problem(
                  "Not done after its "
                      + seconds
                      + " s: the cluster is ill, or the machine is too slow.");
              // exit() would wait for the client's shutdown hooks, which may hang as the rest does.
              Runtime.getRuntime().halt(exitCode);
            },
            "demo-watchdog");
    thread.setDaemon(true);
    thread.start();
  }
}
