package io.rowguard.suite;

import java.util.Locale;

/** The tables that HBase's tests make; a folder of that name has the settings. */
public enum TableKind {
  /** As HBase makes them. */
  PLAIN,

  /** Each is given with bare keys, and has a salt of four values. */
  SALTED;

  /**
   * The kind of that name, in lower case.
   *
   * @throws IllegalArgumentException when there is none
   */
  static TableKind of(String name) {
    for (TableKind kind : values()) {
      if (kind.toString().equals(name)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("Tables are plain or salted. found=" + name);
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
