package io.rowguard.layout;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The form of a table's rowkeys: segments and literals from left to right, such as {@code
 * {salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}}.
 *
 * <p>Immutable and thread-safe. {@link #parse} and {@link #toString} are inverse to each other.
 *
 * <p>A row is read deterministically: a segment of fixed length takes its bytes, one of variable
 * length ends where the literal after it first stands, and the last one takes the rest. So every
 * row has at most one reading, and a check is one pass without allocation.
 */
public final class RowkeyLayout {
  /** The longest row HBase takes, in bytes ({@code HConstants.MAX_ROW_LENGTH}). */
  public static final int MAX_ROW_LENGTH = 32767;

  private final List<Part> parts;
  private final int maxRowLength;
  private final RowMatcher matcher;
  private final DerivedValue[] derived;
  private final RowCheck check;
  private final RowMatcher bareMatcher;
  private final FrontSalt frontSalt;
  private final boolean hasChoice;

  RowkeyLayout(List<Part> parts, int maxRowLength) {
    this.parts = Collections.unmodifiableList(new ArrayList<>(parts));
    this.maxRowLength = maxRowLength;
    this.matcher = new RowMatcher(this.parts);
    this.bareMatcher = new RowMatcher(BareKeys.bareParts(this.parts));
    this.derived = DerivedValue.allOf(this.parts, matcher);
    this.hasChoice = Arrays.stream(derived).anyMatch(DerivedValue::hasChoice);
    this.check = new RowCheck(matcher, derived);
    this.frontSalt = FrontSalt.of(this.parts, bareMatcher, check.onlyHash());
  }

  /**
   * Reads a layout.
   *
   * @throws LayoutSyntaxException when the text is no layout, or one whose rows could not be read
   *     back; it names the column
   */
  public static RowkeyLayout parse(String text) {
    return new RowkeyLayout(new LayoutParser(text).parse(), MAX_ROW_LENGTH);
  }

  /**
   * This layout for rows of at most {@code maxRowLength} bytes (inclusive, 1 to {@link
   * #MAX_ROW_LENGTH}); longer ones get {@link Verdict#TOO_LONG}. The limit is no part of the
   * layout's text.
   */
  public RowkeyLayout withMaxRowLength(int maxRowLength) {
    if (maxRowLength < 1 || maxRowLength > MAX_ROW_LENGTH) {
      throw new IllegalArgumentException(
          "The longest row must have 1 to " + MAX_ROW_LENGTH + " bytes. given=" + maxRowLength);
    }
    return new RowkeyLayout(parts, maxRowLength);
  }

  /**
   * The limit of {@link #withMaxRowLength}, else {@link #MAX_ROW_LENGTH}. Rows of this layout may
   * all be shorter: {@link #maxRowLength}.
   */
  public int rowLengthLimit() {
    return maxRowLength;
  }

  /** The segments and literals in the order of the row. */
  public List<Part> parts() {
    return parts;
  }

  /** The segments in the order of the row. */
  public List<Segment> segments() {
    List<Segment> segments = new ArrayList<>();
    for (Part part : parts) {
      if (part instanceof Segment) {
        segments.add((Segment) part);
      }
    }
    return segments;
  }

  /**
   * The segment of a name.
   *
   * @throws IllegalArgumentException when there is none; it lists those there are
   */
  public Segment segment(String name) {
    return (Segment) parts.get(partIndex(name));
  }

  /** The index of a segment among the parts. */
  int partIndex(String name) {
    StringJoiner names = new StringJoiner(", ");
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i) instanceof Segment) {
        String here = ((Segment) parts.get(i)).name();
        if (here.equals(name)) {
          return i;
        }
        names.add(here);
      }
    }
    throw new IllegalArgumentException(
        "The layout has no segment \""
            + RowText.abbreviated(name.getBytes(StandardCharsets.UTF_8))
            + "\". Its segments are: "
            + names);
  }

  /** Whether some segment is computed from others, so that bare keys differ from rows. */
  public boolean hasDerivedSegments() {
    return derived.length > 0;
  }

  /**
   * Whether writers choose the value of some derived segment among several that are right, so that
   * one bare key may have several rows.
   */
  public boolean hasChoice() {
    return hasChoice;
  }

  /** Whether all rows have the same length. */
  public boolean isFixedLength() {
    return matcher.required() == parts.size()
        && !matcher.hasInner()
        && parts.stream().allMatch(Part::isFixedLength);
  }

  /**
   * Whether no bare key can pass for a salted row: an answer of true is certain, one of false is
   * given also where looking for such a key would take too long.
   *
   * <p>Cost: a search through pairs of states of the layout, bounded; up to some tens of
   * milliseconds. Call it when configuring, not per row.
   */
  public boolean isUnambiguous() {
    return !hasDerivedSegments() || isFixedLength() || Ambiguity.isExcluded(this, bare());
  }

  /**
   * A bare key that passes for a salted row, its salt being right by chance; null when none was
   * found, which proves nothing: {@link #isUnambiguous()} decides. The same key for the same
   * layout. Cost: some milliseconds.
   */
  public byte[] ambiguousKey() {
    return isUnambiguous() ? null : Ambiguity.example(this, bare());
  }

  /** The fewest bytes of a row. */
  public int minRowLength() {
    int length = 0;
    for (int i = 0; i < matcher.required(); i++) {
      boolean mayLack = RowMatcher.isInner(parts, i) || RowMatcher.isInner(parts, i + 1);
      length += mayLack ? 0 : parts.get(i).minLength();
    }
    return length;
  }

  /** The most bytes of a row; at most {@link #MAX_ROW_LENGTH}. */
  public int maxRowLength() {
    long length = 0;
    for (Part part : parts) {
      length += part.maxLength();
    }
    return (int) Math.min(length, maxRowLength);
  }

  /** {@link #check(byte[], int, int)} of a whole array. */
  public Verdict check(byte[] row) {
    return check(row, 0, row.length);
  }

  /**
   * Whether {@code length} bytes from {@code offset} are a row of this layout.
   *
   * <p>Allocates nothing (hashes take their working memory from a pool), throws nothing for any
   * bytes, and takes tens of nanoseconds for rows of usual length.
   *
   * @throws IndexOutOfBoundsException when the range does not lie in the array
   */
  public Verdict check(byte[] row, int offset, int length) {
    if ((offset | length) < 0 || length > row.length - offset) {
      throw new IndexOutOfBoundsException(
          "offset=" + offset + " length=" + length + " array=" + row.length);
    }
    if (length == 0) {
      return Verdict.EMPTY_ROW;
    }
    if (length > maxRowLength) {
      return Verdict.TOO_LONG;
    }
    int end = offset + length;
    return check.check(row, offset, end);
  }

  /** {@link #explain(byte[], int, int)} of a whole array. */
  public Explanation explain(byte[] row) {
    return explain(row, 0, row.length);
  }

  /** The mistake in a row, its place, and the right content. Copies the row. */
  public Explanation explain(byte[] row, int offset, int length) {
    Verdict verdict = check(row, offset, length);
    byte[] copy = Arrays.copyOfRange(row, offset, offset + length);
    return new Explainer(this, copy).explain(verdict);
  }

  /**
   * The layout of bare keys: this one without its derived segments and without the literal right
   * after each; this layout itself when nothing is derived.
   */
  public RowkeyLayout bare() {
    return hasDerivedSegments() ? new RowkeyLayout(BareKeys.bareParts(parts), maxRowLength) : this;
  }

  /**
   * The salted row of a bare key; the first of several where writers {@linkplain #hasChoice
   * choose}.
   *
   * @throws IllegalArgumentException when the bytes are no bare key of this layout, or the row
   *     would be too long
   */
  public byte[] complete(byte[] bareKey) {
    byte[] row = completeIfBare(bareKey);
    if (row == null) {
      requireConforming(bare(), bareKey, "bare key");
      requireConforming(this, completed(bareKey, 0), "salted row");
    }
    return row;
  }

  /**
   * The salted row of a bare key, or null when the bytes are no bare key of this layout, or the row
   * would be too long; the first of several where writers {@linkplain #hasChoice choose}.
   */
  public byte[] completeIfBare(byte[] bareKey) {
    return completeIfBare(bareKey, 0);
  }

  /**
   * As the other, choosing one of several rows.
   *
   * @param choice any number; successive ones give all rows in turns
   */
  public byte[] completeIfBare(byte[] bareKey, int choice) {
    if (frontSalt != null) {
      return frontSalt.completeIfBare(bareKey, maxRowLength);
    }
    if (bareMatcher.match(bareKey, 0, bareKey.length) != Verdict.CONFORMS) {
      return null;
    }
    byte[] row = completed(bareKey, choice);
    return check(row).conforms() ? row : null;
  }

  /**
   * The bare key of a row.
   *
   * @throws IllegalArgumentException when the row does not conform
   */
  public byte[] strip(byte[] row) {
    requireConforming(this, row, "row");
    return BareKeys.strip(parts, matcher, row, 0, row.length);
  }

  /**
   * The row that holds these values: a {@link String} for hex, digits, text and word segments (for
   * digits also a {@code long}, zero-padded), a whole number for numbers, times and digits that are
   * descending from a number, a {@code byte[]} for bytes. Derived segments are computed and must
   * not be given, but for those that writers {@linkplain #hasChoice choose}; an optional one need
   * not be, and null stands for a row that lacks it.
   *
   * @throws IllegalArgumentException when a value is missing, is not asked for, or does not fit
   */
  public byte[] encode(Map<String, ?> values) {
    return new RowEncoder(this).encode(values);
  }

  /**
   * The values that a row holds, by segment name in the order of the row, derived ones included:
   * {@link String}, {@link Long} or {@code byte[]}, or null for an optional one that the row lacks.
   *
   * @throws IllegalArgumentException when the row does not conform
   */
  public Map<String, Object> decode(byte[] row) {
    requireConforming(this, row, "row");
    Map<String, Object> values = new LinkedHashMap<>();
    int[] ends = matcher.ends(row, 0, row.length);
    for (int i = 0; i < ends.length; i++) {
      if (parts.get(i) instanceof Segment) {
        Segment segment = (Segment) parts.get(i);
        int start = i == 0 ? 0 : ends[i - 1];
        boolean isMissing = segment.isOptional() && start == ends[i];
        values.put(
            segment.name(), isMissing ? null : ValueCodec.decode(segment, row, start, ends[i]));
      }
    }
    return values;
  }

  /**
   * The place of a segment in a row: its start (inclusive) and its end (exclusive).
   *
   * @throws IllegalArgumentException when the row does not conform or there is no such segment
   */
  public int[] segmentRange(String name, byte[] row) {
    int part = partIndex(name);
    requireConforming(this, row, "row");
    return new int[] {
      matcher.startOf(part, row, 0, row.length), matcher.startOf(part + 1, row, 0, row.length)
    };
  }

  /**
   * Writes what belongs there into the derived segments of a row, in place. Allocates nothing.
   *
   * @param row {@code length} bytes from {@code offset} that fit the layout, whatever their derived
   *     segments hold; this is not checked
   */
  public void writeDerived(byte[] row, int offset, int length) {
    writeDerived(row, offset, length, 0);
  }

  /**
   * As the other, choosing one of several rows where writers {@linkplain #hasChoice choose}.
   *
   * @param choice any number; successive ones give all rows in turns
   */
  public void writeDerived(byte[] row, int offset, int length, int choice) {
    int end = offset + length;
    int rest = choice;
    // Derived segments do not feed each other, so one pass fills them all.
    for (DerivedValue value : derived) {
      value.write(row, offset, end, rest);
      // Where several are chosen they turn as the digits of a number do, the first one fastest.
      rest = Math.floorDiv(rest, value.choices(row, offset, end));
    }
  }

  /**
   * The segments that a prefix of rows holds bytes of, in the order of the row; null when no row of
   * this layout begins with these bytes, judged as {@link LayoutBoundaries#isLegal} does where
   * every row is its own entity group. The empty prefix holds no segment.
   *
   * <p>Cost: a state per byte; some microseconds for prefixes of usual length.
   */
  public List<PrefixSegment> readPrefix(byte[] prefix) {
    return PrefixSegment.read(this, prefix);
  }

  /** The matcher of the rows' structure. */
  RowMatcher matcher() {
    return matcher;
  }

  /** The derived segments in the order of the row. */
  DerivedValue[] derived() {
    return derived;
  }

  private byte[] completed(byte[] bareKey, int choice) {
    byte[] row = BareKeys.withRoomForDerived(parts, bareMatcher, bareKey);
    writeDerived(row, 0, row.length, choice);
    return row;
  }

  static void requireConforming(RowkeyLayout layout, byte[] row, String what) {
    if (!layout.check(row).conforms()) {
      throw new IllegalArgumentException(
          "Not a " + what + " of the layout. " + layout.explain(row).message(""));
    }
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof RowkeyLayout)) {
      return false;
    }
    RowkeyLayout that = (RowkeyLayout) other;
    return maxRowLength == that.maxRowLength && parts.equals(that.parts);
  }

  @Override
  public int hashCode() {
    return parts.hashCode();
  }

  /** The layout's text in its canonical form, without optional blanks. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      text.append(part);
    }
    return text.toString();
  }
}
