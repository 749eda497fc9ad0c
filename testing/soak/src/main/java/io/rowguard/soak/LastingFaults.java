package io.rowguard.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Faults that last for some seconds, until they are healed: of a server's network, and of a data
 * node's disk. For one thread.
 */
final class LastingFaults {
  /** Three times the session after which a server that is cut off is taken for dead. */
  private static final int LONGEST_SECONDS = 60;

  private final ClusterScript cluster;
  private final ServerWatch watch;
  private final Random random;
  private final Events events;
  private final Rest rest;

  LastingFaults(ClusterScript cluster, ServerWatch watch, long seed, Events events, Rest rest) {
    this.cluster = cluster;
    this.watch = watch;
    this.random = new Random(seed);
    this.events = events;
    this.rest = rest;
  }

  Map<Fault, Harm> harms() {
    Map<Fault, Harm> harms = new EnumMap<>(Fault.class);
    harms.put(Fault.CUT_REGION_SERVER, this::cut);
    harms.put(Fault.PART_SERVERS, this::part);
    harms.put(Fault.SLOW_REGION_SERVER, this::slow);
    harms.put(Fault.FLAP, this::flap);
    harms.put(Fault.FULL_DISK, this::fill);
    return harms;
  }

  private String cut() throws IOException, InterruptedException {
    String name = cluster.anyRunning("region-server-", 2, random);
    return name == null ? null : lasting(name, LONGEST_SECONDS, "is cut off", "cut", name);
  }

  private String part() throws IOException, InterruptedException {
    String name = cluster.anyRunning("region-server-", 2, random);
    if (name == null) {
      return null;
    }
    List<String> peers = new ArrayList<>(cluster.servers().keySet());
    peers.remove(name);
    String peer = peers.get(random.nextInt(peers.size()));
    return lasting(name, LONGEST_SECONDS, "does not reach " + peer, "cut", name, peer);
  }

  private String slow() throws IOException, InterruptedException {
    String name = cluster.anyRunning("region-server-", 2, random);
    return name == null ? null : lasting(name, LONGEST_SECONDS / 2, "is slow", "slow", name);
  }

  private String flap() throws IOException, InterruptedException {
    List<String> kinds = List.of("region-server-", "datanode-", "master-");
    String name = cluster.anyRunning(kinds.get(random.nextInt(kinds.size())), 2, random);
    if (name == null) {
      return null;
    }
    int seconds = seconds(LONGEST_SECONDS / 2);
    watch.expectHarm(name);
    events.say(name + " flaps for " + seconds + " s");
    cluster.run("flap", name, String.valueOf(seconds));
    watch.expectZombie(name);
    return name + ", " + seconds + " s";
  }

  private String fill() throws IOException, InterruptedException {
    List<String> names = cluster.running("datanode-");
    if (names.size() < 3) {
      return null;
    }
    // It is the last one that has a small disk.
    String name = names.get(names.size() - 1);
    return lasting(name, LONGEST_SECONDS, "has a full disk", "fill", name);
  }

  private int seconds(int longest) {
    return 5 + random.nextInt(longest - 4);
  }

  private String lasting(String name, int longest, String what, String... command)
      throws IOException, InterruptedException {
    int seconds = seconds(longest);
    watch.expectHarm(name);
    events.say(name + " " + what + " for " + seconds + " s");
    cluster.run(command);
    try {
      rest.seconds(seconds);
    } finally {
      cluster.run("heal", name);
    }
    watch.expectZombie(name);
    rest.seconds(5);
    return name + " " + what + ", " + seconds + " s";
  }
}
