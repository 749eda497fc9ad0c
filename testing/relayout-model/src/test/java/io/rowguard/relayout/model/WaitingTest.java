package io.rowguard.relayout.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Batches of several keys, and requests that wait for other servers: which rules keep them from
 * waiting for each other for ever. A and B are servers; "handler" are those of ordinary requests,
 * "forward" those of forwarded writes, "pull" those that answer pulls and never wait.
 */
class WaitingTest {
  @Test
  void locksOfABatch_keptWhileTheNextIsAwaited_requestsWaitForEver() {
    Waiting.Found found =
        new Waiting()
            .request("+K1 +K2 +pullB -pullB -K1 -K2")
            .request("+K2 +K1 +pullB -pullB -K1 -K2")
            .explore();
    assertEquals(
        "request 1 has [K1] and waits for K2\nrequest 2 has [K2] and waits for K1\n",
        found.stuck());
  }

  /** The rule for the servers: the keys of a batch are locked in the order of their rows, */
  @Test
  void locksOfABatch_inTheOrderOfRows_nobodyWaitsForEver() {
    Waiting.Found found =
        new Waiting()
            .request("+K1 +K2 +K3 +pullB -pullB -K1 -K2 -K3")
            .request("+K1 +K2 +pullB -pullB -K1 -K2")
            .request("+K2 +K3 +pullB -pullB -K2 -K3")
            .explore();
    assertNull(found.stuck());
    assertTrue(found.states() > 50, found::toString);
  }

  /** or one after the other, each pulled before the next is locked. */
  @Test
  void locksOfABatch_oneAtATime_nobodyWaitsForEver() {
    Waiting.Found found =
        new Waiting()
            .request("+K1 +pullB -pullB -K1 +K2 +pullB -pullB -K2")
            .request("+K2 +pullB -pullB -K2 +K1 +pullB -pullB -K1")
            .explore();
    assertNull(found.stuck());
    assertTrue(found.states() > 50, found::toString);
  }

  @Test
  void pulls_answeredByOrdinaryHandlers_serversWaitForEachOther() {
    Waiting.Found found =
        new Waiting()
            .request("+handlerA +K1 +handlerB -handlerB -K1 -handlerA")
            .request("+handlerB +K2 +handlerA -handlerA -K2 -handlerB")
            .explore();
    assertNotNull(found.stuck());
  }

  @Test
  void pulls_answeredByHandlersThatNeverWait_nobodyWaitsForEver() {
    Waiting.Found found =
        new Waiting()
            .request("+handlerA +K1 +pullB -pullB +pullB -pullB -K1 -handlerA")
            .request("+handlerB +K2 +pullA -pullA +pullA -pullA -K2 -handlerB")
            .explore();
    assertNull(found.stuck());
    assertTrue(found.states() > 50, found::toString);
  }

  /**
   * A forwarded write pulls too, and waits. If the handlers that take it are those that answer
   * pulls, two servers that forward to each other stand still, with any number of them.
   */
  @Test
  void forwards_takenByTheHandlersThatAnswerPulls_serversWaitForEachOther() {
    Waiting.Found found =
        new Waiting()
            .has(2, "pullA")
            .has(2, "pullB")
            .request("+handlerA +pullB +K1 +pullA -pullA -K1 -pullB -handlerA")
            .request("+handlerA2 +pullB +K2 +pullA -pullA -K2 -pullB -handlerA2")
            .request("+handlerB +pullA +K3 +pullB -pullB -K3 -pullA -handlerB")
            .request("+handlerB2 +pullA +K4 +pullB -pullB -K4 -pullA -handlerB2")
            .explore();
    assertNotNull(found.stuck());
  }

  @Test
  void forwards_takenByHandlersOfTheirOwn_nobodyWaitsForEver() {
    Waiting.Found found =
        new Waiting()
            .request("+handlerA +forwardB +K1 +pullA -pullA -K1 -forwardB -handlerA")
            .request("+handlerB +forwardA +K3 +pullB -pullB -K3 -forwardA -handlerB")
            .request("+handlerA2 +K1 +pullB -pullB -K1 -handlerA2")
            .explore();
    assertNull(found.stuck());
    assertTrue(found.states() > 100, found::toString);
  }

  /**
   * "Not yet": the write goes to the old region while its handler waits. There it must not pull, or
   * wait for a lock of pulls; a region that would have to sends it back ({@code forwarded once}).
   */
  @Test
  void notYet_whileTheLockIsKept_aForwardFromTheOtherSideWaitsForEver() {
    Waiting.Found kept =
        new Waiting()
            .request("+K1atA +forwardB +K1atB -K1atB -forwardB -K1atA")
            .request("+K1atB +forwardA +K1atA -K1atA -forwardA -K1atB")
            .explore();
    assertNotNull(kept.stuck());
    Waiting.Found givenBack =
        new Waiting()
            .request("+K1atA -K1atA +forwardB +K1atB -K1atB -forwardB")
            .request("+K1atB -K1atB +forwardA +K1atA -K1atA -forwardA")
            .explore();
    assertNull(givenBack.stuck());
  }
}
