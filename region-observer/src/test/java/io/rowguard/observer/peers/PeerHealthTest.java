package io.rowguard.observer.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PeerHealthTest {
  private long now;
  private final PeerHealth silence = new PeerHealth(() -> now);

  private void millis(long more) {
    now += TimeUnit.MILLISECONDS.toNanos(more);
  }

  @Test
  void place_thatAnswers_isAskedByAll_andForgotten() {
    PeerHealth.Attempt first = silence.begin("server", "region");
    PeerHealth.Attempt second = silence.begin("server", "region");
    millis(900);
    assertTrue(first.mayWait() && second.mayWait());

    first.answered();
    millis(900);
    assertTrue(second.mayWait());
    assertNotNull(silence.begin("server", "region"));
    second.answered();
    millis(1_100);

    assertEquals(2, silence.size());
  }

  @Test
  void place_silentForASecond_isWaitedForByOne() {
    PeerHealth.Attempt first = silence.begin("server", "region 1");
    PeerHealth.Attempt second = silence.begin("server", "region 2");
    millis(1_001);

    assertTrue(first.mayWait());
    assertFalse(second.mayWait());
    PeerHealth.Attempt look = silence.begin("server", "region 3");
    assertFalse(look.mayWait());
    assertNull(silence.begin("server", "region 3"), "one a second");
    assertNotNull(silence.begin("other", "region 4"));

    look.givenUp();
    second.givenUp();
    assertTrue(first.mayWait());
    first.givenUp();
    PeerHealth.Attempt next = silence.begin("server", "region 3");
    assertTrue(next.mayWait());
    assertNull(silence.begin("server", "region 1"), "one at a time until it answers");

    next.answered();
    assertNotNull(silence.begin("server", "region 4"));
    assertNotNull(silence.begin("server", "region 4"));
  }

  /** Of a large row, say. */
  @Test
  void place_ofWhichOneAnswerTakesLong_isSilentUntilTheNext() {
    PeerHealth.Attempt slow = silence.begin("server", "region");
    millis(3_000);
    PeerHealth.Attempt look = silence.begin("server", "region");
    assertNull(silence.begin("server", "region"));
    millis(5);

    look.answered();

    assertTrue(slow.mayWait());
    assertTrue(silence.begin("server", "region").mayWait());
  }

  @Test
  void place_whoseLateAnswerCame_isNotSilentAnyMore() {
    PeerHealth.Attempt first = silence.begin("server", "region");
    millis(5_000);
    first.givenUp();
    PeerHealth.Attempt next = silence.begin("server", "region");
    assertNull(silence.begin("server", "region"));

    first.answered();

    assertTrue(next.mayWait());
    assertNotNull(silence.begin("server", "region"));
  }

  @Test
  void region_thatFails_isAskedByOne_itsServerByAll() {
    PeerHealth.Attempt first = silence.begin("server", "region 1");
    PeerHealth.Attempt waiting = silence.begin("server", "region 1");
    first.failed(1);

    assertTrue(waiting.mayWait(), "the first that is left waits on");
    assertNull(silence.begin("server", "region 1"));
    assertNotNull(silence.begin("server", "region 2"));
  }

  @Test
  void server_thatCannotBeReached_isAskedByOne() {
    silence.begin("server", "region 1").failed(0);

    PeerHealth.Attempt next = silence.begin("server", "region 2");
    assertTrue(next.mayWait());
    assertNull(silence.begin("server", "region 3"));
  }

  @Test
  void call_thatEndsTwice_countsOnce() {
    PeerHealth.Attempt first = silence.begin("server", "region");
    PeerHealth.Attempt second = silence.begin("server", "region");
    first.answered();
    first.failed(0);
    millis(900);

    assertTrue(second.mayWait());
    assertNotNull(silence.begin("server", "region"));
    second.answered();
  }

  @Test
  void places_thatFailedLongAgo_areForgottenWhenThereAreMany() {
    for (int i = 0; i < 1_001; i++) {
      silence.begin("server " + i, "region " + i).failed(0);
    }
    assertEquals(2_002, silence.size());
    millis(31_000);

    assertNotNull(silence.begin("server", "region"));

    assertEquals(2, silence.size());
  }
}
