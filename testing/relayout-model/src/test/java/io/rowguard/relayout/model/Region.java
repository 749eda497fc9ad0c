package io.rowguard.relayout.model;

/**
 * One region of the table, or what is left of it on a server that has lost it without knowing (a
 * zombie). Each region has one row of each key: under the one layout or the other.
 *
 * <p>What is in {@link #row} is visible. An edit that is synced is in the log as soon as it is
 * visible, so {@link #log} differs only where a mistake leaves out the sync; a sync takes all
 * earlier edits along. A crash puts the log in the row's place.
 *
 * <p>A region's timestamps only grow. Its servers' clocks may differ from those of the other
 * region, which is what {@link #clock} is for; that a region never moves to a server whose clock is
 * behind what it has written itself is HBase's own assumption. Splits, moves, merges and unassigns
 * are all the same here: the region closes and something opens with its rows.
 */
final class Region {
  /** The states of a region. */
  enum Status {
    CLOSED,
    /** The descriptor is read, requests are not taken yet. */
    OPENING,
    OPEN
  }

  private static final Status[] STATUSES = Status.values();

  final int index;
  final boolean zombie;
  Status status;
  int version;
  int clock;
  final long[] row;
  final long[] log;

  /** In memory only: the keys that have been pulled, one bit each. */
  int pulled;

  /** In memory only: the keys of which the old region has said, unasked, that nothing is left. */
  int emptied;

  /** In memory only: the mutation that pulls a key, by its number from 1; 0 for none. */
  final int[] lock;

  /** In memory only, for a mistake: an old region that was asked while prepared acts as moving. */
  boolean adopted;

  Region(int index, boolean zombie, int keys) {
    this.index = index;
    this.zombie = zombie;
    status = zombie ? Status.CLOSED : Status.OPEN;
    row = new long[keys];
    log = new long[keys];
    lock = new int[keys];
  }

  void pass(Bits bits, Setting setting) {
    status = bits.of(status, STATUSES);
    if (zombie && !isOpen()) {
      forget();
      return;
    }
    version = bits.of(version, 3);
    clock = bits.of(clock, 3);
    pulled = bits.of(pulled, setting.keys());
    emptied = bits.of(emptied, setting.keys());

    adopted = bits.of(adopted);
    boolean synced = bits.of(isSynced());
    for (int key = 0; key < row.length; key++) {
      row[key] = bits.of(row[key], Row.WIDTH);
      lock[key] = bits.of(lock[key], 3);
      log[key] = synced ? row[key] : bits.of(log[key], Row.WIDTH);
    }
  }

  boolean isOpen() {
    return status == Status.OPEN;
  }

  /** Brings the visible edits into the log. */
  void sync() {
    System.arraycopy(row, 0, log, 0, row.length);
  }

  /** The memory is lost. */
  void crash() {
    System.arraycopy(log, 0, row, 0, row.length);
    close();
  }

  void close() {
    sync();
    status = Status.CLOSED;
    forgetPulls();
  }

  /** This, a zombie, becomes what the region was just before it crashed. */
  void take(Region crashed) {
    status = Status.OPEN;
    version = crashed.version;
    clock = crashed.clock;
    adopted = crashed.adopted;

    System.arraycopy(crashed.row, 0, row, 0, row.length);
    sync();
  }

  int nextTimestamp() {
    clock++;
    if (clock >= Row.DELETED_IN_THE_FUTURE) {
      throw new IllegalStateException("This setting needs more timestamps than a row has.");
    }
    return clock;
  }

  @Override
  public String toString() {
    return (zombie ? "the zombie of region " : "region ") + (index + 1);
  }

  private boolean isSynced() {
    for (int key = 0; key < row.length; key++) {
      if (row[key] != log[key]) {
        return false;
      }
    }
    return true;
  }

  private void forgetPulls() {
    pulled = 0;
    emptied = 0;

    adopted = false;
    for (int key = 0; key < lock.length; key++) {
      lock[key] = 0;
    }
  }

  private void forget() {
    version = 0;
    clock = 0;
    forgetPulls();
    for (int key = 0; key < row.length; key++) {
      row[key] = Row.EMPTY;
      log[key] = Row.EMPTY;
    }
  }
}
