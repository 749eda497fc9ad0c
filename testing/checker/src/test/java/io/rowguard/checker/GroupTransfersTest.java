package io.rowguard.checker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each fault of a transaction is found, and named; what may be is accepted. */
class GroupTransfersTest {
  private static final long MILLISECOND = 1_000_000;
  private static final Map<String, Long> FIRST = Map.of("x", 100L, "y", 100L);

  private final GroupTransfers group = new GroupTransfers("alice", FIRST);

  /** One is done at 10; two was not; of three no commit said anything. */
  @BeforeEach
  void fill() {
    group.begin("one", "x", "y", 30);
    group.done("one", 10 * MILLISECOND);
    group.begin("two", "y", "x", 5);
    group.notDone("two");
    group.begin("three", "x", "y", 1);
  }

  private void view(long start, long x, long y, String... ledger) {
    group.snapshot("view", Map.of("x", x, "y", y), Set.of(ledger), start * MILLISECOND);
  }

  @Test
  void views_thatAreRight_areAccepted() {
    view(5, 100, 100);
    view(5, 70, 130, "one");
    view(20, 70, 130, "one");
    view(20, 69, 131, "one", "three");

    assertEquals(List.of(), group.violations());
    assertEquals(1, group.done());
    assertEquals(1, group.unknown());
  }

  @Test
  void transferLost_isFound() {
    view(20, 100, 100);

    assertEquals(List.of("view of alice lost transfer one, done 10 ms before"), group.violations());
  }

  @Test
  void halfATransfer_isFound() {
    view(20, 70, 100, "one");

    assertEquals(
        List.of("view of alice shows {x=70, y=100}, but its ledger makes {x=70, y=130}"),
        group.violations());
  }

  @Test
  void transferWithoutItsNote_isFound() {
    view(20, 69, 131, "one");

    assertEquals(
        List.of("view of alice shows {x=69, y=131}, but its ledger makes {x=70, y=130}"),
        group.violations());
  }

  @Test
  void transferCarriedOutTwice_isFound() {
    view(20, 40, 160, "one");

    assertEquals(
        List.of("view of alice shows {x=40, y=160}, but its ledger makes {x=70, y=130}"),
        group.violations());
  }

  @Test
  void missingAccount_isFound() {
    group.snapshot("view", Map.of("x", 70L), Set.of("one"), 20 * MILLISECOND);

    assertEquals(
        List.of("view of alice shows {x=70}, but its ledger makes {x=70, y=130}"),
        group.violations());
  }

  @Test
  void transferThatWasNotDone_isFoundAlsoWhenItWasSaidLater() {
    view(20, 75, 125, "one", "two");
    view(20, 69, 131, "one", "three");
    group.notDone("three");

    assertEquals(
        Set.of(
            "view of alice shows transfer two, which was not done",
            "view of alice shows transfer three, which was not done"),
        Set.copyOf(group.violations()));
  }

  @Test
  void transferThatWasNeverBegun_isFound() {
    view(20, 70, 130, "one", "four");

    assertEquals(
        List.of("view of alice shows a transfer that was never begun: four"), group.violations());
  }

  @Test
  void wrongUse_throws() {
    assertThrows(IllegalArgumentException.class, () -> group.begin("one", "x", "y", 1));
    assertThrows(IllegalArgumentException.class, () -> group.begin("five", "x", "z", 1));
  }
}
