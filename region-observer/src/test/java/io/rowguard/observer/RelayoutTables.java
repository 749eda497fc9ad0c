package io.rowguard.observer;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.rowguard.layout.RowkeyLayout;
import java.io.IOException;

/**
 * The steps of a change of the layout, as alters of a table whose descriptor has the layout. Each
 * returns when all regions are open with it, and answers the generation that the table is in then,
 * or was in last.
 */
public final class RelayoutTables {
  /** Bare keys are the rows. */
  static final String UNSALTED = GuardedTable.LAYOUT;

  /** With two digits of 16 buckets in front. */
  static final String SALTED = SaltedGuard.LAYOUT.toString();

  /** The same with other buckets. */
  public static final String OTHERWISE_SALTED =
      "{salt:digits(2)=murmur3(user)%64}-{user:word}|{item:digits(4)}";

  private static final String LAYOUT = "rowguard.layout";
  private static final String PREVIOUS = "rowguard.layout.previous";
  private static final String PHASE = "rowguard.layout.phase";
  private static final String GENERATION = "rowguard.layout.generation";
  private static final String VERSION = "rowguard.layout.version";

  private RelayoutTables() {}

  /** Begins: both layouts are known, rows of the one that the table has are home still. */
  static long prepare(GuardedTable guarded, String to) throws IOException {
    long version = number(guarded, VERSION) + 1;
    return alter(guarded, to, guarded.value(LAYOUT), "prepared", version, version);
  }

  /** From prepared: rows of the new layout are home. */
  static long move(GuardedTable guarded) throws IOException {
    return alter(
        guarded,
        guarded.value(LAYOUT),
        guarded.value(PREVIOUS),
        "moving",
        number(guarded, GENERATION),
        number(guarded, VERSION) + 1);
  }

  /** {@link #prepare} and {@link #move}. */
  static long start(GuardedTable guarded, String to) throws IOException {
    prepare(guarded, to);
    return move(guarded);
  }

  /** From moving, when no old row is left: the new layout is the table's. */
  static long finish(GuardedTable guarded) throws IOException {
    return end(guarded, guarded.value(LAYOUT));
  }

  /** From prepared: the old layout is the table's, as if nothing had been. */
  static long giveUp(GuardedTable guarded) throws IOException {
    return end(guarded, guarded.value(PREVIOUS));
  }

  /** From moving: the two layouts change their parts. It takes two versions at once. */
  static long back(GuardedTable guarded) throws IOException {
    long version = number(guarded, VERSION) + 2;
    return alter(
        guarded, guarded.value(PREVIOUS), guarded.value(LAYOUT), "moving", version, version);
  }

  /** The row of a layout that is stored for a bare key. */
  static String row(String layout, String bareKey) {
    return new String(RowkeyLayout.parse(layout).complete(bareKey.getBytes(UTF_8)), UTF_8);
  }

  private static long end(GuardedTable guarded, String layout) throws IOException {
    long generation = number(guarded, GENERATION);
    long version = number(guarded, VERSION) + 1;
    guarded.alter(
        LAYOUT, layout, PREVIOUS, null, PHASE, null, GENERATION, null, VERSION, "" + version);
    return generation;
  }

  private static long alter(
      GuardedTable guarded, String to, String from, String phase, long generation, long version)
      throws IOException {
    guarded.alter(
        LAYOUT,
        to,
        PREVIOUS,
        from,
        PHASE,
        phase,
        GENERATION,
        "" + generation,
        VERSION,
        "" + version);
    return generation;
  }

  private static long number(GuardedTable guarded, String key) throws IOException {
    String value = guarded.value(key);
    return value == null ? 0 : Long.parseLong(value);
  }
}
