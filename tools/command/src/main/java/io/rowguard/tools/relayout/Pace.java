package io.rowguard.tools.relayout;

import java.util.Locale;

/**
 * The pace that a {@link PaceController} allows, and its reason.
 *
 * @param rowsPerSecond the most rows to move in a second
 * @param why what holds it there
 * @param readMillis how long nine of ten probe reads take at most while rows move; 0 where unknown
 * @param restMillis the same while none does
 */
record Pace(double rowsPerSecond, Why why, double readMillis, double restMillis) {
  /** The reason of a pace. */
  enum Why {
    /** Nothing: it is still growing, or more than is used, or what was asked for at most. */
    NOTHING,
    /** Probe reads are as slow as they may be. */
    READS,
    /** Servers have said that they are busy. */
    BUSY,
    /** No probe read was answered, so it is not known whether more would hurt. */
    UNKNOWN
  }

  /** Whether something holds it down. */
  boolean isSlowed() {
    return why != Why.NOTHING;
  }

  /** The reason that holds it down, as a clause; empty where nothing does. */
  String text() {
    String to = String.format(Locale.ROOT, "slowed to %,.0f rows a second: ", rowsPerSecond);
    return switch (why) {
      case NOTHING -> "";
      case READS ->
          to
              + String.format(
                  Locale.ROOT,
                  "probe reads take %.1f ms, %.1f ms while no row moves",
                  readMillis,
                  restMillis);
      case BUSY -> to + "servers have said that they are busy";
      case UNKNOWN -> to + "no probe read is answered";
    };
  }
}
