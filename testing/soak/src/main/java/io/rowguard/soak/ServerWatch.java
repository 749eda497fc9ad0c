package io.rowguard.soak;

import io.rowguard.soak.ClusterScript.ServerStatus;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Brings servers back that are down or cut off, and notes those that no fault made so. For one
 * thread.
 */
final class ServerWatch {
  /** The longest pause, and the end of what it has harmed. */
  private static final long GRACE_SECONDS = 120;

  /** A server that aborts may hang in the end of HDFS's client (hbase-facts.md). */
  private static final long ZOMBIE_GRACE_SECONDS = 300;

  private final ClusterScript cluster;
  private final Events events;
  private final LongSupplier nanoTime;

  /** The nanosecond from which on the end of a server is not that of a fault any more. */
  private final Map<String, Long> explained = new HashMap<>();

  private final Set<String> unexplained = new TreeSet<>();

  /**
   * A watch of a cluster.
   *
   * @param nanoTime the time, as {@link System#nanoTime} has it
   */
  ServerWatch(ClusterScript cluster, Events events, LongSupplier nanoTime) {
    this.cluster = cluster;
    this.events = events;
    this.nanoTime = nanoTime;
  }

  /** Notes that a fault is about to hit a server, which then may end, soon or after a while. */
  void expectHarm(String name) {
    explain(name, GRACE_SECONDS);
  }

  /** Notes that a server goes on which the others may have given up. */
  void expectZombie(String name) {
    explain(name, ZOMBIE_GRACE_SECONDS);
  }

  private void explain(String name, long seconds) {
    long until = nanoTime.getAsLong() + TimeUnit.SECONDS.toNanos(seconds);
    explained.merge(name, until, (one, other) -> one - other > 0 ? one : other);
  }

  /** Brings back each server that is down or cut off. */
  void heal() throws IOException, InterruptedException {
    for (ServerStatus server : cluster.servers().values()) {
      String name = server.name();
      if (server.isRunning()) {
        continue;
      }
      Long until = explained.get(name);
      if (until == null || nanoTime.getAsLong() - until > 0) {
        unexplained.add(name + " is " + server.state() + ", and no fault took it down");
        events.say("WRONG " + name + " is " + server.state() + ", and no fault took it down");
      }
      String command =
          switch (server.state()) {
            case "paused" -> "resume";
            case "cut" -> "heal";
            default -> "add";
          };
      cluster.run(command, name);
      events.say(name + " is back");
    }
  }

  /** Servers that were down without a fault. */
  Set<String> violations() {
    return unexplained;
  }
}
