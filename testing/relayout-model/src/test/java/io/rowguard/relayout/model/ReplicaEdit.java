package io.rowguard.relayout.model;

import java.util.Locale;

/**
 * An edit of the key that a client of one cluster makes, once: one cell with its timestamp, as it
 * travels.
 *
 * @param timestamp 1 to 6; of the client's choice, so that edits are made and arrive in any order
 * @param cluster whose client makes it, from 0
 */
record ReplicaEdit(Kind kind, int timestamp, int cluster) {
  /** Kinds of cells, with all four delete markers of HBase. */
  enum Kind {
    PUT_C1,
    PUT_C2,
    /** Reads c1 and puts it: what travels is a put like others. */
    INCREMENT_C1,
    /** Hides both columns up to its timestamp. */
    DELETE_FAMILY,
    /** Hides both columns at its timestamp. */
    DELETE_FAMILY_VERSION,
    /** Hides c1 up to its timestamp. */
    DELETE_C1,
    /** Hides c1 at its timestamp. */
    DELETE_C1_VERSION
  }

  boolean isPut() {
    return switch (kind) {
      case PUT_C1, PUT_C2, INCREMENT_C1 -> true;
      default -> false;
    };
  }

  boolean isOfC1() {
    return kind == Kind.PUT_C1 || kind == Kind.INCREMENT_C1;
  }

  /** Whether this marker hides a put, whichever comes first. */
  boolean hides(ReplicaEdit put) {
    return switch (kind) {
      case DELETE_FAMILY -> put.timestamp <= timestamp;
      case DELETE_FAMILY_VERSION -> put.timestamp == timestamp;
      case DELETE_C1 -> put.isOfC1() && put.timestamp <= timestamp;
      case DELETE_C1_VERSION -> put.isOfC1() && put.timestamp == timestamp;
      default -> false;
    };
  }

  @Override
  public String toString() {
    String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return "[" + name + "@" + timestamp + " of cluster " + (cluster + 1) + "]";
  }
}
