package io.rowguard.tools.relayout;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How long a step goes on while it makes no progress, and its words meanwhile: each cause is told
 * once. Not thread-safe.
 */
final class Patience {
  /** The usual limit: a server that dies without a word is missed after a minute and a half. */
  static final Duration USUAL = Duration.ofMinutes(10);

  /** A region that moves is back after less. */
  private static final long NOTICE_NANOS = TimeUnit.SECONDS.toNanos(3);

  /** The end of an exception's class, or of a message's fixed sentence: what follows varies. */
  private static final Pattern KIND = Pattern.compile("^.*?(Exception|Error|\\. |=|$)");

  private final Duration limit;
  private final StepListener listener;
  private final Set<String> told = new HashSet<>();
  private long since = System.nanoTime();
  private boolean isTold;

  /**
   * @param limit the longest time without progress
   */
  Patience(Duration limit, StepListener listener) {
    this.limit = limit;
    this.listener = listener;
  }

  /** Begins to wait anew. */
  void progress() {
    if (isTold) {
      listener.doing("It goes on after " + StepLines.time(waited().toSeconds()) + ".");
      isTold = false;
    }
    since = System.nanoTime();
  }

  /**
   * Tells why there is no progress, unless it has told of such a cause before, or it is not worth a
   * word yet.
   */
  void because(String cause) {
    boolean isWorthAWord =
        waited().toNanos() >= Math.min(NOTICE_NANOS, limit.dividedBy(2).toNanos());
    if (isWorthAWord && told.add(kind(cause))) {
      listener.doing("No progress; trying on for " + limit() + ": " + cause);
      isTold = true;
    }
  }

  private static String kind(String cause) {
    Matcher kind = KIND.matcher(cause);
    return kind.find() ? kind.group() : cause;
  }

  private Duration waited() {
    return Duration.ofNanos(System.nanoTime() - since);
  }

  /** Whether there has been no progress for longer than the limit. */
  boolean isOver() {
    return waited().compareTo(limit) > 0;
  }

  /** The limit for people. */
  String limit() {
    return StepLines.time(limit.toSeconds());
  }
}
