package io.rowguard.relayout.model;

import static io.rowguard.relayout.model.MutationPlan.Kind.CHECK_AND_PUT_C1;
import static io.rowguard.relayout.model.MutationPlan.Kind.DELETE;
import static io.rowguard.relayout.model.MutationPlan.Kind.DELETE_OF_THE_FUTURE;
import static io.rowguard.relayout.model.MutationPlan.Kind.DELETE_OF_THE_PAST;
import static io.rowguard.relayout.model.MutationPlan.Kind.DELETE_UP_TO_THE_FUTURE;
import static io.rowguard.relayout.model.MutationPlan.Kind.INCREMENT;
import static io.rowguard.relayout.model.MutationPlan.Kind.PUT_C1;
import static io.rowguard.relayout.model.MutationPlan.Kind.PUT_C1_OF_THE_FUTURE;
import static io.rowguard.relayout.model.MutationPlan.Kind.PUT_C1_OF_THE_PAST;
import static io.rowguard.relayout.model.MutationPlan.Kind.PUT_C2;
import static io.rowguard.relayout.model.MutationPlan.Kind.TOUCH;
import static io.rowguard.relayout.model.Reader.Kind.FILTERED_GET;
import static io.rowguard.relayout.model.Reader.Kind.GET;
import static io.rowguard.relayout.model.Reader.Kind.SCAN;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * The protocol, explored to the end in small settings, each about something else: nothing is lost,
 * doubled, brought back, seen and undone. Each test says how many states there are at least, so
 * that a setting that has lost its point fails.
 */
class ProtocolTest {
  /** The mover, two writers, a crash with zombies and late deletes, from start to finish. */
  @Test
  void startToFinish_writersAndAMover_nothingIsLost() {
    holds(
        Scripts.startToFinish().mutations(PUT_C1, DELETE, TOUCH).crashes(1).zombies().lateDeletes(),
        300_000);
  }

  /** Mutations that must not be applied twice, or tell their client what they saw. */
  @Test
  void startToFinish_incrementAndCheckAndPut_happenOnce() {
    holds(Scripts.startToFinish().mutations(INCREMENT, CHECK_AND_PUT_C1, TOUCH).crashes(1), 44_000);
  }

  /** A client that knows no layouts writes under both rows. */
  @Test
  void startToFinish_aRawWriter_isForwardedOrRefused() {
    holds(
        Scripts.startToFinish()
            .mutation(MutationPlan.of(PUT_C1).rawly())
            .mutations(DELETE, TOUCH)
            .crashes(1),
        40_000);
  }

  @Test
  void startToFinish_aGetInTheMiddle_seesTheRow() {
    holds(Scripts.startToFinish().mutations(PUT_C1, DELETE, TOUCH).readers(GET), 100_000);
  }

  /** Two keys in one region each, scanned in one window and in two. */
  @Test
  void startToFinish_aScanOfTwoKeys_givesEachOnceAndInOrder() {
    for (int window = 1; window <= 2; window++) {
      holds(
          Scripts.startToFinish()
              .twoKeys(true)
              .window(window)
              .mutations(TOUCH)
              .mutation(MutationPlan.of(TOUCH).ofKey(1))
              .readers(SCAN),
          20_000);
    }
  }

  /** Each region is the old one of one key and the new one of the other. */
  @Test
  void start_aRegionThatIsOldAndNew_decidesForItsOldRowsByReopeningAlone() {
    holds(
        Scripts.start()
            .twoKeys(false)
            .mutations(PUT_C1)
            .mutation(MutationPlan.of(PUT_C1).ofKey(1))
            .crashes(1)
            .zombies(),
        15_000);
  }

  @Test
  void startGivenUp_whilePrepared_hasMovedNothing() {
    holds(
        Scripts.startGivenUp().mutations(PUT_C1, DELETE).readers(GET).crashes(1).zombies(), 5_000);
  }

  /** Splits, moves and merges are closings without an alter. */
  @Test
  void start_regionsThatAreSplitMovedAndMerged_loseNothing() {
    holds(Scripts.start().mutations(PUT_C1, DELETE).moves(2).crashes(1).lateDeletes(), 17_000);
  }

  @Test
  void moving_threeWritersAndTwoCrashes_nothingIsLost() {
    holds(
        Scripts.moving()
            .mutations(PUT_C1, DELETE, PUT_C2)
            .crashes(2)
            .zombies()
            .lateDeletes()
            .compactions(),
        70_000);
  }

  @Test
  void moving_severalReaders_agree() {
    holds(Scripts.moving().mutations(PUT_C1, DELETE).readers(GET, GET).crashes(1), 4_000);
    holds(Scripts.moving().mutations(PUT_C1, DELETE).readers(FILTERED_GET, SCAN).crashes(1), 4_000);
  }

  /** Cells that no clock has reached. */
  @Test
  void finish_cellsOfTheFuture_arePulledAndDeletedToo() {
    holds(
        Scripts.finish()
            .ofTheFuture()
            .mutations(PUT_C1, PUT_C1_OF_THE_FUTURE, DELETE_OF_THE_FUTURE, TOUCH)
            .crashes(1),
        8_000);
  }

  /** Users who date their deletes ahead of the clock: their markers are of the row. */
  @Test
  void startToFinish_deletesUpToTheFuture_hideWhatTheyHideAnyway() {
    holds(
        Scripts.startToFinish()
            .ofTheFuture()
            .mutations(DELETE_UP_TO_THE_FUTURE, PUT_C1, PUT_C1_OF_THE_FUTURE, TOUCH),
        100_000);
  }

  /** There and back and there again: users' deletes and leftovers, and timestamps of any time. */
  @Test
  void backAndStartAgain_clientsTimestamps_hideNothing() {
    holds(
        Scripts.backAndStartAgain()
            .ofTheFuture()
            .mutations(DELETE_UP_TO_THE_FUTURE, PUT_C1_OF_THE_PAST, PUT_C1)
            .lateDeletes()
            .compactions(),
        300_000);
  }

  /** A row that was moved back, and then a put older than all that. */
  @Test
  void backAndFinish_aPutOfThePast_isNotHidden() {
    holds(
        Scripts.backAndFinish()
            .ofThePast()
            .mutations(TOUCH, DELETE_OF_THE_PAST, PUT_C1_OF_THE_PAST, PUT_C2)
            .crashes(1)
            .compactions(),
        300_000);
  }

  /** A second relayout, to where the first one came from: old deletes, zombies, markers. */
  @Test
  void finishAndStartBackwards_whatIsLeftOfTheFirst_doesNoHarm() {
    holds(
        Scripts.finishAndStartBackwards()
            .mutations(PUT_C1, DELETE, TOUCH)
            .crashes(1)
            .zombies()
            .lateDeletes()
            .compactions(),
        900_000);
  }

  /** Pulled keys are remembered for speed only. */
  @Test
  void moving_aRegionThatForgetsWhatIsPulled_asksAgain() {
    holds(Scripts.moving().mutations(PUT_C1, DELETE, PUT_C2).crashes(1).forgetful(), 1_000);
  }

  /** A region that is done says so for all of its old rows, also one that is a zombie by now. */
  @Test
  void moving_regionsThatHearOfEmptiedOnes_askNoMore() {
    holds(
        Scripts.moving()
            .mutations(PUT_C1, DELETE, PUT_C2)
            .readers(GET)
            .crashes(2)
            .zombies()
            .lateDeletes()
            .emptied(),
        100_000);
  }

  @Test
  void startToFinish_withEmptiedRegions_losesNothing() {
    holds(
        Scripts.startToFinish().withoutRow().mutations(PUT_C1, PUT_C2, TOUCH).crashes(1).emptied(),
        30_000);
  }

  @Test
  void back_andStartAgain_withEmptiedRegions_losesNothing() {
    holds(
        Scripts.backAndStartAgain()
            .mutations(PUT_C1, DELETE)
            .crashes(1)
            .zombies()
            .compactions()
            .emptied(),
        50_000);
  }

  /** Keys are blocked for a while, but none is lost. */
  @Test
  void back_thenStartAgain_nothingIsLost() {
    holds(
        Scripts.backAndStartAgain()
            .mutations(PUT_C1, DELETE)
            .crashes(1)
            .compactions()
            .lateDeletes(),
        50_000);
  }

  @Test
  void back_aGetInTheMiddle_seesTheRow() {
    holds(
        Scripts.back()
            .mutations(PUT_C1, DELETE)
            .readers(GET)
            .crashes(1)
            .compactions()
            .lateDeletes(),
        40_000);
  }

  /** Markers of the future that pulls have left where the rows go back to. */
  @Test
  void backAndFinish_markersOfTheFuture_hideNothing() {
    holds(
        Scripts.backAndFinish()
            .ofTheFuture()
            .mutations(TOUCH, PUT_C1, DELETE, DELETE_OF_THE_FUTURE)
            .compactions(),
        100_000);
  }

  @Test
  void back_writersZombiesAndLateDeletes_nothingIsLost() {
    holds(
        Scripts.back().mutations(PUT_C1, DELETE).crashes(1).zombies().lateDeletes().compactions(),
        30_000);
  }

  @Test
  void back_aScanInTheMiddle_seesTheRow() {
    holds(Scripts.back().mutations(PUT_C1, DELETE).readers(SCAN), 3_000);
  }

  @Test
  void startAndBack_beforeItIsOver_losesNothing() {
    holds(Scripts.startAndBack().mutations(PUT_C1, DELETE).crashes(1).lateDeletes(), 20_000);
  }

  @Test
  void backAndFinish_withAMover_nothingIsLost() {
    holds(
        Scripts.backAndFinish().mutations(PUT_C1, INCREMENT, TOUCH).crashes(1).compactions(),
        50_000);
  }

  private static void holds(Setting setting, int statesAtLeast) {
    Outcome outcome = Explorer.explore(setting);
    System.out.println(outcome);
    assertNull(outcome.violation(), outcome::toString);
    assertTrue(outcome.states() >= statesAtLeast, outcome::toString);
    assertTrue(outcome.ends() > 0, outcome::toString);
  }
}
