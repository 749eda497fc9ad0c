package io.rowguard.layout;

/**
 * Why a row does not fit its layout: what is wrong, where, and what would be right. Immutable.
 *
 * <p>Made by {@link RowkeyLayout#explain}; costs far more than {@link RowkeyLayout#check} and is
 * meant for rows that the check has refused.
 */
public final class Explanation {
  private final RowkeyLayout layout;
  private final byte[] row;
  private final Verdict verdict;
  private final Mismatch mismatch;
  private final byte[] suggestion;

  Explanation(
      RowkeyLayout layout, byte[] row, Verdict verdict, Mismatch mismatch, byte[] suggestion) {
    this.layout = layout;
    this.row = row;
    this.verdict = verdict;
    this.mismatch = mismatch;
    this.suggestion = suggestion;
  }

  /** A finding of {@link Explainer}. */
  static final class Mismatch {
    final String segment;
    final int offset;
    final String problem;
    final String expected;
    final byte[] found;

    Mismatch(String segment, int offset, String problem, String expected, byte[] found) {
      this.segment = segment;
      this.offset = offset;
      this.problem = problem;
      this.expected = expected;
      this.found = found;
    }
  }

  /** The verdict, the same as that of {@link RowkeyLayout#check}. */
  public Verdict verdict() {
    return verdict;
  }

  /** The name of the segment where the mistake is; null when it lies in none. */
  public String segment() {
    return mismatch.segment;
  }

  /** The first wrong byte, counted from the row's start; -1 when the row conforms. */
  public int offset() {
    return mismatch.offset;
  }

  /** The mistake as a clause, such as {@code segment salt is not two digits}. */
  public String problem() {
    return mismatch.problem;
  }

  /** The right content of that place, such as {@code 2 digits, 00-15}. */
  public String expected() {
    return mismatch.expected;
  }

  /** A copy of the bytes that stand there; empty when the row ended before. */
  public byte[] found() {
    return mismatch.found.clone();
  }

  /**
   * A copy of the row that holds the same values with its derived segments put right, or null when
   * the rest of the row does not fit either (or all of it does).
   */
  public byte[] suggestion() {
    return suggestion == null ? null : suggestion.clone();
  }

  /**
   * The whole message for people, one line: what is wrong, key=value pairs, what would be right.
   * Bytes are rendered by {@link RowText}, at most {@link RowText#LONGEST_SHOWN} of them.
   *
   * @param context key=value pairs to put first, such as {@code table=orders}; may be empty
   */
  public String message(String context) {
    StringBuilder text = new StringBuilder(256);
    if (verdict.conforms()) {
      text.append("Rowkey fits the layout. ");
    } else {
      text.append("Rowkey does not fit the layout: ").append(mismatch.problem).append(". ");
    }
    if (!context.isEmpty()) {
      text.append(context).append(' ');
    }
    text.append("row=\"").append(RowText.abbreviated(row)).append('"');
    if (!verdict.conforms()) {
      if (mismatch.segment != null) {
        text.append(" segment=").append(mismatch.segment);
      }
      text.append(" offset=").append(mismatch.offset);
      text.append(" expected=\"").append(mismatch.expected).append('"');
      text.append(" found=\"").append(RowText.abbreviated(mismatch.found)).append('"');
    }
    text.append(". ");
    if (suggestion != null) {
      text.append("The row for these values would be \"")
          .append(RowText.abbreviated(suggestion))
          .append("\". ");
    }
    return text.append("Layout: ").append(layout).toString();
  }

  @Override
  public String toString() {
    return message("");
  }
}
