package io.rowguard.relayout.model;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;

/**
 * Asks whether a key is blocked: whether some client cannot get its mutation done although both
 * regions of the key are open, however often it tries, unless an alter, a reopening or a compaction
 * helps. So a key that is never blocked by this measure waits for the reopening of its own regions
 * and for nothing else.
 */
final class BlockedKeys {
  private final World world;

  BlockedKeys(Setting setting) {
    world = new World(setting);
  }

  /** Says of a state what is blocked, or null. */
  String blocked(byte[] state) {
    world.unpack(state);
    if (!world.regions[0].isOpen() || !world.regions[1].isOpen()) {
      return null;
    }
    for (Mutation mutation : world.mutations) {
      if (!mutation.isOver() && !canBeDone(state, mutation)) {
        return mutation + " cannot be done although both regions are open";
      }
      world.unpack(state);
    }
    return null;
  }

  private boolean canBeDone(byte[] state, Mutation mutation) {
    Set<ByteBuffer> seen = new HashSet<>();
    Deque<byte[]> open = new ArrayDeque<>();
    open.push(state);
    while (!open.isEmpty()) {
      byte[] from = open.pop();
      world.unpack(from);
      if (mutation.isOver()) {
        return true;
      }
      for (int i = 0; i < world.mutations.length; i++) {
        // With a client there are two ways, to either row; later on one leads on.
        int branches = world.mutations[i].at == Mutation.At.CLIENT ? 2 : 1;
        for (int branch = 0; branch < branches; branch++) {
          if (new MutationSteps(i).step(world, branch)) {
            byte[] to = world.packed();
            if (seen.add(ByteBuffer.wrap(to))) {
              open.push(to);
            }
            world.unpack(from);
          }
        }
      }
    }
    return false;
  }
}
