package io.rowguard.relayout.model;

import static io.rowguard.relayout.model.ReplicaEdit.Kind.DELETE_C1;
import static io.rowguard.relayout.model.ReplicaEdit.Kind.DELETE_FAMILY;
import static io.rowguard.relayout.model.ReplicaEdit.Kind.INCREMENT_C1;
import static io.rowguard.relayout.model.ReplicaEdit.Kind.PUT_C1;
import static io.rowguard.relayout.model.ReplicaEdit.Kind.PUT_C2;
import static io.rowguard.relayout.model.ReplicaScripts.bothChange;
import static io.rowguard.relayout.model.ReplicaScripts.bothMove;
import static io.rowguard.relayout.model.ReplicaScripts.chain;
import static io.rowguard.relayout.model.ReplicaScripts.latePeer;
import static io.rowguard.relayout.model.ReplicaScripts.oneTurnsBack;
import static io.rowguard.relayout.model.ReplicaScripts.otherBuckets;
import static io.rowguard.relayout.model.ReplicaScripts.putsAndADelete;
import static io.rowguard.relayout.model.ReplicaScripts.ring;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Clusters that replicate and change their layouts by themselves: whatever arrives when, each of
 * them shows what it would show if its layout had never changed, and in the end nothing is left
 * elsewhere.
 */
class ReplicationTest {
  @Test
  void bothChange_bothWrite_showWhatPlainClustersWould() {
    holds(putsAndADelete(bothChange()).restarts(), 56_000);
  }

  /** A marker before the put that it covers, too, in both clusters and at each step. */
  @ParameterizedTest
  @EnumSource(
      value = ReplicaEdit.Kind.class,
      names = {"DELETE_FAMILY", "DELETE_FAMILY_VERSION", "DELETE_C1", "DELETE_C1_VERSION"})
  void bothChange_aMarkerOfEachKind_hidesWhatItWould(ReplicaEdit.Kind marker) {
    holds(bothChange().edit(0, PUT_C1, 2).edit(0, marker, 2).restarts().repeats(), 18_000);
  }

  @Test
  void bothMove_editsThatComeTwiceAndCompactions_showNoMoreThanPlainOnes() {
    holds(
        bothMove().edit(0, PUT_C1, 2).edit(1, DELETE_FAMILY, 3).repeats().restarts().compactions(0),
        65_000);
  }

  /** An increment reads the row of its own cluster, and travels as a put. */
  @Test
  void bothMove_incrementsInBoth_readWholeRows() {
    holds(
        bothMove()
            .edit(0, INCREMENT_C1, 2)
            .edit(1, INCREMENT_C1, 3)
            .edit(1, DELETE_C1, 2)
            .restarts(),
        45_000);
  }

  @Test
  void otherBuckets_forGood_arriveAtTheirOwnRows() {
    holds(putsAndADelete(otherBuckets()).restarts().repeats(), 1_900);
  }

  @Test
  void chain_ofThree_showsTheSameAtItsEnd() {
    holds(chain().edit(0, PUT_C1, 2).edit(0, DELETE_FAMILY, 2).edit(1, PUT_C2, 3), 56_000);
  }

  @Test
  void ring_ofThree_bringsNothingBack() {
    holds(ring().edit(0, PUT_C1, 2).edit(1, DELETE_FAMILY, 2).compactions(0), 24_000);
  }

  @Test
  void latePeer_getsACopyAndWhatComesAfter() {
    holds(latePeer().edit(0, PUT_C1, 2).edit(0, PUT_C2, 3).edit(0, DELETE_C1, 4), 6_000);
  }

  @Test
  void oneTurnsBack_lateEdits_waitForTheCompactionAndAreTaken() {
    holds(putsAndADelete(oneTurnsBack()).repeats().restarts(), 12_000);
  }

  @Test
  void lateDelete_belowWhatHasMovedAway_goesAlong() {
    holds(ReplicaScripts.lateDelete().restarts().repeats(), 20_000);
  }

  /** Larger ones, for some minutes: by hand, with {@code -Pwhole}. */
  @Test
  @EnabledIfSystemProperty(named = "rowguard.matrix", matches = "whole")
  void explore_largerSettings_holds() {
    holds(putsAndADelete(bothChange()).edit(1, PUT_C1, 3).restarts().repeats(), 1_200_000);
    holds(putsAndADelete(bothChange()).restarts().repeats().compactions(0), 530_000);
    holds(putsAndADelete(bothMove()).repeats().restarts().compactions(0, 1), 3_000_000);
    holds(putsAndADelete(ring()).restarts().repeats().compactions(0), 1_800_000);
  }

  private static void holds(ReplicaSetting setting, int statesAtLeast) {
    Outcome outcome = ReplicaExplorer.explore(setting);
    System.out.println(outcome);
    assertNull(outcome.violation(), outcome::toString);
    assertTrue(outcome.states() >= statesAtLeast, outcome::toString);
    assertTrue(outcome.ends() > 0, outcome::toString);
  }
}
