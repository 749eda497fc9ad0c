package io.rowguard.soak;

import io.rowguard.soak.ClusterScript.ServerStatus;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Brings servers back that are down or cut off, and notes those that no fault made so. For one
 * thread.
 */
final class ServerWatch {
  /** The longest pause, and the end of a zombie after it. */
  private static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final ClusterScript cluster;
  private final Events events;
  private final Map<String, Long> harmed = new HashMap<>();
  private final Set<String> unexplained = new TreeSet<>();

  ServerWatch(ClusterScript cluster, Events events) {
    this.cluster = cluster;
    this.events = events;
  }

  /** Notes that a fault is about to hit a server, which then may end, soon or after a while. */
  void expectHarm(String name) {
    harmed.put(name, System.nanoTime());
  }

  /** Brings back each server that is down or cut off. */
  void heal() throws IOException, InterruptedException {
    for (ServerStatus server : cluster.servers().values()) {
      String name = server.name();
      if (server.isRunning()) {
        continue;
      }
      Long at = harmed.get(name);
      if (at == null || System.nanoTime() - at > GRACE_NANOS) {
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
