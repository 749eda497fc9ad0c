package io.rowguard.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The keys at which a region may be cut. Immutable and thread-safe.
 *
 * <p>A key is a <em>legal boundary</em> when some conforming row begins with it and it reaches no
 * further than that row's {@linkplain EntityGroup entity group}. So no group ever lies on both
 * sides of it, and it holds only bytes that keys can have at that place: no boundary between {@code
 * 9} and {@code a} of a hex segment, none above the last bucket of a salt.
 *
 * <pre>{@code
 * layout: {salt:digits(2)=murmur3(user)%16}-{user:word}|{time:millis descending}
 * group: user
 * legal: 07
 * legal: 07-ali
 * legal: 13-alice|
 * illegal: 16 -> 1 no conforming row goes on with this byte
 * illegal: 07+ -> 2 no conforming row goes on with this byte
 * illegal: 07-alice| -> 8 a derived segment does not hold the value that its derivation gives
 * illegal: 13-alice|\x7F -> 9 it reaches beyond the end of an entity group
 * }</pre>
 *
 * <p>A group whose segment has no fixed length is known to be complete only at the literal after
 * it, so the literal belongs to the longest legal boundary ({@code 13-alice|}). Without it two
 * groups such as {@code abz|} and {@code ab|} of a {@code word} would have no boundary in between,
 * as {@code |} sorts after every byte of a word.
 *
 * <p>A derived segment is compared with its hash when the boundary holds all of its inputs; before
 * that, every value that can be written counts as possible.
 *
 * <p>Prefixes of legal boundaries are legal. Cost of every operation: at most 256 steps per byte of
 * the key, some microseconds for usual keys; {@link #floor} and {@link #ceiling} may hash at each
 * byte all before it, where a derived segment's last input has no fixed length.
 */
public final class LayoutBoundaries implements LegalBoundaries {
  private final EntityGroup group;
  private final RowkeyLayout layout;
  private final PrefixAutomaton automaton;

  private LayoutBoundaries(EntityGroup group) {
    this.group = group;
    this.layout = group.layout();
    this.automaton = new PrefixAutomaton(layout.parts());
  }

  /** The boundaries that respect {@code group}. */
  public static LayoutBoundaries of(EntityGroup group) {
    return new LayoutBoundaries(group);
  }

  /**
   * The boundaries of a layout.
   *
   * @param group the name of the segment that ends an entity group, or null when every row is its
   *     own
   * @throws IllegalArgumentException as {@link EntityGroup#of}
   */
  public static LayoutBoundaries of(RowkeyLayout layout, String group) {
    return new LayoutBoundaries(EntityGroup.of(layout, group));
  }

  /** The entity groups that are never cut. */
  public EntityGroup group() {
    return group;
  }

  /** Whether a key is a legal boundary. The empty key is none: it stands for no boundary. */
  public boolean isLegal(byte[] key) {
    return key.length > 0 && walk().follow(key) == key.length;
  }

  /** Whether a key is a legal boundary, and if not, from which byte on and why. */
  public Legality judge(byte[] key) {
    if (key.length == 0) {
      return Legality.illegal(0, "the empty key is no boundary");
    }
    PrefixWalk walk = walk();
    int length = walk.follow(key);
    if (length == key.length) {
      return Legality.LEGAL;
    }
    int next = key[length] & 0xff;
    if (walk.isAtLimit() || walk.isBeyondLimit(next) || walk.isBelowRestOfGroup(next)) {
      return Legality.beyondGroup(length, group.segment() != null);
    }
    boolean bytePossible = automaton.next(walk.state(), key[length]) != null;
    return Legality.illegal(
        length,
        bytePossible
            ? "a derived segment does not hold the value that its derivation gives"
            : "no conforming row goes on with this byte");
  }

  /**
   * The largest legal boundary at or below a key, or null when there is none.
   *
   * <p>Text without a length limit has no largest value; in variable-length segments the boundary
   * therefore has no bytes beyond the key's own length.
   */
  @Override
  public byte[] floor(byte[] key) {
    PrefixWalk walk = walk();
    int length = walk.follow(key);
    if (length < key.length && walk.pushAtMost((key[length] & 0xff) - 1)) {
      walk.extendToLargest(key.length);
    }
    return walk.length() == 0 ? null : walk.prefix();
  }

  /** The smallest legal boundary above a key (never equal to it), or null when there is none. */
  @Override
  public byte[] ceiling(byte[] key) {
    PrefixWalk walk = walk();
    int length = walk.follow(key);
    if (walk.pushAtLeast(length < key.length ? (key[length] & 0xff) + 1 : 0)) {
      return walk.prefix();
    }
    for (int i = length - 1; i >= 0; i--) {
      walk.truncate(i);
      if (walk.pushAtLeast((key[i] & 0xff) + 1)) {
        return walk.prefix();
      }
    }
    return null;
  }

  /**
   * The smallest legal boundary above every row of the entity group that a row belongs to, or null
   * when there is none. A row that does not conform is a group of its own.
   */
  public byte[] successor(byte[] row) {
    // No legal boundary reaches into a group, so the next one above a row is above all of it.
    return ceiling(row);
  }

  /**
   * The shortest legal boundary above {@code lower} and at or below {@code upper}, the smallest of
   * those; null when there is none. For two rows: one that divides their groups.
   */
  public byte[] between(byte[] lower, byte[] upper) {
    PrefixWalk walk = walk();
    int length = walk.follow(lower);
    for (int i = 0; i <= length; i++) {
      walk.truncate(i);
      if (walk.pushAtLeast(i < lower.length ? (lower[i] & 0xff) + 1 : 0)) {
        byte[] above = walk.prefix();
        if (ByteRanges.compare(above, upper) <= 0) {
          return above;
        }
      }
      walk.truncate(i);
      if (i < length) {
        walk.push(lower[i] & 0xff);
      }
    }
    return null;
  }

  /**
   * Whether some conforming row lies in a region. False is certain; true also where keys are alike
   * in, or go on for, hundreds of bytes, and it would take too long to be sure.
   *
   * @param start the region's start key, inclusive; empty for none
   * @param end the region's end key, exclusive; empty for none
   */
  public boolean isReachable(byte[] start, byte[] end) {
    PrefixWalk rows = new PrefixWalk(layout, automaton, layout.parts().size() - 1);
    return Reachability.isReachable(rows, start, end);
  }

  /**
   * The regions of a table that no conforming row can lie in, ascending.
   *
   * @param splitKeys the start keys of all regions but the first, ascending and distinct
   */
  public List<KeyRange> unreachable(List<byte[]> splitKeys) {
    List<KeyRange> unreachable = new ArrayList<>();
    byte[] start = new byte[0];
    for (int i = 0; i <= splitKeys.size(); i++) {
      byte[] end = i == splitKeys.size() ? new byte[0] : splitKeys.get(i);
      if (!isReachable(start, end)) {
        unreachable.add(KeyRange.of(start, true, end, false));
      }
      start = end;
    }
    return unreachable;
  }

  /**
   * Whether a key lies between two values of the salt that rows begin with: some rows lie below it,
   * and none of them has the salt of a row at or above it. Always false for layouts whose rows do
   * not begin with a derived segment.
   */
  public boolean dividesSalts(byte[] key) {
    int salt = leadingSaltLength();
    byte[] none = new byte[0];
    // Without a salt all rows begin alike: then the two ask the same.
    return isReachable(none, key) && !isReachable(Arrays.copyOf(key, salt), key);
  }

  /** Up to the end of the first segment, if that is derived; else 0. */
  private int leadingSaltLength() {
    int length = 0;
    for (Part part : layout.parts()) {
      length += part.minLength();
      if (part instanceof Segment) {
        return ((Segment) part).isDerived() ? length : 0;
      }
    }
    return 0;
  }

  /**
   * The boundaries that divide the leading fixed-width space of the layout into regions of equal
   * size: {@code regions - 1} of them, ascending, as short as the division allows. It counts how
   * many different beginnings rows can have up to the first variable-length segment or the group's
   * end; it cannot know which of them the table's rows will use, see {@link #quantiles}.
   *
   * @throws IllegalArgumentException when that space has fewer values than regions are wanted
   */
  public List<byte[]> evenly(int regions) {
    return evenly(new byte[0], new byte[0], regions);
  }

  /**
   * The boundaries that divide a part of the leading fixed-width space into regions of equal size,
   * as {@link #evenly(int)} divides all of it.
   *
   * @param start where the part begins, inclusive; empty for the beginning of the space
   * @param end where it ends, exclusive; empty for the end of the space
   * @throws IllegalArgumentException when the part has fewer values than regions are wanted, or
   *     does not end above its start
   */
  public List<byte[]> evenly(byte[] start, byte[] end, int regions) {
    return new EvenDivision(this, automaton).divide(start, end, regions);
  }

  /**
   * The boundaries that divide a sample of rows into regions of about equal weight: at most {@code
   * regions - 1} of them, ascending; fewer when big groups leave fewer places to cut.
   *
   * @param sample rows in ascending order
   * @param weights one weight, zero or more, per row; null when all weigh the same
   * @throws IllegalArgumentException when the sample does not ascend or the weights do not fit it
   */
  public List<byte[]> quantiles(List<byte[]> sample, long[] weights, int regions) {
    return new SampleDivision(this, sample, weights).divide(regions);
  }

  /** A new walk over legal boundaries. */
  PrefixWalk walk() {
    return new PrefixWalk(layout, automaton, group.lastPart());
  }
}
