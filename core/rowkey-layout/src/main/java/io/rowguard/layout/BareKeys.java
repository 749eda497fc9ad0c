package io.rowguard.layout;

import java.util.ArrayList;
import java.util.List;

/**
 * Takes what is derived out of rows, and puts it back.
 *
 * <p>A bare key is a row without its derived segments and without the literal right after each of
 * them: what an application that knows nothing of salts would write.
 */
final class BareKeys {
  private BareKeys() {}

  /** Whether a part stands in bare keys too. */
  static boolean isKept(List<Part> parts, int index) {
    Part part = parts.get(index);
    if (part instanceof Segment) {
      return !((Segment) part).isDerived();
    }
    return index == 0 || isPlain(parts.get(index - 1));
  }

  private static boolean isPlain(Part part) {
    return part instanceof Segment && !((Segment) part).isDerived();
  }

  /** The parts of bare keys. */
  static List<Part> bareParts(List<Part> parts) {
    List<Part> bare = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      if (isKept(parts, i)) {
        bare.add(parts.get(i));
      }
    }
    return bare;
  }

  /** The bare key of a row whose structure matches. */
  static byte[] strip(List<Part> parts, RowMatcher matcher, byte[] row, int from, int end) {
    int[] ends = matcher.ends(row, from, end);
    byte[] bare = new byte[end - from - removed(parts)];
    int length = 0;
    for (int i = 0; i < ends.length; i++) {
      if (isKept(parts, i)) {
        int start = i == 0 ? from : ends[i - 1];
        System.arraycopy(row, start, bare, length, ends[i] - start);
        length += ends[i] - start;
      }
    }
    return bare;
  }

  /**
   * The salted row of a bare key which matches {@code bareMatcher}, but with zeros in its derived
   * segments.
   */
  static byte[] withRoomForDerived(List<Part> parts, RowMatcher bareMatcher, byte[] key) {
    int[] bareEnds = bareMatcher.ends(key, 0, key.length);
    byte[] row = new byte[key.length + removed(parts)];
    int length = 0;
    int bare = 0;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (isKept(parts, i)) {
        int start = bare == 0 ? 0 : bareEnds[bare - 1];
        System.arraycopy(key, start, row, length, bareEnds[bare] - start);
        length += bareEnds[bare] - start;
        bare++;
      } else {
        if (part instanceof Literal) {
          System.arraycopy(((Literal) part).shared(), 0, row, length, part.minLength());
        }
        length += part.minLength();
      }
    }
    return row;
  }

  private static int removed(List<Part> parts) {
    int bytes = 0;
    for (int i = 0; i < parts.size(); i++) {
      if (!isKept(parts, i)) {
        bytes += parts.get(i).minLength();
      }
    }
    return bytes;
  }
}
