package io.rowguard.relayout.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.relayout.model.Mutation.At;
import io.rowguard.relayout.model.MutationPlan.Kind;
import org.junit.jupiter.api.Test;

/** The checker of histories finds what it is there for, and nothing else. */
class HistoryTest {
  private static final int BEFORE = shown(1, 1);

  @Test
  void seen_beforeAnythingHappens_isTheRowAtTheBeginning() {
    World world = world(Kind.PUT_C1);
    assertTrue(sees(world, 0, BEFORE));
    assertFalse(sees(world, 1, shown(2, 1)), "a client has not begun to put this");
  }

  @Test
  void seen_afterAnAcknowledgedPut_theOldValueIsALostUpdate() {
    World world = world(Kind.PUT_C1);
    acknowledge(world, 0, 1);
    assertTrue(sees(world, 0, shown(2, 1)));
    assertFalse(sees(world, 1, BEFORE));
  }

  @Test
  void seen_byAReaderThatBeganBefore_mayBeOldOrNew() {
    for (int value = 1; value <= 2; value++) {
      World world = world(Kind.PUT_C1);
      world.readers[0].step = 1;
      acknowledge(world, 0, 1);
      assertTrue(world.histories[0].seen(world.readers[0], shown(value, 1)));
    }
  }

  @Test
  void seen_afterAnAcknowledgedDelete_theRowHasComeBack() {
    World world = world(Kind.DELETE);
    acknowledge(world, 0, 1);
    assertFalse(sees(world, 0, BEFORE));
  }

  @Test
  void seen_whileAPutHasNoAnswer_itMayHaveHappenedOrNot() {
    for (int value = 1; value <= 2; value++) {
      World world = world(Kind.PUT_C1);
      world.mutations[0].at = At.LOST;
      assertTrue(sees(world, 0, shown(value, 1)));
    }
  }

  @Test
  void seen_onceThatPutWasSeen_itCannotBeUndone() {
    World world = world(Kind.PUT_C1);
    world.mutations[0].at = At.LOST;
    assertTrue(sees(world, 0, shown(2, 1)));
    assertFalse(sees(world, 1, BEFORE));
  }

  @Test
  void seen_onceItWasSeenNotToHaveHappened_itMayHappenLater() {
    World world = world(Kind.PUT_C1);
    world.mutations[0].at = At.LOST;
    assertTrue(sees(world, 0, BEFORE));
    assertTrue(sees(world, 1, shown(2, 1)));
  }

  @Test
  void seen_afterAPutWithoutAnAnswerAndADelete_itMayComeAfterTheDeleteButOnce() {
    World world = world(Kind.PUT_C1, Kind.DELETE);
    world.mutations[0].at = At.LOST;
    assertTrue(sees(world, 0, shown(2, 1)));
    acknowledge(world, 1, 1);
    assertFalse(sees(world, 1, shown(2, 0)), "it has happened before the delete");
  }

  @Test
  void takenBack_afterItWasSeen_cannotBe() {
    World world = world(Kind.PUT_C1);
    world.mutations[0].at = At.LOCK;
    assertTrue(sees(world, 0, shown(2, 1)));
    assertFalse(world.histories[0].takenBack(world.mutations[0]));
  }

  @Test
  void answered_twoIncrements_oneOfThemIsLostIfBothSayTwo() {
    World world = world(Kind.INCREMENT, Kind.INCREMENT);
    acknowledge(world, 0, 2);
    world.mutations[1].at = At.LOCK;
    assertFalse(world.histories[0].answered(world.mutations[1], 2));
  }

  @Test
  void answered_aConditionThatNobodyHasMadeFalse_wasTrue() {
    World world = world(Kind.CHECK_AND_PUT_C1);
    world.mutations[0].at = At.LOCK;
    assertFalse(world.histories[0].answered(world.mutations[0], 2));
  }

  @Test
  void possible_withTwoPutsUnderWay_namesAllRows() {
    World world = world(Kind.PUT_C1, Kind.PUT_C2);
    world.mutations[0].at = At.LOST;
    world.mutations[1].at = At.LOCK;
    assertEquals(
        "c1=v1 c2=v1, or c1=v2 c2=v1, or c1=v1 c2=v3, or c1=v2 c2=v3",
        world.histories[0].possible());
  }

  private static World world(Kind... kinds) {
    return new World(Scripts.moving().mutations(kinds).readers(Reader.Kind.GET, Reader.Kind.GET));
  }

  private static void acknowledge(World world, int mutation, int answer) {
    world.mutations[mutation].at = At.LOCK;
    assertTrue(world.histories[0].answered(world.mutations[mutation], answer));
    world.mutations[mutation].at = At.DONE;
  }

  private static boolean sees(World world, int reader, int shown) {
    world.readers[reader].step = 1;
    boolean possible = world.histories[0].seen(world.readers[reader], shown);
    world.readers[reader].cursor = 1;
    return possible;
  }

  private static int shown(int c1, int c2) {
    return c1 | c2 << 3;
  }
}
