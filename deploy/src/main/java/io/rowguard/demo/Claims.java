package io.rowguard.demo;

import java.util.ArrayList;
import java.util.List;

/** The claims of the demo, each with whether it was so. Not thread-safe. */
final class Claims {
  /**
   * One claim.
   *
   * @param text what is claimed
   * @param held whether the cluster bore it out
   * @param seen what was seen, for when it did not hold
   */
  record Claim(String text, boolean held, String seen) {}

  private final List<Claim> all = new ArrayList<>();

  void add(String text, boolean held, String seen) {
    all.add(new Claim(text, held, seen));
  }

  /** All claims, in the order in which they were made. */
  List<Claim> all() {
    return List.copyOf(all);
  }

  /** Whether there are claims and all of them held: a demo that shows nothing has not succeeded. */
  boolean allHeld() {
    return !all.isEmpty() && all.stream().allMatch(Claim::held);
  }
}
