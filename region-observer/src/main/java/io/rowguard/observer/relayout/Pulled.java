package io.rowguard.observer.relayout;

/** The result of a pull for one row. Immutable. */
public final class Pulled {
  /** The kinds of results. */
  public enum Outcome {
    /** The content of the old row is here now, and only here. */
    MOVED,
    /** The old row was empty, and stays so. */
    UNMOVED,
    /** The old row takes the writes for now. */
    NOT_YET,
    /** The row is not known to be pulled; to be tried again. */
    FAILED
  }

  static final Pulled MOVED = new Pulled(Outcome.MOVED, null);

  /** There was nothing. */
  public static final Pulled UNMOVED = new Pulled(Outcome.UNMOVED, null);

  static final Pulled NOT_YET = new Pulled(Outcome.NOT_YET, null);

  private final Outcome outcome;
  private final String words;

  private Pulled(Outcome outcome, String words) {
    this.outcome = outcome;
    this.words = words;
  }

  /**
   * A pull that failed.
   *
   * @param words why, a sentence
   */
  public static Pulled failed(String words) {
    return new Pulled(Outcome.FAILED, words);
  }

  /** The kind of this result. */
  public Outcome outcome() {
    return outcome;
  }

  /** Whether the row may be written now. */
  public boolean isPulled() {
    return outcome == Outcome.MOVED || outcome == Outcome.UNMOVED;
  }

  /** Why it failed, a sentence; else null. */
  public String words() {
    return words;
  }

  @Override
  public String toString() {
    return outcome + (words == null ? "" : ": " + words);
  }
}
