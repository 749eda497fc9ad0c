package io.rowguard.soak;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Sends what may be sent again until it is answered, or the soak is over. Thread-safe. */
final class Retries {
  private static final long PAUSE_MILLIS = 500;

  private final BooleanSupplier isOver;
  private final Events events;

  /** Sends a request once. */
  interface Request {
    void send() throws IOException;
  }

  Retries(BooleanSupplier isOver, Events events) {
    this.isOver = isOver;
    this.events = events;
  }

  /**
   * Sends a request.
   *
   * @return whether it was answered
   * @throws IOException if a row is refused, since each of the soak's fits
   */
  boolean send(String what, Request request) throws IOException, InterruptedException {
    while (true) {
      try {
        request.send();
        return true;
      } catch (IOException e) {
        if (WriteOutcome.of(e, false) == WriteOutcome.REFUSED) {
          throw new IOException("Refused: " + what, e);
        }
        events.say(what + " tries again after " + Events.firstLine(e));
      }
      if (isOver.getAsBoolean()) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }
  }
}
