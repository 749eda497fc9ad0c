package io.rowguard.relayout.model;

/**
 * One Get or one Scan of a SaltedTable. A Get reads the first key; a scan goes through all keys in
 * windows. {@link ReadSteps} says how.
 */
final class Reader {
  /** Kinds of reads. */
  enum Kind {
    GET,
    /** With a filter that lets a row pass whose c1 is v1, the value of before. */
    FILTERED_GET,
    SCAN
  }

  final int index;
  final Kind kind;

  /** The descriptor that it plans with. */
  int version;

  /** The reads of this Get, or of this window, that are done. */
  int step;

  /** The first key of the window, and the next key to be given. The number of keys: it is over. */
  int windowStart;

  int cursor;

  /** The row that the reads so far have shown, per key. */
  final int[] shown;

  /** For the scan's own law: the keys that were given, one bit each. */
  int given;

  Reader(int index, Kind kind, int keys) {
    this.index = index;
    this.kind = kind;
    shown = new int[keys];
  }

  void pass(Bits bits, Setting setting) {
    cursor = bits.of(cursor, 2);
    if (isOver(setting)) {
      version = 0;
      windowStart = 0;
      given = 0;
      clear();
      return;
    }
    version = bits.of(version, 3);
    step = bits.of(step, 3);
    if (kind == Kind.SCAN) {
      windowStart = bits.of(windowStart, 2);
      given = bits.of(given, setting.keys());
    }
    for (int key = 0; key < shown.length; key++) {
      shown[key] = step == 0 ? 0 : bits.of(shown[key], 6);
    }
  }

  boolean isOver(Setting setting) {
    return cursor == (kind == Kind.SCAN ? setting.keys() : 1);
  }

  /** The part of a row that it is shown, 0 for nothing. */
  int filter(int row) {
    return kind == Kind.FILTERED_GET && Row.shownValue(row, 0) != 1 ? 0 : row;
  }

  /** Forgets what the reads so far have shown. */
  void clear() {
    step = 0;
    for (int key = 0; key < shown.length; key++) {
      shown[key] = 0;
    }
  }

  @Override
  public String toString() {
    return switch (kind) {
      case GET -> "[Get of K1]";
      case FILTERED_GET -> "[Get of K1 if c1=v1]";
      case SCAN -> "[Scan]";
    };
  }
}
