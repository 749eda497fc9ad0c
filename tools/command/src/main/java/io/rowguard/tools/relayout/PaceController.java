package io.rowguard.tools.relayout;

import io.rowguard.tools.relayout.Pace.Why;
import java.util.function.LongSupplier;

/**
 * Finds the pace at which rows may move without slowing others by more than a share. It is told how
 * long probe reads take, while rows move and in short rests between, and holds the two against each
 * other: so it knows what the movers do to reads, whatever else goes on in the cluster, and follows
 * when that changes.
 *
 * <pre>
 *   rest (100 reads)   move   rest (20)   move   rest (20)   move   ...
 *                           judge              judge              judge
 * </pre>
 *
 * <p>Too slow: the pace falls by what is too much, to a half at most. Fast enough: it grows, the
 * less the closer it is, by a quarter at most. It doubles from the beginning on, until something is
 * too slow for the first time, and wherever reads have been far from too slow some times in a row.
 * So it ends up at the target, a little below. It never falls below {@link #FLOOR}, since a
 * relayout that stands still for ever is no use, and a pause is at hand.
 *
 * <p>A pure function of what it is told and of its clock. Not thread-safe.
 */
final class PaceController {
  /** The least rows in a second: one batch. */
  static final double FLOOR = 100;

  private static final double FIRST = 1_000;

  /** The pace falls to no less of itself in one step; twice that where it is not used up. */
  private static final double LARGEST_FALL = 0.5;

  private static final double FALL_WHEN_BUSY = 0.7;
  private static final double FAST_GROWTH = 2;
  private static final double SLOW_GROWTH = 0.25;

  /** So often in a row it must be far below the target to grow fast: once may be chance. */
  private static final int SURE = 3;

  /** From so many times the allowed slowdown on it does not wait for the next rest. */
  private static final double FAR_OFF = 3;

  private static final int READS_TO_BE_FAR_OFF = 30;

  /** Fewer reads say nothing. */
  private static final int FEWEST_READS = 5;

  /** A pace of which less is used does not hold anything down. */
  private static final double USED = 0.8;

  /** A rest takes no longer than so many times its reads, be they answered or not, quiet or not. */
  private static final int LONGEST_REST = 4;

  /** Whether rows move. */
  private enum Phase {
    REST,
    MOVE
  }

  private final double slowdown;
  private final double most;
  private final double floor;
  private final PaceTimes times;
  private final LongSupplier clock;
  private final ReadTimes atRest;
  private final ReadTimes moving;
  private Phase phase;
  private long phaseBegan;
  private int readsToRest;
  private long longestRest;
  private boolean isQuiet;
  private long movedBefore;
  private long busyBefore;
  private double rate;
  private boolean isFirstGrowth = true;

  /** How often in a row reads were less than half as much slower as they may be. */
  private int farBelow;

  private Pace pace;

  /**
   * A controller that begins with a rest.
   *
   * @param slowdown how much slower reads may become, as a share: 0.2 for a fifth
   * @param most the most rows in a second, or 0 for no such limit
   * @param clock in nanoseconds, as {@link System#nanoTime}
   */
  PaceController(double slowdown, double most, PaceTimes times, LongSupplier clock) {
    this.slowdown = slowdown;
    this.most = most > 0 ? most : Double.MAX_VALUE;
    this.floor = Math.min(FLOOR, this.most);
    this.times = times;
    this.clock = clock;
    this.atRest = new ReadTimes(times.window().toNanos());
    this.moving = new ReadTimes(times.window().toNanos());
    this.rate = Math.min(FIRST, this.most);
    this.pace = new Pace(rate, Why.NOTHING, 0, 0);
    learn();
  }

  /** Learns anew how long reads take at rest, as after a long break. The pace stays. */
  void learn() {
    atRest.clear();
    rest(times.learnedReads());
  }

  private void rest(int reads) {
    phase = Phase.REST;
    phaseBegan = clock.getAsLong();
    readsToRest = reads;
    longestRest = LONGEST_REST * (reads * times.restGap().toNanos());
    isQuiet = false;
  }

  /** Whether no row is to be moved now. */
  boolean isResting() {
    return phase == Phase.REST;
  }

  /** The pace while rows move. */
  Pace pace() {
    return pace;
  }

  /** How long from the beginning of one probe read to that of the next. */
  long gapNanos() {
    return (phase == Phase.REST ? times.restGap() : times.movingGap()).toNanos();
  }

  /**
   * Looks at the clock, before each probe read.
   *
   * @param moved how many rows were let through, since the beginning
   * @param busyAnswers how many batches were answered with "busy", since the beginning
   * @param isIdle whether nothing that moves rows is under way
   */
  void tick(long moved, long busyAnswers, boolean isIdle) {
    long passed = clock.getAsLong() - phaseBegan;
    if (phase == Phase.REST) {
      isQuiet = isIdle;
      if (readsToRest <= 0 || passed >= longestRest) {
        phase = Phase.MOVE;
        phaseBegan = clock.getAsLong();
        moving.clear();
        movedBefore = moved;
        busyBefore = busyAnswers;
      }
    } else if (passed >= times.moving().toNanos() || isFarOff()) {
      judge((moved - movedBefore) / (passed / 1e9), busyAnswers > busyBefore);
      boolean knowsRest = atRest.count(clock.getAsLong()) >= times.learnedReads() / 2;
      rest(knowsRest ? times.restReads() : times.learnedReads());
    }
  }

  /** A probe read took so long. */
  void read(long nanos) {
    long now = clock.getAsLong();
    if (phase == Phase.MOVE) {
      moving.add(now, nanos);
    } else if (isQuiet) {
      atRest.add(now, nanos);
      readsToRest--;
    }
  }

  /** A probe read was not answered: it says nothing. */
  void unanswered() {
    if (phase == Phase.REST && isQuiet) {
      readsToRest--;
    }
  }

  /** Looked at again and again while rows move: after each so many reads. */
  private boolean isFarOff() {
    int reads = moving.count(clock.getAsLong());
    return reads >= READS_TO_BE_FAR_OFF
        && reads % (READS_TO_BE_FAR_OFF / 3) == 0
        && isKnown()
        && excess() > FAR_OFF * slowdown;
  }

  private boolean isKnown() {
    long now = clock.getAsLong();
    return moving.count(now) >= FEWEST_READS && atRest.count(now) >= FEWEST_READS;
  }

  /** By which share reads are slower while rows move. */
  private double excess() {
    long now = clock.getAsLong();
    return moving.high(now) / atRest.high(now) - 1;
  }

  /**
   * @param used how many rows have moved in a second
   */
  private void judge(double used, boolean isBusy) {
    Why why = pace.why();
    boolean isUsed = used >= USED * rate;
    if (isBusy) {
      fall(FALL_WHEN_BUSY, used);
      why = Why.BUSY;
    } else if (!isKnown()) {
      why = Why.UNKNOWN;
    } else if (excess() > slowdown) {
      fall(Math.max(LARGEST_FALL, slowdown / excess()), used);
      why = Why.READS;
    } else {
      if (isUsed) {
        rate = Math.min(most, rate * growth());
      }
      why = !isUsed || rate >= most || why == Why.UNKNOWN ? Why.NOTHING : why;
    }
    long now = clock.getAsLong();
    pace = new Pace(rate, why, moving.high(now) / 1e6, atRest.high(now) / 1e6);
  }

  private double growth() {
    double share = Math.max(0, excess()) / slowdown;
    farBelow = share < 0.5 ? farBelow + 1 : 0;
    return isFirstGrowth || farBelow >= SURE ? FAST_GROWTH : 1 + SLOW_GROWTH * (1 - share);
  }

  /** Falls from what is used, which may be less than what is allowed, but not all at once. */
  private void fall(double share, double used) {
    isFirstGrowth = false;
    farBelow = 0;
    rate = Math.max(floor, share * Math.max(LARGEST_FALL * rate, Math.min(rate, used)));
  }
}
