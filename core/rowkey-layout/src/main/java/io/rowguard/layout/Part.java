package io.rowguard.layout;

/**
 * One part of a layout: a {@link Segment} or a {@link Literal}. Immutable.
 *
 * @see RowkeyLayout#parts()
 */
public abstract class Part {
  Part() {}

  /** The fewest bytes that this part takes in a row. */
  public abstract int minLength();

  /** The most bytes that this part takes in a row. */
  public abstract int maxLength();

  /** Whether this part takes the same number of bytes in every row. */
  public final boolean isFixedLength() {
    return minLength() == maxLength();
  }

  /** Whether a part's own bytes say where it ends, whatever stands behind it. */
  boolean endsByItself() {
    return isFixedLength();
  }

  /** This part as it stands in a layout's text. */
  @Override
  public abstract String toString();
}
