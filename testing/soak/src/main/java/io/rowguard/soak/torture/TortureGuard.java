package io.rowguard.soak.torture;

import java.util.Locale;

/** The part of Rowguard that a table of a torture has. Named on command lines in lower case. */
enum TortureGuard {
  /** Nothing. */
  PLAIN(null),
  /** A layout that the tool's rows have by themselves; others are refused. */
  GUARDED("reject"),
  /** A salt that the tool's connection puts in front of its rows, by the property. */
  SALTED("reject"),
  /** A salt that the servers put in front of its rows, in salt mode. */
  BARE("salt");

  private final String mode;

  TortureGuard(String mode) {
    this.mode = mode;
  }

  /** As {@code rowguard.mode} has it; null where there is none. */
  String mode() {
    return mode;
  }

  /** Whether a byte of salt stands in front of each stored row. */
  boolean isSalted() {
    return this == SALTED || this == BARE;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
