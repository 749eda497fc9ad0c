package io.rowguard.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each test but the first plants a fault that has to be seen. */
class BulkLoadsTest {
  private final BulkLoads loads = new BulkLoads();

  private List<String> violations(boolean mayBeRefused, String... present) throws IOException {
    List<String> there = List.of(present);
    return loads.violations(
        "t", mayBeRefused, keys -> (int) keys.stream().filter(there::contains).count());
  }

  @Test
  void loadThatHasFailedInOneOfTwoRegions_isRight() throws IOException {
    loads.failed("load 1", Map.of("a", List.of("a1", "a2"), "b", List.of("b1", "b2")));
    loads.taken();
    loads.badLoad(true);

    assertEquals(List.of(), violations(false, "a1", "a2"));
    assertEquals("bulk loads taken=1 of 2, of bad rows refused=1 of 1", loads.toString());
  }

  @Test
  void loadThatHasLeftAPartOfAGroup_isWrong() throws IOException {
    loads.failed("load 1", Map.of("a", List.of("a1", "a2")));

    assertEquals(List.of("load 1 has left 1 of 2 rows of a"), violations(false, "a2"));
  }

  @Test
  void loadsOfWhichNoneIsTaken_areWrong_unlessTheLayoutChanges() throws IOException {
    for (int i = 0; i < 10; i++) {
      loads.failed("load", Map.of());
    }

    assertEquals(List.of("no bulk load of t was taken, tried=10"), violations(false));
    assertEquals(List.of(), violations(true));
  }

  @Test
  void badLoadsOfWhichNoneIsRefused_areWrong() throws IOException {
    for (int i = 0; i < 10; i++) {
      loads.badLoad(false);
    }

    assertEquals(
        List.of("no bulk load of bad rows into t was refused, tried=10"), violations(false));
  }
}
