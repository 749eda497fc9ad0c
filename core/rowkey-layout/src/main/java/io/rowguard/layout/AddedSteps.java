package io.rowguard.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Steps of more buckets that one layout has beyond those of another, and nothing else that differs.
 * Rows below the first of them stand where they stood; what may stand elsewhere lies in {@link
 * #rows}. Immutable and thread-safe.
 *
 * <p>So for a step above all that is stored nothing moves, and there is no row to read but in those
 * ranges to know it:
 *
 * <pre>{@code
 * layout: {salt:digits(1)=murmur3(*)%2,3 from day=50}-{day:digits(2)}/{id:word}
 * added: {salt:digits(1)=murmur3(*)%2}-{day:digits(2)}/{id:word}
 *   -> 0-50 .. 0., 1-50 .. 1., 2-50 .. 2.
 * }</pre>
 */
public final class AddedSteps {
  private final RowkeyLayout from;
  private final RowkeyLayout to;
  private final KeyRange bareKeys;

  private AddedSteps(RowkeyLayout from, RowkeyLayout to, KeyRange bareKeys) {
    this.from = from;
    this.to = to;
    this.bareKeys = bareKeys;
  }

  /**
   * The steps that the second layout has beyond the first; null where they differ in anything else,
   * or not at all. The longest row that is allowed is no part of that.
   */
  public static AddedSteps of(RowkeyLayout from, RowkeyLayout to) {
    if (from.parts().size() != to.parts().size()) {
      return null;
    }
    List<Segment> changed = new ArrayList<>();
    for (int i = 0; i < to.parts().size(); i++) {
      Part part = to.parts().get(i);
      if (!part.equals(from.parts().get(i))) {
        if (!hasMoreSteps(from.parts().get(i), part)) {
          return null;
        }
        changed.add((Segment) part);
      }
    }
    if (changed.isEmpty()) {
      return null;
    }
    KeyRange bareKeys = KeyRange.all();
    if (changed.size() == 1) {
      Segment old = from.segment(changed.get(0).name());
      bareKeys = bareKeys(to, changed.get(0).derivation(), old.derivation().steps().size() + 1);
    }
    return new AddedSteps(from, to, bareKeys);
  }

  private static boolean hasMoreSteps(Part from, Part to) {
    if (!(from instanceof Segment && to instanceof Segment)) {
      return false;
    }
    Derivation before = ((Segment) from).derivation();
    Derivation after = ((Segment) to).derivation();
    int kept = before == null ? 0 : before.steps().size();
    if (before == null || after == null || after.steps().size() <= kept) {
      return false;
    }
    // All the rest of the two is compared by making the one of the other.
    Derivation without =
        after.withSteps(kept == 0 ? null : after.stepSegment(), after.steps().subList(0, kept));
    return ((Segment) to).derivedBy(without).equals(from);
  }

  /** The bare keys that are on a step or above; all where those are not in one range. */
  private static KeyRange bareKeys(RowkeyLayout layout, Derivation derivation, int step) {
    List<Part> parts = layout.bare().parts();
    boolean beginsFixed = parts.get(0) instanceof Literal;
    byte[] before = beginsFixed ? ((Literal) parts.get(0)).shared() : new byte[0];
    Part first = parts.get(beginsFixed ? 1 : 0);
    boolean decides =
        first instanceof Segment && ((Segment) first).name().equals(derivation.stepSegment());
    return decides
        ? BucketSteps.of(layout.parts(), derivation).rangeFrom(step, before)
        : KeyRange.all();
  }

  /**
   * From the layout that has fewer to the one that has more. Where writers choose among several
   * rows of a bare key, it says what place a row has, and nothing of where it would go.
   */
  public LayoutChange change() {
    // All else that may be in the way is equal in both.
    return new LayoutChange(from, to, LayoutChange.longestKey(Arrays.asList(from, to)));
  }

  /**
   * The ranges in which all rows lie, of either layout, that do not stand at the same place under
   * both: {@link LayoutChange.Place#OLD} and {@link LayoutChange.Place#NEW}. Other rows may lie
   * there too. Where the segment that decides is not the first of the bare keys, or its bytes are
   * not in the order of its values, it is the range of all keys.
   */
  public List<KeyRange> rows() {
    Set<KeyRange> ranges = new LinkedHashSet<>();
    for (RowkeyLayout layout : new RowkeyLayout[] {to, from}) {
      SaltBuckets buckets = SaltBuckets.of(layout);
      if (bareKeys.equals(KeyRange.all()) || buckets.count(bareKeys) > Derivation.MAX_BUCKETS) {
        return Collections.singletonList(KeyRange.all());
      }
      buckets.of(bareKeys).forEach(bucket -> ranges.add(bucket.salted(bareKeys)));
    }
    return Collections.unmodifiableList(new ArrayList<>(ranges));
  }

  /** Whether {@link #rows} are less than all keys. */
  public boolean isInRanges() {
    return !bareKeys.equals(KeyRange.all());
  }
}
