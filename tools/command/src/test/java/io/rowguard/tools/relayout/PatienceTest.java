package io.rowguard.tools.relayout;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PatienceTest {
  private final List<String> said = new ArrayList<>();

  @Test
  void because_ofOneCauseInSeveralPlaces_isToldOnce() {
    Patience patience = new Patience(Duration.ZERO, said::add);
    patience.because("a region cannot be read: a.B$RefusedException: host1:16020");
    patience.because("a region cannot be read: a.B$RefusedException: host2:16020");
    patience.because("a region cannot be read: a.GoneException: t,x,1");
    patience.because("The region gives no answer. region=1");
    patience.because("The region gives no answer. region=2");
    patience.because("no punctuation");
    assertEquals(4, said.size(), said.toString());
    patience.progress();
    patience.progress();
    assertEquals(5, said.size(), said.toString());
    assertTrue(said.get(4).startsWith("It goes on after 0 s"), said.toString());
  }

  @Test
  void isOver_afterTheLimitOnly() {
    assertFalse(new Patience(Duration.ofHours(1), said::add).isOver());
    Patience none = new Patience(Duration.ofNanos(-1), said::add);
    none.progress();
    assertTrue(none.isOver());
    new Patience(Duration.ofHours(1), said::add).because("not worth a word yet");
    assertEquals(List.of(), said);
  }
}
