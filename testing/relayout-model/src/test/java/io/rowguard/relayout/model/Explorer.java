package io.rowguard.relayout.model;

import java.util.ArrayList;
import java.util.List;

/**
 * Goes through every state that a setting can reach.
 *
 * <p>Wrong is: an answer that no order of the operations explains ({@link History}); a key that a
 * scan gives twice or out of order; a state in which a Get or a Scan that ran now, without anything
 * in between, would see what cannot be; one in which a client waits and no step is possible; and,
 * where the setting asks for it, one in which a key is blocked ({@link BlockedKeys}).
 */
final class Explorer extends Exploration<World> {
  private final BlockedKeys blockedKeys;

  private Explorer(Setting setting) {
    super(() -> new World(setting), actors(setting));
    blockedKeys = setting.isNeverBlocked() ? new BlockedKeys(setting) : null;
  }

  private static List<Actor<World>> actors(Setting setting) {
    List<Actor<World>> actors = new ArrayList<>();
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
    return actors;
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
    return new Explorer(setting).run(setting.name(), most);
  }

  @Override
  String wrong(World world, byte[] state) {
    Glance.check(world);
    if (world.violation() != null || blockedKeys == null) {
      return world.violation();
    }
    return blockedKeys.blocked(state);
  }
}
