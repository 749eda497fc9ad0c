package io.rowguard.relayout.model;

import static io.rowguard.relayout.model.ReplicaEdit.Kind.DELETE_C1_VERSION;
import static io.rowguard.relayout.model.ReplicaEdit.Kind.DELETE_FAMILY;
import static io.rowguard.relayout.model.ReplicaEdit.Kind.PUT_C1;
import static io.rowguard.relayout.model.ReplicaEdit.Kind.PUT_C2;
import static io.rowguard.relayout.model.ReplicaScripts.bothChange;
import static io.rowguard.relayout.model.ReplicaScripts.bothMove;
import static io.rowguard.relayout.model.ReplicaScripts.oneTurnsBack;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each {@link ReplicaMistake} is found, and the way to it is printed, the shortest there is. The
 * same setting without the mistake is right.
 */
class ReplicaMistakesTest {
  @ParameterizedTest
  @EnumSource(ReplicaMistake.class)
  void explore_withAMistake_findsWhatItCosts(ReplicaMistake mistake) {
    Outcome outcome = ReplicaExplorer.explore(setting(mistake).with(mistake));
    System.out.println(outcome);
    assertNotNull(outcome.violation(), outcome::toString);
    assertEquals(cost(mistake), outcome.violation().lines().findFirst().orElse(""));
    Outcome right = ReplicaExplorer.explore(setting(mistake));
    assertNull(right.violation(), right::toString);
  }

  private static ReplicaSetting setting(ReplicaMistake mistake) {
    return switch (mistake) {
      case COPIES_SHIPPED -> ReplicaScripts.latePeer().edit(0, PUT_C1, 2);
      case SCOPE_CLEARED_FOR_ALL, STORED_AS_NAMED, FORMER_LAYOUT_FORGOTTEN, UNKNOWN_ROW_ACCEPTED ->
          bothChange().edit(0, PUT_C1, 2);
      case DROPS_SHIPPED, CLUSTERS_OF_ANOTHER -> bothMove().edit(0, PUT_C1, 2);
      case PUT_DOES_NOT_PULL -> bothMove().edit(0, PUT_C1, 2).edit(0, PUT_C2, 3);
      case DELETE_DOES_NOT_PULL, MARKERS_LEFT_BEHIND, MARKERS_NOT_COUNTED, DROPPED_UP_TO_PUTS ->
          bothMove().edit(0, PUT_C1, 2).edit(0, DELETE_FAMILY, 3);
      case CLUSTERS_FORGOTTEN ->
          bothMove().edit(0, PUT_C1, 2).edit(0, DELETE_FAMILY, 3).compactions(0);
      case PUT_UNDER_A_LEFTOVER ->
          oneTurnsBack().edit(0, PUT_C1, 4).edit(0, DELETE_C1_VERSION, 4).edit(0, PUT_C2, 2);
      case DELETE_UNDER_A_LEFTOVER -> ReplicaScripts.lateDelete();
    };
  }

  private static String cost(ReplicaMistake mistake) {
    return switch (mistake) {
      case COPIES_SHIPPED -> "cluster 2 sees what has never come: [PUT_C1@2]";
      case DROPS_SHIPPED, STORED_AS_NAMED, UNKNOWN_ROW_ACCEPTED, PUT_DOES_NOT_PULL ->
          "cluster 2 does not see [PUT_C1@2]";
      case SCOPE_CLEARED_FOR_ALL,
          FORMER_LAYOUT_FORGOTTEN,
          CLUSTERS_OF_ANOTHER,
          DROPPED_UP_TO_PUTS ->
          "a client waits, and no step is possible";
      case DELETE_DOES_NOT_PULL -> "cluster 2 sees what is deleted: [PUT_C1@2]";
      case CLUSTERS_FORGOTTEN, MARKERS_LEFT_BEHIND, MARKERS_NOT_COUNTED ->
          "cluster 1 sees what is deleted: [PUT_C1@2]";
      case PUT_UNDER_A_LEFTOVER -> "cluster 2 does not see [PUT_C2@2]";
      case DELETE_UNDER_A_LEFTOVER -> "cluster 1 sees what is deleted: [PUT_C2@2]";
    };
  }
}
