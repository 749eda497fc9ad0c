package io.rowguard.relayout.model;

import io.rowguard.relayout.model.Descriptor.Phase;
import io.rowguard.relayout.model.Mutation.At;
import io.rowguard.relayout.model.MutationPlan.Kind;

/**
 * How a mutation gets to the region that takes it: sent by a client, judged by the region at which
 * it arrives, forwarded at most once, pulled for ({@link PullSteps}), applied.
 *
 * <p>Judging and applying are one step, since a region's descriptor is that of its instance and
 * HBase closes no instance in the middle of a batch. A client that is told to come back later does
 * so at any time.
 */
final class MutationSteps implements Actor<World> {
  private final int index;

  MutationSteps(int index) {
    this.index = index;
  }

  @Override
  public int branches() {
    return 3;
  }

  @Override
  public boolean step(World world, int branch) {
    Mutation mutation = world.mutations[index];
    return switch (mutation.at) {
      case CLIENT -> send(world, mutation, branch);
      case FORWARDED -> forwarded(world, mutation, branch);
      case DONE, LOST -> false;
      default -> PullSteps.step(world, mutation, branch);
    };
  }

  private static boolean send(World world, Mutation mutation, int branch) {
    MutationPlan plan = mutation.plan;
    Descriptor known = world.setting.descriptor(mutation.version);
    boolean moverRests = mutation.isTouch() && world.descriptor().phase() != Phase.MOVING;
    if (moverRests || branch > (plan.raw() ? 1 : 0)) {
      return false;
    }
    int layout = plan.raw() ? branch : known.home();
    Region region = world.regionOf(plan.key(), layout);
    if (!region.isOpen()) {
      return false;
    }
    if (!plan.raw() && !accepts(world, region, mutation.version)) {
      if (mutation.version == world.current) {
        return false;
      }
      world.say(mutation, ": ", region, " does not take version ", mutation.version);
      world.say("the client reads the descriptor again");
      mutation.version = world.current;
      return true;
    }
    return arrive(world, mutation, region, layout);
  }

  /**
   * I3: a region takes requests of its own version, of the next, since it may not have reopened
   * yet, and of the one before if the step between is a finish, which changes nothing for readers.
   */
  static boolean accepts(World world, Region region, int version) {
    Setting setting = world.setting;
    if (setting.has(Mistake.NO_VERSION)) {
      return true;
    }
    boolean takes =
        version == region.version
            || version == region.version + 1
            || (version == region.version - 1 && setting.isFinish(region.version));
    if (setting.has(Mistake.LAYOUTS_ONLY)) {
      takes |= setting.descriptor(version).sameLayouts(setting.descriptor(region.version));
    }
    return takes;
  }

  /** The region in which it arrives decides by its own descriptor. */
  private static boolean arrive(World world, Mutation mutation, Region region, int layout) {
    Descriptor descriptor = world.descriptor(region);
    boolean oldPlace = layout == descriptor.from();
    if (mutation.plan.kind() == Kind.PUT_C2 && world.setting.has(Mistake.BULK_LOAD)) {
      apply(world, mutation, region);
      return true;
    }
    switch (phase(world, region)) {
      case AT_HOME -> {
        if (oldPlace) {
          return refuse(world, mutation, region);
        }
        apply(world, mutation, region);
      }
      case PREPARED -> {
        if (oldPlace) {
          apply(world, mutation, region);
        } else {
          take(world, mutation, region);
        }
      }

      case MOVING -> {
        if (!oldPlace) {
          take(world, mutation, region);
        } else if (world.setting.has(Mistake.OLD_PLACE_OPEN)) {
          apply(world, mutation, region);
        } else if (mutation.forwarded) {
          return refuse(world, mutation, region);
        } else {
          forward(world, mutation, region, descriptor.to());
        }
      }
    }
    return true;
  }

  /** The phase by which a region acts. */
  static Phase phase(World world, Region region) {
    return region.adopted ? Phase.MOVING : world.descriptor(region).phase();
  }

  private static boolean refuse(World world, Mutation mutation, Region region) {
    if (mutation.at == At.CLIENT) {
      return false;
    }
    world.say(mutation, ": ", region, " sends it back, to be tried again");
    world.takeBack(mutation);
    return true;
  }

  private static void take(World world, Mutation mutation, Region region) {
    world.say(mutation, " is in ", region, ", which is ", world.descriptor(region));
    mutation.at = At.LOCK;
    mutation.region = region.index;
    mutation.inZombie = false;
  }

  /** I2: once. The region where it arrives judges it as if a client had sent it. */
  static void forward(World world, Mutation mutation, Region from, int layout) {
    world.say(mutation, ": ", from, " forwards it to the other region");
    mutation.at = At.FORWARDED;
    mutation.forwarded = true;
    mutation.region = world.setting.region(mutation.plan.key(), layout);
    mutation.inZombie = false;
  }

  private static boolean forwarded(World world, Mutation mutation, int branch) {
    Region region = world.regions[mutation.region];
    if (branch == 2) {
      world.say(mutation, " does not reach the other region, to be tried again");
      world.takeBack(mutation);
      return true;
    }
    if (branch == 1 || !region.isOpen()) {
      return false;
    }
    if (world.setting.has(Mistake.FORWARD_UNCHECKED)) {
      apply(world, mutation, region);
      return true;
    }
    return arrive(world, mutation, region, world.setting.layout(mutation.plan.key(), region.index));
  }

  /**
   * The user's mutation, in HBase's own batchMutate: under the row's lock, the log synced before it
   * is visible. Then the client has its answer.
   */
  static void apply(World world, Mutation mutation, Region region) {
    int answer = change(world, mutation, region);
    region.sync();
    acknowledge(world, mutation, answer);
  }

  /** Changes the row and no more. */
  static int change(World world, Mutation mutation, Region region) {
    int key = mutation.plan.key();
    int before = Row.value(region.row[key], 0);
    int timestamp = mutation.plan.takesTime() ? region.nextTimestamp() : 0;
    region.row[key] = mutation.plan.apply(region.row[key], mutation.value(), timestamp);
    if (!mutation.isTouch()) {
      String row = world.rowName(key, world.setting.layout(key, region.index));
      world.say(mutation, " is applied in ", region, ": ", row, "=", world.text(region.row[key]));
    }
    return mutation.plan.answer(before);
  }

  static void acknowledge(World world, Mutation mutation, int answer) {
    world.say(mutation, " is acknowledged");
    if (mutation.isTouch()) {
      mutation.at = At.CLIENT;
      return;
    }
    mutation.at = At.LOST;
    if (!world.histories[mutation.plan.key()].answered(mutation, answer)) {
      world.violate(mutation + " was answered " + answer + ", which no order explains");
    }
    mutation.at = At.DONE;
  }
}
