package io.rowguard.layout;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The rows that belong together: all that agree on every byte up to and including one segment.
 * Immutable and thread-safe.
 *
 * <p>No region boundary may fall inside an entity group. Without a segment every row is a group of
 * its own.
 */
public final class EntityGroup {
  private final RowkeyLayout layout;
  private final String segment;
  private final int lastPart;

  private EntityGroup(RowkeyLayout layout, String segment, int lastPart) {
    this.layout = layout;
    this.segment = segment;
    this.lastPart = lastPart;
  }

  /**
   * The entity groups of a layout.
   *
   * @param segment the name of the segment that ends the group, or null when every row is its own
   * @throws IllegalArgumentException when there is no such segment, or a salt within the group
   *     would depend on what comes after it, so that one group would get many salts
   */
  public static EntityGroup of(RowkeyLayout layout, String segment) {
    int last = layout.parts().size() - 1;
    if (segment == null) {
      return new EntityGroup(layout, null, last);
    }
    int part = layout.partIndex(segment);
    for (DerivedValue value : layout.derived()) {
      if (value.part() <= part && value.lastGroupInput() > part) {
        throw new IllegalArgumentException(
            "One entity group would get many salts: the derived segment \""
                + value.segment().name()
                + "\" depends on more than the group, which ends with \""
                + segment
                + "\". Derive it from segments up to there, or end the group later. Layout: "
                + layout);
      }
    }
    requireTogether(layout, part);
    requireWhole(layout, part);
    return new EntityGroup(layout, segment, part);
  }

  /** A group does not end where some of its rows go on with an optional segment, others not. */
  private static void requireWhole(RowkeyLayout layout, int part) {
    boolean isBeforeInner =
        RowMatcher.isInner(layout.parts(), part + 2)
            && layout.parts().get(part + 1) instanceof Literal
            && !layout.parts().get(part).endsByItself();
    if (isBeforeInner || RowMatcher.isInner(layout.parts(), part)) {
      String optional = ((Segment) layout.parts().get(isBeforeInner ? part + 2 : part)).name();
      throw new IllegalArgumentException(
          "The end of an entity group could not be told from its rows: some of them lack \""
              + optional
              + "\". End the group before the segment in front of it, or after it. Layout: "
              + layout);
    }
  }

  /**
   * A group that ends before a literal which rows may lack has rows with it and without: no other
   * group may come between them.
   */
  private static void requireTogether(RowkeyLayout layout, int part) {
    boolean mayLack =
        part + 1 == layout.matcher().required()
            && part + 1 < layout.parts().size()
            && !layout.parts().get(part).endsByItself();
    if (mayLack) {
      Segment segment = (Segment) layout.parts().get(part);
      byte[] literal = ((Literal) layout.parts().get(part + 1)).shared();
      for (int b = 0; b <= (literal[0] & 0xff); b++) {
        boolean isLiteral = b == (literal[0] & 0xff) && literal.length == 1;
        if (!isLiteral && segment.accepts(b)) {
          throw new IllegalArgumentException(
              "The rows of one entity group would not stand together: some lack the literal \""
                  + RowText.abbreviated(literal)
                  + "\" after \""
                  + segment.name()
                  + "\", and rows of other groups come between those and the rest. End the group"
                  + " elsewhere, or take a literal below all that the segment may hold. Layout: "
                  + layout);
        }
      }
    }
  }

  /** The layout. */
  public RowkeyLayout layout() {
    return layout;
  }

  /** The name of the segment that ends the group; null when every row is its own group. */
  public String segment() {
    return segment;
  }

  /** The index of the last part that belongs to the group. */
  int lastPart() {
    return lastPart;
  }

  /**
   * How many bytes of a row, counted from {@code offset}, make up its group; -1 when the row does
   * not conform. Allocates nothing.
   */
  public int end(byte[] row, int offset, int length) {
    if (!layout.check(row, offset, length).conforms()) {
      return -1;
    }
    return layout.matcher().startOf(lastPart + 1, row, offset, offset + length) - offset;
  }

  /**
   * Whether bytes are a group: those with which some rows that conform begin, up to the {@linkplain
   * #end end} of their group.
   */
  public boolean isGroup(byte[] bytes) {
    if (end(bytes, 0, bytes.length) == bytes.length) {
      return true;
    }
    if (lastPart + 1 == layout.parts().size()) {
      return false;
    }
    byte[] beginning = beginning(bytes);
    List<PrefixSegment> read = layout.readPrefix(beginning);
    PrefixSegment last = read == null || read.isEmpty() ? null : read.get(read.size() - 1);
    return last != null
        && last.isComplete()
        && last.segment().name().equals(segment)
        && layout.matcher().startOf(lastPart + 1, beginning, 0, beginning.length) == bytes.length;
  }

  /**
   * A range of keys that holds all rows of one group, and no row of another that conforms.
   *
   * @param group which {@linkplain #isGroup is one}
   */
  public KeyRange range(byte[] group) {
    int next = lastPart + 1;
    if (next == layout.parts().size()) {
      return KeyRange.of(group, true, group, true);
    }
    KeyRange followed = KeyRange.ofPrefix(beginning(group));
    boolean mayEnd = endsWithLiteral() && layout.matcher().required() <= next;
    return mayEnd ? KeyRange.of(group, true, followed.upper(), false) : followed;
  }

  /** Prefix of the rows of a group, but for the one that ends with it, if there may be one. */
  private byte[] beginning(byte[] group) {
    if (!endsWithLiteral()) {
      return group;
    }
    byte[] literal = ((Literal) layout.parts().get(lastPart + 1)).shared();
    byte[] beginning = Arrays.copyOf(group, group.length + literal.length);
    System.arraycopy(literal, 0, beginning, group.length, literal.length);
    return beginning;
  }

  /** Whether it takes the literal behind a group, which is not all of a row, to see its end. */
  private boolean endsWithLiteral() {
    return !layout.parts().get(lastPart).endsByItself()
        && layout.parts().get(lastPart + 1) instanceof Literal;
  }

  /** Whether two rows belong to one group. A row that does not conform is a group of its own. */
  public boolean same(byte[] a, byte[] b) {
    if (Arrays.equals(a, b)) {
      return true;
    }
    int end = end(a, 0, a.length);
    return end >= 0 && end == end(b, 0, b.length) && ByteRanges.commonPrefix(a, b) >= end;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof EntityGroup
        && layout.equals(((EntityGroup) other).layout)
        && Objects.equals(segment, ((EntityGroup) other).segment);
  }

  @Override
  public int hashCode() {
    return Objects.hash(layout, segment);
  }

  @Override
  public String toString() {
    return segment == null ? "each row" : segment;
  }
}
