package io.rowguard.relayout.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Goes through every state that a setting can reach, breadth first, until there is no other or one
 * is wrong. The way to that one is as short as can be.
 *
 * <p>Wrong is: an answer that no order of the operations explains ({@link History}); a key that a
 * scan gives twice or out of order; a state in which a Get or a Scan that ran now, without anything
 * in between, would see what cannot be; one in which a client waits and no step is possible; and,
 * where the setting asks for it, one in which a key is blocked ({@link BlockedKeys}).
 */
final class Explorer {
  private final Setting setting;
  private final List<Actor> actors = new ArrayList<>();
  private final StateSet states = new StateSet();
  private final BlockedKeys blockedKeys;
  private int ends;

  private Explorer(Setting setting) {
    this.setting = setting;
    blockedKeys = setting.isNeverBlocked() ? new BlockedKeys(setting) : null;
    for (int i = 0; i < setting.mutations().size(); i++) {
      actors.add(new MutationSteps(i));
    }
    for (int i = 0; i < setting.readers().size(); i++) {
      actors.add(new ReadSteps(i));
    }
    actors.add(new OperatorSteps());
    actors.add(new RegionSteps(0));
    actors.add(new RegionSteps(1));
    if (setting.hasLateDeletes()) {
      actors.add(new LateDeletes());
    }
  }

  static Outcome explore(Setting setting) {
    return explore(setting, Integer.MAX_VALUE);
  }

  /**
   * Explores a setting.
   *
   * @param most states after which it ends as if there were no other
   */
  static Outcome explore(Setting setting, int most) {
    long begin = System.nanoTime();
    Explorer explorer = new Explorer(setting);
    String violation = explorer.run(most);
    double seconds = (System.nanoTime() - begin) / 1e9;
    return new Outcome(setting.name(), explorer.states.size(), explorer.ends, seconds, violation);
  }

  private String run(int most) {
    World world = new World(setting);
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
  private String expand(World world, int index) {
    byte[] state = states.get(index);
    world.unpack(state);
    Glance.check(world);
    if (world.violation() != null) {
      return trace(index, null, 0, world.violation());
    }
    String blocked = blockedKeys == null ? null : blockedKeys.blocked(state);
    if (blocked != null) {
      return trace(index, null, 0, blocked);
    }
    boolean nobodyWaits = world.nobodyWaits();
    ends += nobodyWaits && world.isLast() ? 1 : 0;
    boolean stuck = true;
    for (Actor actor : actors) {
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

  private String trace(int index, Actor last, int lastBranch, String violation) {
    List<Integer> way = new ArrayList<>();
    for (int i = index; i >= 0; i = states.parent(i)) {
      way.add(0, i);
    }
    World world = new World(setting);
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

  private String told(World world, byte[] from, byte[] to) {
    for (Actor actor : actors) {
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
