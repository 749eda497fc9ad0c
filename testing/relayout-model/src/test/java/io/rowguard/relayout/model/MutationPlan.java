package io.rowguard.relayout.model;

/**
 * What a client will do to one key, once.
 *
 * @param raw whether the client writes rows as they are stored, and so sends no version and tries
 *     either place; other clients are SaltedTables
 */
record MutationPlan(Kind kind, int key, boolean raw) {
  /** Kinds of mutations. */
  enum Kind {
    PUT_C1,
    PUT_C2,
    /** Of the whole row, with the server's timestamp. */
    DELETE,
    /** Adds 1 to c1 and answers with it. */
    INCREMENT,
    /** checkAndMutate: puts c1 if it is v1, and answers whether it was. */
    CHECK_AND_PUT_C1,
    /** Puts c1 with a client's timestamp that no clock has reached. */
    PUT_C1_OF_THE_FUTURE,
    /** Deletes the version of that timestamp, and no other. */
    DELETE_OF_THE_FUTURE,
    /** The mover's: pulls and changes nothing. */
    TOUCH
  }

  static MutationPlan of(Kind kind) {
    return new MutationPlan(kind, 0, false);
  }

  MutationPlan ofKey(int other) {
    return new MutationPlan(kind, other, raw);
  }

  MutationPlan rawly() {
    return new MutationPlan(kind, key, true);
  }

  /**
   * Does it to a row of a region.
   *
   * @return the row afterwards
   */
  long apply(long row, int value, int timestamp) {
    return switch (kind) {
      case PUT_C1 -> Row.put(row, 0, timestamp, value);
      case PUT_C2 -> Row.put(row, 1, timestamp, value);
      case DELETE -> Row.delete(row, timestamp);
      case INCREMENT ->
          Row.put(row, 0, Math.max(timestamp, Row.newest(row)), Row.value(row, 0) + 1);
      case CHECK_AND_PUT_C1 -> Row.value(row, 0) == 1 ? Row.put(row, 0, timestamp, value) : row;
      case PUT_C1_OF_THE_FUTURE -> Row.put(row, 0, Row.FUTURE, value);
      case DELETE_OF_THE_FUTURE -> Row.without(row, Row.FUTURE);
      case TOUCH -> row;
    };
  }

  /** What the client is answered, 1 to 7, when the row was this before. */
  int answer(int firstColumnBefore) {
    return switch (kind) {
      case INCREMENT -> firstColumnBefore + 1;
      case CHECK_AND_PUT_C1 -> firstColumnBefore == 1 ? 1 : 2;
      default -> 1;
    };
  }

  /** Whether it takes a timestamp of the server's clock. */
  boolean takesTime() {
    return kind != Kind.TOUCH
        && kind != Kind.PUT_C1_OF_THE_FUTURE
        && kind != Kind.DELETE_OF_THE_FUTURE;
  }

  /** Whether it puts a cell, which a marker could mask. */
  boolean puts() {
    return kind != Kind.TOUCH && kind != Kind.DELETE && kind != Kind.DELETE_OF_THE_FUTURE;
  }

  String text(int value) {
    String what =
        switch (kind) {
          case PUT_C1 -> "Put c1=v" + value;
          case PUT_C2 -> "Put c2=v" + value;
          case DELETE -> "Delete";
          case INCREMENT -> "Increment c1";
          case CHECK_AND_PUT_C1 -> "checkAndPut c1=v" + value + " if v1";
          case PUT_C1_OF_THE_FUTURE -> "Put c1=v" + value + "@future";
          case DELETE_OF_THE_FUTURE -> "Delete version @future";
          case TOUCH -> "touch";
        };
    return "[" + what + " of K" + (key + 1) + (raw ? ", raw" : "") + "]";
  }
}
