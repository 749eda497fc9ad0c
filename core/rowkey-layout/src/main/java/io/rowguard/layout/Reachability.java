package io.rowguard.layout;

/**
 * Finds out whether some row can lie between two keys, by looking for a prefix whose rows all do.
 *
 * <p>The rows at or above the start are those that begin with it, and those that leave it at some
 * byte upwards. Of each such set the walk takes the smallest prefix: either all of its rows lie
 * below the end, or the end itself begins with it and is followed in the same way from above.
 */
final class Reachability {
  /** How many bytes of a key are tried one by one: for each, a salt may hash all before it. */
  private static final int MOST_STEPS = 256;

  private Reachability() {}

  /** Answers true also where it would take too long to be sure; false is certain. */
  static boolean isReachable(PrefixWalk rows, byte[] start, byte[] end) {
    if (end.length > 0 && ByteRanges.compare(start, end) >= 0) {
      return false;
    }
    int length = rows.follow(start);
    if (length == start.length && hasRowBelow(rows, end)) {
      return true;
    }
    int last = Math.min(length, start.length - 1);
    for (int i = last; i >= 0; i--) {
      if (last - i == MOST_STEPS) {
        return true;
      }
      rows.truncate(i);
      if (rows.pushAtLeast((start[i] & 0xff) + 1)) {
        if (hasRowBelow(rows, end)) {
          return true;
        }
        if (ByteRanges.compare(rows.prefix(), end) > 0) {
          return false;
        }
      }
    }
    return false;
  }

  /** Whether a row that begins with the walk's prefix lies below {@code end}. Moves the walk. */
  private static boolean hasRowBelow(PrefixWalk rows, byte[] end) {
    if (end.length == 0) {
      return true;
    }
    byte[] prefix = rows.prefix();
    if (!ByteRanges.startsWith(end, prefix)) {
      return ByteRanges.compare(prefix, end) < 0;
    }
    for (int i = prefix.length; i < end.length; i++) {
      if (i - prefix.length == MOST_STEPS || rows.isRow()) {
        return true;
      }
      for (int b = 0; b < (end[i] & 0xff); b++) {
        if (rows.push(b)) {
          return true;
        }
      }
      if (!rows.push(end[i] & 0xff)) {
        return false;
      }
    }
    return false;
  }
}
