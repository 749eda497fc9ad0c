package io.rowguard.relayout.model;

import static io.rowguard.relayout.model.MutationPlan.Kind.DELETE;
import static io.rowguard.relayout.model.MutationPlan.Kind.DELETE_UP_TO_THE_FUTURE;
import static io.rowguard.relayout.model.MutationPlan.Kind.PUT_C1;
import static io.rowguard.relayout.model.MutationPlan.Kind.TOUCH;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * No key is blocked longer than the reopening of its own regions, but for the way back: wherever
 * both of them are open, whichever versions they have, a client that tries again gets its mutation
 * done ({@link BlockedKeys}).
 */
class NothingIsBlockedTest {
  @Test
  void startToFinish_bothRegionsOpen_neverBlocks() {
    neverBlocks(Scripts.startToFinish().mutations(PUT_C1, DELETE, TOUCH).crashes(1), 10_000);
  }

  /** No compaction helps here, and none is needed: a marker that a user has made is no obstacle. */
  @Test
  void startToFinish_aDeleteUpToTheFuture_neverBlocks() {
    neverBlocks(aheadOfTheClock(), 40_000);
    Setting heldAgainst = aheadOfTheClock().with(Mistake.MUTATION_UNDER_USERS_MARKERS);
    blocks(Explorer.explore(heldAgainst.neverBlocked()), "cannot be done");
  }

  private static Setting aheadOfTheClock() {
    return Scripts.startToFinish().mutations(DELETE_UP_TO_THE_FUTURE, PUT_C1, TOUCH).crashes(1);
  }

  @Test
  void startToFinish_aRawWriter_isNeverBlocked() {
    Setting setting = Scripts.startToFinish().mutation(MutationPlan.of(PUT_C1).rawly());
    neverBlocks(setting.mutations(TOUCH).crashes(1), 1_000);
  }

  @Test
  void startGivenUp_bothRegionsOpen_neverBlocks() {
    neverBlocks(Scripts.startGivenUp().mutations(PUT_C1, DELETE).crashes(1), 500);
  }

  /** The way back is one alter, so keys wait until both of their regions have reopened. */
  @Test
  void back_oneRegionReopened_blocks() {
    Outcome outcome = Explorer.explore(Scripts.back().mutations(PUT_C1).neverBlocked());
    blocks(outcome, "[Put c1=v2 of K1] cannot be done although both regions are open");
    assertTrue(outcome.violation().contains("region 1 OPEN at 1"), outcome::toString);
    assertTrue(outcome.violation().contains("region 2 OPEN at 0"), outcome::toString);
  }

  /** A start to where the table once came from meets that relayout's markers. */
  @Test
  void startBackwards_withoutACompactionSinceTheFirst_blocks() {
    Setting setting = Scripts.finishAndStartBackwards().mutations(PUT_C1, TOUCH).neverBlocked();
    blocks(Explorer.explore(setting), "cannot be done");
  }

  /** A start without its first alter blocks keys, too. */
  @Test
  void start_withOneAlter_blocks() {
    Setting setting = Setting.of("start at once", Descriptor.home(0, 0), Descriptor.moving(0, 1));
    blocks(Explorer.explore(setting.mutations(PUT_C1).neverBlocked()), "cannot be done");
  }

  private static void neverBlocks(Setting setting, int statesAtLeast) {
    Outcome outcome = Explorer.explore(setting.neverBlocked());
    System.out.println(outcome);
    assertNull(outcome.violation(), outcome::toString);
    assertTrue(outcome.states() >= statesAtLeast, outcome::toString);
  }

  private static void blocks(Outcome outcome, String how) {
    assertTrue(outcome.violation() != null && outcome.violation().contains(how), outcome::toString);
  }
}
