package io.rowguard.soak;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Does harm to a cluster, one fault after the other: each once in a random order, then each again.
 * For one thread.
 */
final class Nemesis {
  private final Map<Fault, Harm> harms;
  private final ServerWatch servers;
  private final Random random;
  private final Events events;
  private final Map<Fault, Integer> tried = new EnumMap<>(Fault.class);
  private final Map<Fault, Integer> done = new EnumMap<>(Fault.class);
  private final List<Fault> deck = new ArrayList<>();

  /**
   * A nemesis.
   *
   * @param harms not empty
   * @param servers are started again after each fault
   */
  Nemesis(Map<Fault, Harm> harms, ServerWatch servers, long seed, Events events) {
    this.harms = new EnumMap<>(harms);
    this.servers = servers;
    this.random = new Random(seed);
    this.events = events;
  }

  /** Carries out the next fault. */
  void strike() throws IOException, InterruptedException {
    if (deck.isEmpty()) {
      deck.addAll(harms.keySet());
      Collections.shuffle(deck, random);
    }
    Fault fault = deck.remove(deck.size() - 1);
    tried.merge(fault, 1, Integer::sum);
    String what = harms.get(fault).strike();
    if (what != null) {
      done.merge(fault, 1, Integer::sum);
      events.say(fault + ": " + what);
    }
    servers.heal();
  }

  /** How often each fault was carried out, for the user. */
  String counts() {
    List<String> counts = new ArrayList<>();
    harms.keySet().forEach(fault -> counts.add(fault + "=" + done.getOrDefault(fault, 0)));
    return String.join(" ", counts);
  }

  /** Whether it did nothing, or tried each fault, and could not carry one out. */
  List<String> violations() {
    List<String> violations = new ArrayList<>();
    if (done.isEmpty()) {
      violations.add("the nemesis did nothing");
    }
    if (tried.size() == harms.size()) {
      tried.forEach(
          (fault, count) -> {
            if (!done.containsKey(fault)) {
              violations.add("the nemesis tried " + fault + " in vain, times=" + count);
            }
          });
    }
    return violations;
  }
}
