package io.rowguard.observer.relayout;

/** What a pull came to, for one row. Immutable. */
public final class Pulled {
  /** What became of it. */
  public enum Outcome {
    /** What was at the old place is here now, and only here. */
    MOVED,
    /** There was nothing at the old place, and nothing will come there. */
    UNMOVED,
    /** The old place takes the writes for now. */
    NOT_YET,
    /** It is not known to be pulled; to be tried again. */
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

  /** What became of it. */
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
