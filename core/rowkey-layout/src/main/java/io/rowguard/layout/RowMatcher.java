package io.rowguard.layout;

import java.util.List;

/**
 * Matches the structure of whole rows: every part in its place, nothing left over. Values of
 * derived segments are judged by {@link DerivedValue}, afterwards. Immutable; allocates nothing but
 * in {@link #ends}.
 */
final class RowMatcher {
  private final PartMatcher[] parts;
  // Per part: its offset in every row, or -1 where a variable-length part comes before it.
  private final int[] fixedStart;
  // How many parts, counted from the left, rows have but for optional ones between them.
  private final int required;
  // Per part: whether it is the literal before an optional segment that is not the last part.
  private final boolean[] opensInner;
  private final boolean hasInner;

  RowMatcher(List<Part> parts) {
    this.parts = new PartMatcher[parts.size()];
    this.fixedStart = new int[parts.size() + 1];
    this.required = required(parts);
    this.opensInner = new boolean[parts.size()];
    boolean hasInner = false;
    int start = 0;
    for (int i = 0; i < this.parts.length; i++) {
      Part part = parts.get(i);
      boolean literalNext = i + 1 < parts.size() && parts.get(i + 1) instanceof Literal;
      byte[] terminator = literalNext ? ((Literal) parts.get(i + 1)).shared() : null;
      boolean mayEndRow = i + 1 == required && required < parts.size();
      opensInner[i] = isInner(parts, i + 1);
      hasInner |= opensInner[i];
      byte[] other = isInner(parts, i + 2) ? ((Literal) parts.get(i + 3)).shared() : null;
      byte[] after = isInner(parts, i) ? terminator : null;
      this.parts[i] = new PartMatcher(part, terminator, other, after, opensInner[i], mayEndRow);
      fixedStart[i] = start;
      boolean isKnown = start >= 0 && part.isFixedLength() && !opensInner[i];
      start = isKnown ? start + part.maxLength() : -1;
    }
    this.hasInner = hasInner;
    fixedStart[this.parts.length] = -1;
  }

  /** Whether a part is an optional segment, and not the last one. */
  static boolean isInner(List<Part> parts, int index) {
    return index < parts.size() - 1
        && parts.get(index) instanceof Segment
        && ((Segment) parts.get(index)).isOptional();
  }

  /** Whether rows may lack a segment that is not the last part. */
  boolean hasInner() {
    return hasInner;
  }

  /**
   * Whether a row lacks the optional segment after a literal, which is not at {@code pos} where it
   * would stand, and that literal.
   */
  boolean lacksInner(int part, byte[] row, int pos, int end) {
    return opensInner[part] && parts[part].skip(row, pos, end) == pos;
  }

  /**
   * How many parts, counted from the left, every row of these parts has, but for optional ones
   * between them.
   */
  static int required(List<Part> parts) {
    int last = parts.size() - 1;
    boolean isOptional =
        parts.get(last) instanceof Segment && ((Segment) parts.get(last)).isOptional();
    if (!isOptional) {
      return parts.size();
    }
    return parts.get(last - 1) instanceof Literal ? last - 1 : last;
  }

  /** How many parts, counted from the left, rows have but for optional ones between them. */
  int required() {
    return required;
  }

  /** How many parts there are. */
  int partCount() {
    return parts.length;
  }

  PartMatcher part(int index) {
    return parts[index];
  }

  /** The verdict on the structure of the row in {@code [from, end)}. */
  Verdict match(byte[] row, int from, int end) {
    int pos = from;
    for (int i = 0; i < parts.length; i++) {
      if (i == required && pos == end) {
        return Verdict.CONFORMS;
      }
      if (hasInner && lacksInner(i, row, pos, end)) {
        i++;
        continue;
      }
      pos = parts[i].match(row, pos, end);
      if (pos < 0) {
        return Verdict.ofFailure(pos);
      }
    }
    return pos == end ? Verdict.CONFORMS : Verdict.TRAILING_BYTES;
  }

  /**
   * As {@link #match}, noting in passing where the parts {@code first} to {@code last} (inclusive)
   * stand, as to find that out afterwards takes as long again. For layouts all of whose parts are
   * {@linkplain #required required}.
   *
   * @return the start (inclusive) of those parts in the upper half and their end (exclusive) in the
   *     lower half, or a negative {@link Verdict#asFailure()}
   */
  long matchAndLocate(byte[] row, int from, int end, int first, int last) {
    int pos = from;
    int start = from;
    int stop = from;
    for (int i = 0; i < parts.length; i++) {
      if (i == first) {
        start = pos;
      }
      pos = parts[i].match(row, pos, end);
      if (pos < 0) {
        return pos;
      }
      if (i == last) {
        stop = pos;
      }
    }
    return pos == end ? (long) start << 32 | stop : Verdict.TRAILING_BYTES.asFailure();
  }

  /**
   * As {@link #matchAndLocate}, for two ranges of parts.
   *
   * @return where they stand, counted from {@code from}, as {@link TwoRanges} has it; or a negative
   *     {@link Verdict#asFailure()}
   */
  long matchAndLocate(byte[] row, int from, int end, TwoRanges ranges) {
    int pos = from;
    long positions = 0;
    for (int i = 0; i < parts.length; i++) {
      positions += ranges.inFront(i, pos - from);
      pos = parts[i].match(row, pos, end);
      if (pos < 0) {
        return pos;
      }
      positions += ranges.behind(i, pos - from);
    }
    return pos == end ? positions : Verdict.TRAILING_BYTES.asFailure();
  }

  /** Whether a part starts at the same offset in every row. */
  boolean startsAtFixedOffset(int part) {
    return fixedStart[part] >= 0;
  }

  /**
   * The start of a part in a row whose structure matches at least up to it; the row's end for the
   * index after the last part.
   */
  int startOf(int part, byte[] row, int from, int end) {
    if (part == parts.length) {
      return end;
    }
    int known = part;
    while (fixedStart[known] < 0) {
      known--;
    }
    int pos = from + fixedStart[known];
    for (int i = known; i < part; i++) {
      pos = parts[i].skip(row, pos, end);
    }
    // A part that a row lacks begins at the row's end.
    return Math.min(pos, end);
  }

  /** The end (exclusive) of each part in a row that matches. */
  int[] ends(byte[] row, int from, int end) {
    int[] ends = new int[parts.length];
    int pos = from;
    for (int i = 0; i < parts.length; i++) {
      pos = Math.min(end, parts[i].skip(row, pos, end));
      ends[i] = pos;
    }
    return ends;
  }
}
