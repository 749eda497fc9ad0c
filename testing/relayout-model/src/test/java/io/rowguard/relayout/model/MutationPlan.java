package io.rowguard.relayout.model;

/**
 * A client's plan for one key, carried out once.
 *
 * @param raw whether the client writes rows as they are stored, and so sends no version and tries
 *     either place; other clients are SaltedTables
 */
record MutationPlan(Kind kind, int key, boolean raw) {
  /** Kinds of mutations. */
  enum Kind {
    PUT_C1,
    PUT_C2,
    /** Deletes the whole row, with the server's timestamp. */
    DELETE,
    /** Adds 1 to c1 and answers with it. */
    INCREMENT,
    /** checkAndMutate: puts c1 if it is v1, and answers whether it was. */
    CHECK_AND_PUT_C1,
    /** Puts c1 with a client's timestamp that no clock has reached. */
    PUT_C1_OF_THE_FUTURE,
    /** Deletes the version of that timestamp, and no other. */
    DELETE_OF_THE_FUTURE,
    /**
     * Deletes the whole row, up to a client's timestamp that no clock has reached, below the puts'.
     */
    DELETE_UP_TO_THE_FUTURE,
    /** Puts c1 with a client's timestamp that is older than all others. */
    PUT_C1_OF_THE_PAST,
    /** Deletes the version of that timestamp, and no other. */
    DELETE_OF_THE_PAST,
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
      case DELETE_UP_TO_THE_FUTURE -> Row.delete(row, Row.DELETED_IN_THE_FUTURE);
      case PUT_C1_OF_THE_PAST -> Row.put(row, 0, Row.PAST, value);
      case DELETE_OF_THE_PAST -> Row.without(row, Row.PAST);
      case TOUCH -> row;
    };
  }

  /** The answer to the client, 1 to 7, when the row was this before. */
  int answer(int firstColumnBefore) {
    return switch (kind) {
      case INCREMENT -> firstColumnBefore + 1;
      case CHECK_AND_PUT_C1 -> firstColumnBefore == 1 ? 1 : 2;
      default -> 1;
    };
  }

  /** Whether it takes a timestamp of the server's clock. */
  boolean takesTime() {
    return switch (kind) {
      case PUT_C1, PUT_C2, DELETE, INCREMENT, CHECK_AND_PUT_C1 -> true;
      default -> false;
    };
  }

  /** Whether it puts a cell, which a marker could mask. */
  boolean puts() {
    return switch (kind) {
      case TOUCH, DELETE, DELETE_OF_THE_FUTURE, DELETE_UP_TO_THE_FUTURE, DELETE_OF_THE_PAST ->
          false;
      default -> true;
    };
  }

  /** The timestamp of what it puts, where the server's clock gives this one; 0 without a put. */
  int putsAt(int clock) {
    return switch (kind) {
      case PUT_C1_OF_THE_FUTURE -> Row.FUTURE;
      case PUT_C1_OF_THE_PAST -> Row.PAST;
      default -> puts() ? clock : 0;
    };
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
          case DELETE_UP_TO_THE_FUTURE -> "Delete up to @near future";
          case PUT_C1_OF_THE_PAST -> "Put c1=v" + value + "@past";
          case DELETE_OF_THE_PAST -> "Delete version @past";
          case TOUCH -> "touch";
        };
    return "[" + what + " of K" + (key + 1) + (raw ? ", raw" : "") + "]";
  }
}
