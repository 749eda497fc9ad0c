package io.rowguard.layout;

/**
 * The verdict of a layout on one row: {@link #CONFORMS}, or the first thing that is wrong with it.
 *
 * <p>The names are stable: metrics count by them and operators aggregate by them, so a name is
 * never reused or renamed. Free text belongs in {@link Explanation}.
 *
 * <p>A row is read from left to right and the first mistake decides. Derived segments are compared
 * with their hash only after everything else fits, so {@link #WRONG_SALT} means that nothing but
 * the salt is wrong.
 */
public enum Verdict {
  /** The row fits the layout. */
  CONFORMS("the row fits the layout"),
  /** The row has no bytes. */
  EMPTY_ROW("the row is empty"),
  /** The row is longer than the longest row that is allowed. */
  TOO_LONG("the row is longer than the longest row that is allowed"),
  /** The row ends before a segment is complete. */
  TOO_SHORT("the row ends before a segment is complete"),
  /** Bytes are left over after the last part of the layout. */
  TRAILING_BYTES("bytes are left over after the last part of the layout"),
  /** A hex segment holds something else than hex digits of the declared case. */
  NOT_HEX("a hex segment holds a byte that is no hex digit of the declared case"),
  /** A digits segment holds something else than 0-9. */
  NOT_DIGITS("a digits segment holds a byte that is not 0-9"),
  /** A word segment holds something else than ASCII letters, digits and underscores. */
  NOT_WORD("a word segment holds a byte that is no ASCII letter, digit or underscore"),
  /** A text segment is not valid UTF-8. */
  NOT_TEXT("a text segment is not valid UTF-8"),
  /** A millis segment has its top bit set. */
  NOT_MILLIS("a millis segment has its top bit set"),
  /** A variable-length segment has fewer bytes than it must have. */
  SEGMENT_TOO_SHORT("a variable-length segment has fewer bytes than it must have"),
  /** A variable-length segment has more bytes than it may have. */
  SEGMENT_TOO_LONG("a variable-length segment has more bytes than it may have"),
  /** A literal does not stand where it must. */
  LITERAL_MISSING("a literal is missing"),
  /** A fixed-length text or word segment contains the literal that follows it. */
  LITERAL_INSIDE("a fixed-length text or word segment contains the literal that follows it"),
  /** A derived segment does not hold what its derivation gives. */
  WRONG_SALT("a derived segment does not hold the value that its derivation gives");

  private static final Verdict[] BY_ORDINAL = values();

  private final String description;

  Verdict(String description) {
    this.description = description;
  }

  /** Whether this is {@link #CONFORMS}. */
  public boolean conforms() {
    return this == CONFORMS;
  }

  /** One clause that explains the code, the same for every row and layout. */
  public String description() {
    return description;
  }

  /**
   * The negative int that stands for a violation where a position (0 or more) would stand: how the
   * allocation-free matching reports one of two things in one int.
   */
  @SuppressWarnings("EnumOrdinal") // the int never outlives the call that it is returned from
  int asFailure() {
    return ~ordinal();
  }

  /** The inverse of {@link #asFailure()}. */
  static Verdict ofFailure(int failure) {
    return BY_ORDINAL[~failure];
  }
}
