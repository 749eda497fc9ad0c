package io.rowguard.relayout.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.rowguard.layout.LayoutChange;
import io.rowguard.layout.RowkeyLayout;
import io.rowguard.relayout.model.Descriptor.Phase;
import io.rowguard.relayout.model.Mutation.At;
import io.rowguard.relayout.model.MutationPlan.Kind;
import io.rowguard.routing.Route;
import io.rowguard.routing.RowRouter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The router that servers and clients use sends each row where the explored protocol does. */
class RoutingTest {
  private static final LayoutChange CHANGE =
      LayoutChange.of(
          RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%8}-{user:word}"),
          RowkeyLayout.parse("{salt:digits(2)=murmur3(user)%16}-{user:word}"));

  @ParameterizedTest
  @EnumSource(
      value = Phase.class,
      names = {"PREPARED", "MOVING"})
  void route_eachRowOfAKeyInEachPhase_isTheModelsStep(Phase phase) {
    RowRouter router = RowRouter.of(CHANGE, phase == Phase.MOVING);
    byte[] key = keyOfTwoRows();
    Descriptor descriptor =
        phase == Phase.MOVING ? Descriptor.moving(0, 1) : Descriptor.prepared(0, 1);

    assertEquals(
        router.route(CHANGE.from().complete(key)).kind(),
        stepAt(descriptor, descriptor.from()),
        "old row");
    assertEquals(
        router.route(CHANGE.to().complete(key)).kind(),
        stepAt(descriptor, descriptor.to()),
        "new row");
  }

  /** The model's step for a raw put that arrives at a key's row under one layout. */
  private static Route.Kind stepAt(Descriptor descriptor, int layout) {
    World world =
        new World(Setting.of("routing", descriptor).mutation(MutationPlan.of(Kind.PUT_C1).rawly()));
    assertTrue(new MutationSteps(0).step(world, layout), "the put arrives");
    At at = world.mutations[0].at;
    return switch (at) {
      case DONE -> Route.Kind.HERE;
      case LOCK -> Route.Kind.AFTER_PULL;
      case FORWARDED -> Route.Kind.AT;
      default -> throw new AssertionError("An unexpected step: " + at);
    };
  }

  @Test
  void primary_inEachPhase_isTheModelsHome() {
    assertEquals(
        CHANGE.from(), RowRouter.of(CHANGE, false).primary(), "" + Descriptor.prepared(0, 1));
    assertEquals(0, Descriptor.prepared(0, 1).home());
    assertEquals(CHANGE.to(), RowRouter.of(CHANGE, true).primary(), "" + Descriptor.moving(0, 1));
    assertEquals(1, Descriptor.moving(0, 1).home());
  }

  private static byte[] keyOfTwoRows() {
    for (int i = 0; ; i++) {
      byte[] key = ("user" + i).getBytes(StandardCharsets.US_ASCII);
      if (CHANGE.place(CHANGE.to().complete(key)) == LayoutChange.Place.NEW) {
        return key;
      }
    }
  }
}
