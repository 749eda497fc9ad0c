package io.rowguard.relayout.model;

import java.util.Arrays;

/**
 * Decides while a run goes on whether what clients have seen of one key is linearizable: whether
 * each operation can have happened at one moment between its request and its answer, on a row that
 * has one place only.
 *
 * <p>It keeps every way in which that can be (Lowe's "just-in-time" linearization): the row that
 * there would be, the operations under way that have already happened, and what they saw. When an
 * operation is answered it must have happened, so all orders of it and others under way are tried;
 * what does not fit the answer is dropped. Nothing left is a violation. An operation that is never
 * answered may happen at any later time, once, or never; once a reader has seen it, it has
 * happened.
 *
 * <p>The row that there would be is as HBase's, but needs no timestamps: the newest values written
 * with the server's time, over c1 the one that a client has dated in the future, and under it the
 * one that a client has dated in the past. Of users' deletes it keeps whether there was one, and
 * one up to a timestamp of the future. Cells put below such a marker HBase hides or shows,
 * depending on whether there was a compaction in between.
 */
final class History {
  private static final int VALUE = 3;
  private static final int PAST = 3 * VALUE;
  private static final int DELETED = 1 << (4 * VALUE);
  private static final int DELETED_IN_THE_FUTURE = 2 * DELETED;
  private static final int ROW = 4 * VALUE + 2;
  private static final int SEEN = 7;
  private static final int WIDTH = ROW + Setting.MUTATIONS * VALUE + Setting.READERS * SEEN;
  private static final int MOST = 255;

  private final World world;
  private final int key;
  private long[] ways = new long[8];
  private int count;
  private long[] found = new long[8];
  private int foundCount;

  History(World world, int key, int initialRow) {
    this.world = world;
    this.key = key;
    ways[0] = initialRow;
    count = 1;
  }

  /** The row as it would be, from its newest values. */
  static int row(int c1, int c2, int c1OfTheFuture) {
    return c1 | c2 << VALUE | c1OfTheFuture << (2 * VALUE);
  }

  /** The row as it would be, with nothing but a value that a client has dated in the past. */
  static int rowOfThePast(int c1) {
    return c1 << PAST;
  }

  void pass(Bits bits) {
    count = bits.of(count, 8);
    if (ways.length < count) {
      ways = new long[2 * count];
    }
    for (int i = 0; i < count; i++) {
      ways[i] = bits.of(ways[i], WIDTH);
    }
  }

  /** A mutation under way is answered. Whether that can be. */
  boolean answered(Mutation mutation, int answer) {
    foundCount = 0;
    for (int i = 0; i < count; i++) {
      search(ways[i], mutation.index, -1, answer);
    }
    return keepFound();
  }

  /** A reader under way has seen this of the key. Whether that can be. */
  boolean seen(Reader reader, int shown) {
    foundCount = 0;
    for (int i = 0; i < count; i++) {
      search(ways[i], -1, reader.index, shown);
    }
    return keepFound();
  }

  /**
   * A mutation under way has come to nothing: its client is told that it was not applied. Whether
   * that can be; it cannot if a reader has seen it.
   */
  boolean takenBack(Mutation mutation) {
    foundCount = 0;
    for (int i = 0; i < count; i++) {
      if (happened(ways[i], mutation.index) == 0) {
        add(ways[i]);
      }
    }
    return keepFound();
  }

  /** A reader begins again. */
  void begunAgain(Reader reader) {
    foundCount = 0;
    for (int i = 0; i < count; i++) {
      add(ways[i] & ~(127L << seenShift(reader.index)));
    }
    keepFound();
  }

  /** Whether a Get that begins and ends now may see this. */
  boolean maySee(int shown) {
    for (int i = 0; i < count; i++) {
      if (maySee(ways[i], shown)) {
        return true;
      }
    }
    return false;
  }

  /** The rows that a Get may see now. */
  String possible() {
    StringBuilder text = new StringBuilder();
    for (int shown = 0; shown < 64; shown++) {
      if (maySee(shown)) {
        text.append(text.length() == 0 ? "" : ", or ").append(Row.shownText(shown));
      }
    }
    return text.toString();
  }

  private boolean maySee(long way, int shown) {
    if (shown(way) == shown) {
      return true;
    }
    for (Mutation other : world.mutations) {
      if (isUnderWay(other) && happened(way, other.index) == 0) {
        if (maySee(apply(way, other), shown)
            || (mayBeMasked(way, other) && maySee(applyMasked(way, other), shown))) {
          return true;
        }
      }
    }
    return false;
  }

  /** All ways from this one in which the mutation, or the reader, has just been answered. */
  private void search(long way, int mutation, int reader, int answer) {
    int already = mutation >= 0 ? happened(way, mutation) : saw(way, reader) - 1;
    if (mutation >= 0 ? already != 0 : already >= 0) {
      if (already == answer) {
        add(mutation >= 0 ? way & ~(7L << shift(mutation)) : way & ~(127L << seenShift(reader)));
      }
      return;
    }
    for (Mutation other : world.mutations) {
      if (isUnderWay(other) && happened(way, other.index) == 0) {
        search(apply(way, other), mutation, reader, answer);
        if (mayBeMasked(way, other)) {
          search(applyMasked(way, other), mutation, reader, answer);
        }
      }
    }
    for (Reader other : world.readers) {
      if (world.isReading(other, key) && saw(way, other.index) == 0) {
        long sees = other.filter(shown(way));
        search(way | (sees + 1) << seenShift(other.index), mutation, reader, answer);
      }
    }
  }

  private boolean isUnderWay(Mutation mutation) {
    return mutation.plan.key() == key && !mutation.isTouch() && mutation.isPending();
  }

  /** Goes on with what was found, unless that is nothing. */
  private boolean keepFound() {
    if (foundCount == 0) {
      return false;
    }
    long[] old = ways;
    ways = found;
    found = old;
    count = foundCount;
    if (count > MOST) {
      throw new IllegalStateException("Too many ways for one history. ways=" + count);
    }
    return true;
  }

  private void add(long way) {
    int place = Arrays.binarySearch(found, 0, foundCount, way);
    if (place >= 0) {
      return;
    }
    if (foundCount == found.length) {
      found = Arrays.copyOf(found, 2 * foundCount);
    }
    int at = -place - 1;
    System.arraycopy(found, at, found, at + 1, foundCount - at);
    found[at] = way;
    foundCount++;
  }

  private static int shown(long way) {
    int future = (int) (way >>> (2 * VALUE)) & 7;
    int values = (int) way & 63;
    int older = (values & 7) == 0 ? (int) (way >>> PAST) & 7 : values & 7;
    return (values & ~7) | (future == 0 ? older : future);
  }

  private static int happened(long way, int mutation) {
    return (int) (way >>> shift(mutation)) & 7;
  }

  private static int saw(long way, int reader) {
    return (int) (way >>> seenShift(reader)) & 127;
  }

  private static int shift(int mutation) {
    return ROW + mutation * VALUE;
  }

  private static int seenShift(int reader) {
    return ROW + Setting.MUTATIONS * VALUE + reader * SEEN;
  }

  /** Whether what a mutation puts may be hidden by a user's delete. */
  private static boolean mayBeMasked(long way, Mutation mutation) {
    boolean inTheFuture = (way & DELETED_IN_THE_FUTURE) != 0;
    return switch (mutation.plan.kind()) {
      case PUT_C1, PUT_C2, INCREMENT, CHECK_AND_PUT_C1 -> inTheFuture;
      case PUT_C1_OF_THE_PAST -> inTheFuture || (way & DELETED) != 0;
      default -> false;
    };
  }

  /** The way on when a mutation happens now, and what it puts is hidden. */
  private static long applyMasked(long way, Mutation mutation) {
    int answer = mutation.plan.answer(shown(way) & 7);
    return way | (long) answer << shift(mutation.index);
  }

  /** The way on when a mutation happens now. */
  private static long apply(long way, Mutation mutation) {
    int future = (int) (way >>> (2 * VALUE)) & 7;
    int c1 = (int) way & 7;
    int c2 = (int) (way >>> VALUE) & 7;
    int past = (int) (way >>> PAST) & 7;
    int deletes = (int) way & (DELETED | DELETED_IN_THE_FUTURE);
    int value = mutation.value();
    int answer = mutation.plan.answer(shown(way) & 7);
    switch (mutation.plan.kind()) {
      case PUT_C1 -> c1 = value;
      case PUT_C2 -> c2 = value;
      case DELETE, DELETE_UP_TO_THE_FUTURE -> {
        c1 = 0;
        c2 = 0;
        past = 0;
        boolean inThePast = mutation.plan.kind() == MutationPlan.Kind.DELETE;
        deletes |= inThePast ? DELETED : DELETED_IN_THE_FUTURE;
      }
      case INCREMENT -> {
        c1 = future == 0 ? answer : c1;
        future = future == 0 ? 0 : answer;
      }
      case CHECK_AND_PUT_C1 -> c1 = answer == 1 ? value : c1;
      case PUT_C1_OF_THE_FUTURE -> future = value;
      case DELETE_OF_THE_FUTURE -> future = 0;
      case PUT_C1_OF_THE_PAST -> past = value;
      case DELETE_OF_THE_PAST -> past = 0;
      case TOUCH -> {
        return way | (long) answer << shift(mutation.index);
      }
    }
    long rest = way >>> ROW << ROW;
    return rest
        | row(c1, c2, future)
        | rowOfThePast(past)
        | deletes
        | (long) answer << shift(mutation.index);
  }
}
