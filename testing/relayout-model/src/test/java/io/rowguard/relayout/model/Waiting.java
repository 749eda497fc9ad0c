package io.rowguard.relayout.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Requests that wait for each other: a second, much smaller model. It has what {@link Explorer}'s
 * leaves out because it changes no row: the locks of the keys of a batch, and the handlers of
 * servers. Each request is a list of things that it takes, waiting until one is free, and gives
 * back. All orders are tried.
 *
 * <p>It finds whether requests can wait for each other for ever. Time limits are left out: they end
 * such a wait, but a protocol should not live on them.
 */
final class Waiting {
  private final Map<String, Integer> free = new HashMap<>();
  private final List<String[]> requests = new ArrayList<>();

  /** There are so many of a thing. */
  Waiting has(int number, String thing) {
    free.put(thing, number);
    return this;
  }

  /** A request: {@code +lock} takes, {@code -lock} gives back. */
  Waiting request(String steps) {
    requests.add(steps.split(" ", -1));
    return this;
  }

  /** The first state found in which no request can go on, or null; and the number of states. */
  Found explore() {
    Set<List<Integer>> seen = new HashSet<>();
    Deque<List<Integer>> open = new ArrayDeque<>();
    List<Integer> begin = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      begin.add(0);
    }
    seen.add(begin);
    open.add(begin);
    while (!open.isEmpty()) {
      List<Integer> state = open.remove();
      boolean stuck = true;
      boolean over = true;
      for (int i = 0; i < requests.size(); i++) {
        String[] steps = requests.get(i);
        if (state.get(i) == steps.length) {
          continue;
        }
        over = false;
        String step = steps[state.get(i)];
        if (step.startsWith("+") && taken(state, step.substring(1)) == free(step.substring(1))) {
          continue;
        }
        stuck = false;
        List<Integer> next = new ArrayList<>(state);
        next.set(i, state.get(i) + 1);
        if (seen.add(next)) {
          open.add(next);
        }
      }
      if (stuck && !over) {
        return new Found(seen.size(), told(state));
      }
    }
    return new Found(seen.size(), null);
  }

  /**
   * The findings.
   *
   * @param stuck who has what and waits for what, or null
   */
  record Found(int states, String stuck) {}

  private int free(String thing) {
    Integer number = free.get(thing);
    return number == null ? 1 : number;
  }

  private int taken(List<Integer> state, String thing) {
    int taken = 0;
    for (int i = 0; i < requests.size(); i++) {
      for (String step : Arrays.asList(requests.get(i)).subList(0, state.get(i))) {
        taken += step.equals("+" + thing) ? 1 : step.equals("-" + thing) ? -1 : 0;
      }
    }
    return taken;
  }

  private String told(List<Integer> state) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < requests.size(); i++) {
      String[] steps = requests.get(i);
      if (state.get(i) < steps.length) {
        List<String> has = new ArrayList<>();
        for (String step : Arrays.asList(steps).subList(0, state.get(i))) {
          if (step.startsWith("+")) {
            has.add(step.substring(1));
          } else {
            has.remove(step.substring(1));
          }
        }
        text.append("request ").append(i + 1).append(" has ").append(has);
        text.append(" and waits for ").append(steps[state.get(i)].substring(1)).append("\n");
      }
    }
    return text.toString();
  }
}
