package io.rowguard.soak;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Faults of servers: processes that die, stand still or are restarted. For one thread. */
final class ServerFaults {
  /** Three times the session after which a server that stands still is taken for dead. */
  private static final int LONGEST_PAUSE_SECONDS = 60;

  private final ClusterScript cluster;
  private final ServerWatch watch;
  private final Random random;
  private final Events events;
  private final Rest rest;

  ServerFaults(ClusterScript cluster, ServerWatch watch, long seed, Events events, Rest rest) {
    this.cluster = cluster;
    this.watch = watch;
    this.random = new Random(seed);
    this.events = events;
    this.rest = rest;
  }

  Map<Fault, Harm> harms() {
    Map<Fault, Harm> harms = new EnumMap<>(Fault.class);
    harms.put(Fault.KILL_REGION_SERVER, () -> kill("region-server-", 2));
    harms.put(Fault.KILL_MASTER, () -> kill("master-", 2));
    harms.put(Fault.KILL_DATANODE, () -> kill("datanode-", 3));
    harms.put(
        Fault.PAUSE_REGION_SERVER,
        () -> pause(cluster.anyRunning("region-server-", 2, random), LONGEST_PAUSE_SECONDS));
    harms.put(Fault.PAUSE_MASTER, () -> pause(activeMaster(), LONGEST_PAUSE_SECONDS));
    harms.put(
        Fault.PAUSE_DATANODE,
        () -> pause(cluster.anyRunning("datanode-", 2, random), LONGEST_PAUSE_SECONDS / 2));
    harms.put(Fault.ROLLING_RESTART, this::restart);
    return harms;
  }

  private String kill(String prefix, int least) throws IOException, InterruptedException {
    String name = cluster.anyRunning(prefix, least, random);
    if (name == null) {
      return null;
    }
    expectHarm(name);
    cluster.run("kill", name);
    int seconds = 1 + random.nextInt(20);
    events.say(name + " is killed, for " + seconds + " s");
    rest.seconds(seconds);
    return name;
  }

  private String restart() throws IOException, InterruptedException {
    List<String> names =
        cluster.servers().keySet().stream()
            .filter(name -> name.startsWith("master-") || name.startsWith("region-server-"))
            .toList();
    events.say("HBase's servers are restarted, one after the other");
    cluster.run("restart");
    for (String name : names) {
      expectHarm(name);
    }
    return String.join(", ", names);
  }

  private void expectHarm(String name) throws IOException, InterruptedException {
    watch.expectHarm(name);
    if (name.startsWith("master-")) {
      // A master that has just become active may refuse what a region server reports, which then
      // ends (hbase-facts.md).
      cluster.servers().keySet().stream()
          .filter(other -> other.startsWith("region-server-"))
          .forEach(watch::expectHarm);
    }
  }

  /** Waits for a backup that takes the place of a dead one; null if none does. */
  private String activeMaster() throws IOException, InterruptedException {
    String name = cluster.activeMaster();
    for (int second = 0; name == null && second < LONGEST_PAUSE_SECONDS; second++) {
      rest.seconds(1);
      name = cluster.activeMaster();
    }
    return name;
  }

  private String pause(String name, int longest) throws IOException, InterruptedException {
    if (name == null) {
      return null;
    }
    int seconds = 5 + random.nextInt(longest - 4);
    expectHarm(name);
    events.say(name + " stands still for " + seconds + " s");
    cluster.run("pause", name, String.valueOf(seconds));
    expectHarm(name);
    watch.expectZombie(name);
    rest.seconds(5);
    return name + ", " + seconds + " s";
  }
}
