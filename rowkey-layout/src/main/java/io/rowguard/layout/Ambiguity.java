package io.rowguard.layout;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Looks for a string that reads both as a complete row and as a bare key.
 *
 * <p>It walks both automata side by side through every pair of states that one string can lead to.
 * Salts count as right whatever they are: a hash takes every value sooner or later.
 */
final class Ambiguity {
  /** Enough for every layout of practical size; beyond it the answer is the cautious one. */
  private static final int MOST_PAIRS = 20_000;

  private Ambiguity() {}

  /** Whether no string reads both ways; false also when that could not be settled. */
  static boolean isExcluded(RowkeyLayout complete, RowkeyLayout bare) {
    PrefixAutomaton completeRows = new PrefixAutomaton(complete.parts());
    PrefixAutomaton bareRows = new PrefixAutomaton(bare.parts());
    Set<Pair> seen = new HashSet<>();
    Deque<Pair> open = new ArrayDeque<>();
    Pair start = new Pair(completeRows.start(), bareRows.start());
    seen.add(start);
    open.add(start);
    while (!open.isEmpty()) {
      Pair pair = open.remove();
      if (completeRows.isComplete(pair.complete) && bareRows.isComplete(pair.bare)) {
        return false;
      }
      for (int b = 0; b <= 0xff; b++) {
        PrefixState nextComplete = completeRows.next(pair.complete, (byte) b);
        PrefixState nextBare = nextComplete == null ? null : bareRows.next(pair.bare, (byte) b);
        if (nextBare != null) {
          Pair next = new Pair(nextComplete, nextBare);
          if (seen.add(next)) {
            open.add(next);
          }
        }
      }
      if (seen.size() > MOST_PAIRS) {
        return false;
      }
    }
    return true;
  }

  /** What one string leads to in the two automata. */
  private static final class Pair {
    final PrefixState complete;
    final PrefixState bare;

    Pair(PrefixState complete, PrefixState bare) {
      this.complete = complete;
      this.bare = bare;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Pair
          && complete.equals(((Pair) other).complete)
          && bare.equals(((Pair) other).bare);
    }

    @Override
    public int hashCode() {
      return Objects.hash(complete, bare);
    }
  }
}
