package io.rowguard.relayout.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Goes through every state that a world can reach, breadth first, until there is no other or one is
 * wrong. The way to that one is as short as can be. Wrong is what a step finds or {@link #wrong}
 * says, and a state in which a client waits and no step is possible.
 */
abstract class Exploration<W extends Explored> {
  private final Supplier<W> worlds;
  private final List<Actor<W>> actors;
  private final StateSet states = new StateSet();
  private int ends;

  /**
   * @param worlds makes the world as it is at first, always alike
   */
  Exploration(Supplier<W> worlds, List<Actor<W>> actors) {
    this.worlds = worlds;
    this.actors = actors;
  }

  /** The mistake that a state is by itself; null for none. */
  abstract String wrong(W world, byte[] state);

  /**
   * Explores.
   *
   * @param most states after which it ends as if there were no other
   */
  final Outcome run(String name, int most) {
    long begin = System.nanoTime();
    String violation = violation(most);
    double seconds = (System.nanoTime() - begin) / 1e9;
    return new Outcome(name, states.size(), ends, seconds, violation);
  }

  private String violation(int most) {
    W world = worlds.get();
    states.add(world.packed(), -1);
    for (int index = 0; index < states.size() && index < most; index++) {
      String wrong = expand(world, index);
      if (wrong != null) {
        return wrong;
      }
    }
    return null;
  }

  /** Adds all states that follow. Gives the mistake, with the way there, or null. */
  private String expand(W world, int index) {
    byte[] state = states.get(index);
    world.unpack(state);
    String wrong = wrong(world, state);
    if (wrong != null) {
      return trace(index, null, 0, wrong);
    }
    boolean nobodyWaits = world.nobodyWaits();
    ends += nobodyWaits && world.isLast() ? 1 : 0;
    boolean stuck = true;
    for (Actor<W> actor : actors) {
      for (int branch = 0; branch < actor.branches(); branch++) {
        if (!actor.step(world, branch)) {
          continue;
        }
        if (world.violation() != null) {
          return trace(index, actor, branch, world.violation());
        }
        byte[] next = world.packed();
        stuck &= Arrays.equals(next, state);
        states.add(next, index);
        world.unpack(state);
      }
    }
    if (stuck && !nobodyWaits) {
      return trace(index, null, 0, "a client waits, and no step is possible");
    }
    return null;
  }

  private String trace(int index, Actor<W> last, int lastBranch, String violation) {
    List<Integer> way = new ArrayList<>();
    for (int i = index; i >= 0; i = states.parent(i)) {
      way.add(0, i);
    }
    W world = worlds.get();
    world.listen();
    StringBuilder text = new StringBuilder(violation).append("\n");
    text.append("     at first: ").append(world).append("\n");
    int line = 0;
    for (int i = 1; i < way.size(); i++) {
      byte[] from = states.get(way.get(i - 1));
      text.append(line(++line, told(world, from, states.get(way.get(i)))));
    }
    world.unpack(states.get(index));
    text.append("     then: ").append(world).append("\n");
    if (last != null) {
      last.step(world, lastBranch);
      text.append(line(++line, world.told()));
    }
    return text.append("     wrong: ").append(violation).toString();
  }

  private String told(W world, byte[] from, byte[] to) {
    for (Actor<W> actor : actors) {
      for (int branch = 0; branch < actor.branches(); branch++) {
        world.unpack(from);
        world.told();
        if (actor.step(world, branch) && Arrays.equals(world.packed(), to)) {
          return world.told();
        }
      }
    }
    throw new IllegalStateException("No step leads from a state to the next.");
  }

  private static String line(int number, String told) {
    return String.format("%4d %s%n", number, told);
  }
}
