package io.rowguard.layout;

/**
 * Checks rows: their structure, and then what is derived. Immutable and thread-safe; allocates
 * nothing.
 */
final class RowCheck {
  private final RowMatcher matcher;
  private final DerivedValue[] derived;
  // The derived value where there is one, and one that is the hash of one range; else null.
  private final DerivedValue onlyHash;
  // Likewise, and one that two ranges decide on; else null.
  private final DerivedValue onlyOfTwo;
  private final TwoRanges twoRanges;

  /**
   * @param derived the derived segments of the rows that the matcher matches
   */
  RowCheck(RowMatcher matcher, DerivedValue[] derived) {
    this.matcher = matcher;
    this.derived = derived;
    boolean hasAll = matcher.required() == matcher.partCount() && !matcher.hasInner();
    boolean hasOnlyOne = derived.length == 1 && hasAll;
    this.onlyHash = hasOnlyOne && derived[0].isHashOfOneRange() ? derived[0] : null;
    boolean isOfTwo = hasOnlyOne && onlyHash == null && derived[0].isOfTwoRanges();
    this.onlyOfTwo = isOfTwo ? derived[0] : null;
    this.twoRanges = isOfTwo ? new TwoRanges(matcher.partCount(), onlyOfTwo) : null;
  }

  /** The derived value where there is one, and one that is the hash of one range; else null. */
  DerivedValue onlyHash() {
    return onlyHash;
  }

  /** The verdict on the row in {@code [from, end)}, which is not empty. */
  Verdict check(byte[] row, int from, int end) {
    if (onlyHash != null) {
      return checkSalted(row, from, end);
    }
    return onlyOfTwo == null ? checkParts(row, from, end) : checkTwo(row, from, end);
  }

  private Verdict checkParts(byte[] row, int from, int end) {
    Verdict structure = matcher.match(row, from, end);
    if (structure != Verdict.CONFORMS) {
      return structure;
    }
    for (DerivedValue value : derived) {
      if (!value.matches(row, from, end)) {
        return Verdict.WRONG_SALT;
      }
    }
    return Verdict.CONFORMS;
  }

  /** The same for the usual kind of salted layout, whose parts are each looked at once. */
  private Verdict checkSalted(byte[] row, int from, int end) {
    long input =
        matcher.matchAndLocate(row, from, end, onlyHash.firstInput(), onlyHash.lastOfFirstRange());
    if (input < 0) {
      return Verdict.ofFailure((int) input);
    }
    return onlyHash.matches(row, from, end, (int) (input >>> 32), (int) input)
        ? Verdict.CONFORMS
        : Verdict.WRONG_SALT;
  }

  /** The same for a salt of two hashes, or of a hash and a segment that decides on the buckets. */
  private Verdict checkTwo(byte[] row, int from, int end) {
    long positions = matcher.matchAndLocate(row, from, end, twoRanges);
    if (positions < 0) {
      return Verdict.ofFailure((int) positions);
    }
    return onlyOfTwo.matchesTwo(row, from, end, positions) ? Verdict.CONFORMS : Verdict.WRONG_SALT;
  }
}
