package io.rowguard.relayout.model;

import static io.rowguard.relayout.model.MutationPlan.Kind.DELETE;
import static io.rowguard.relayout.model.MutationPlan.Kind.DELETE_OF_THE_FUTURE;
import static io.rowguard.relayout.model.MutationPlan.Kind.DELETE_OF_THE_PAST;
import static io.rowguard.relayout.model.MutationPlan.Kind.DELETE_UP_TO_THE_FUTURE;
import static io.rowguard.relayout.model.MutationPlan.Kind.PUT_C1;
import static io.rowguard.relayout.model.MutationPlan.Kind.PUT_C1_OF_THE_PAST;
import static io.rowguard.relayout.model.MutationPlan.Kind.PUT_C2;
import static io.rowguard.relayout.model.MutationPlan.Kind.TOUCH;
import static io.rowguard.relayout.model.Reader.Kind.FILTERED_GET;
import static io.rowguard.relayout.model.Reader.Kind.GET;
import static io.rowguard.relayout.model.Reader.Kind.SCAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each {@link Mistake} is found, and the way to it can be read: it is printed, the shortest there
 * is. The same setting without the mistake is right, so it is the mistake that was found. Rules
 * that can be left out are shown to break nothing.
 */
class MistakesTest {
  /** Second lines of defence: other rules keep away the same. */
  private static final Set<Mistake> HARMLESS =
      EnumSet.of(
          Mistake.COPY_ONTO_A_ROW,
          Mistake.REQUEST_WITHOUT_GENERATION,
          Mistake.DELETE_WITHOUT_OWN_LOG);

  @ParameterizedTest
  @EnumSource(Mistake.class)
  void explore_withAMistake_findsWhatItCosts(Mistake mistake) {
    Outcome outcome = Explorer.explore(setting(mistake).with(mistake));
    System.out.println(outcome);
    if (HARMLESS.contains(mistake)) {
      assertNull(outcome.violation(), outcome::toString);
      assertTrue(outcome.states() > 40_000, outcome::toString);
      return;
    }
    assertNotNull(outcome.violation(), outcome::toString);
    Outcome right = Explorer.explore(setting(mistake));
    assertNull(right.violation(), right::toString);
  }

  @Test
  void violation_ofAShortMistake_tellsEachStepInAline() {
    Outcome outcome =
        Explorer.explore(setting(Mistake.DELETE_BEFORE_COPY).with(Mistake.DELETE_BEFORE_COPY));
    assertEquals(
        """
        a Get sees no row of K1, but there is c1=v1 c2=v1, or c1=v2 c2=v1
             at first: version 0 (moving A -> B, generation 1) \
        | region 1 OPEN at 0 A(K1)=[c1=v1@2 c2=v1@2] | region 2 OPEN at 0 B(K1)=[]
           1 [Put c1=v2 of K1] is in region 2, which is moving A -> B, generation 1
           2 [Put c1=v2 of K1]: region 2 locks the key and asks the old region
           3 [Put c1=v2 of K1]: region 1 reads A(K1)
           4 [Put c1=v2 of K1]: the old region answers with [c1=v1@2 c2=v1@2]
           5 [Put c1=v2 of K1]: region 2 tells the old region to delete A(K1)
           6 region 1 deletes A(K1) for generation 1; A(K1)=[left up to @2]
             then: version 0 (moving A -> B, generation 1) \
        | region 1 OPEN at 0 A(K1)=[left up to @2] | region 2 OPEN at 0 B(K1)=[]
             wrong: a Get sees no row of K1, but there is c1=v1 c2=v1, or c1=v2 c2=v1
        """,
        outcome.violation() + "\n");
  }

  private static Setting setting(Mistake mistake) {
    return switch (mistake) {
      case STRAY_ROW -> Scripts.start().mutations(PUT_C1);
      case FINISH_AFTER_BACK -> Scripts.backAndFinish().mutations(TOUCH).compactions();
      case NO_ASK -> Scripts.moving().mutations(PUT_C1, DELETE);
      case BULK_LOAD -> Scripts.moving().mutations(PUT_C2, DELETE);
      case DELETE_WITHOUT_GENERATION, COPY_ONTO_A_ROW, REQUEST_WITHOUT_GENERATION ->
          Scripts.backAndStartAgain()
              .mutations(PUT_C1, DELETE)
              .crashes(1)
              .lateDeletes()
              .compactions();
      case COUNT_WITHOUT_GENERATION ->
          Scripts.startToFinish().withoutRow().mutations(PUT_C1, TOUCH);
      case ANSWER_WITHOUT_LOG ->
          Scripts.moving().mutations(PUT_C1, DELETE).crashes(2).zombies().compactions();
      case EMPTIED_WITHOUT_LOCK ->
          Scripts.moving().mutations(PUT_C1, DELETE).crashes(1).zombies().compactions().emptied();
      case EMPTIED_WHILE_PREPARED ->
          Scripts.start().withoutRow().mutations(PUT_C1, PUT_C2).emptied();
      case OLD_PLACE_OPEN ->
          Scripts.moving().mutation(MutationPlan.of(PUT_C1).rawly()).mutations(DELETE);
      case NO_VERSION, LAYOUTS_ONLY ->
          Scripts.backAndStartAgain().mutations(TOUCH).readers(GET).compactions();
      case TWO_PULLS -> Scripts.moving().mutations(PUT_C1, DELETE).compactions();
      case DELETE_BEFORE_COPY, COPY_UNSYNCED -> Scripts.moving().mutations(PUT_C1).crashes(1);
      case MUTATE_BEFORE_DELETE, ONE_EDIT ->
          Scripts.moving().mutations(PUT_C1).readers(GET, SCAN).crashes(1);
      case DELETE_UNSYNCED -> Scripts.moving().mutations(DELETE).crashes(1);
      case DELETE_AT_THE_CLOCK -> Scripts.moving().mutations(TOUCH).ofTheFuture();
      case NO_CLOCK -> Scripts.moving().mutations(PUT_C1);
      case CLOCK_AFTER_COPY -> Scripts.moving().mutations(PUT_C1, DELETE).crashes(1).zombies();
      case CLOCK_AFTER_DELETE -> Scripts.moving().mutations(PUT_C1, DELETE).crashes(1);
      case CLOCK_WITHOUT_MARKERS ->
          Scripts.startToFinish().ofTheFuture().mutations(DELETE, PUT_C2, TOUCH);
      case NO_MARKER_CHECK -> Scripts.back().mutations(TOUCH);
      case MUTATION_UNDER_A_MARKER, FINISH_OVER_MARKERS ->
          Scripts.backAndFinish()
              .mutations(TOUCH, DELETE, DELETE_OF_THE_FUTURE, PUT_C1)
              .ofTheFuture();
      case MUTATION_BY_THE_CLOCK ->
          Scripts.back().ofThePast().mutations(TOUCH, DELETE_OF_THE_PAST, PUT_C1_OF_THE_PAST);
      case MUTATION_UNDER_USERS_MARKERS ->
          Scripts.startToFinish().mutations(DELETE_UP_TO_THE_FUTURE, PUT_C1).neverBlocked();
      case LEFTOVERS_TAKEN_ALONG ->
          Scripts.backAndStartAgain()
              .ofThePast()
              .mutations(DELETE_OF_THE_PAST, PUT_C2, PUT_C1_OF_THE_PAST);
      case FINISH_BY_THE_CLOCK ->
          Scripts.backAndFinish()
              .ofThePast()
              .mutations(TOUCH, DELETE_OF_THE_PAST, PUT_C1_OF_THE_PAST);
      case TWO_READS -> Scripts.moving().mutations(TOUCH).readers(GET);
      case FILTER_HID_IT -> Scripts.moving().mutations(TOUCH).readers(FILTERED_GET);
      case GET_FROM_A_ZOMBIE -> Scripts.moving().mutations(TOUCH).readers(GET).crashes(1).zombies();
      case NEW_FIRST_SCAN -> Scripts.moving().mutations(TOUCH).readers(SCAN);
      case SCAN_WINDOW_AGAIN ->
          Scripts.back().mutations(TOUCH).twoKeys(true).window(2).readers(SCAN);
      case ADOPTS_WHEN_ASKED ->
          Scripts.start().withoutRow().mutations(PUT_C1, PUT_C2).crashes(1).zombies();
      case FORWARD_UNCHECKED -> Scripts.start().mutations(PUT_C1, DELETE);
      case DELETE_WITHOUT_OWN_LOG ->
          Scripts.backAndStartAgain().mutations(PUT_C1, DELETE).crashes(1).zombies().lateDeletes();
    };
  }
}
