package io.rowguard.layout;

import java.util.Arrays;
import java.util.List;

/**
 * Says which bytes may follow a prefix of a row, so that boundaries can be found byte by byte.
 * Immutable.
 *
 * <p>Of derived segments it knows the values that can be written (every byte of the type, numbers
 * below the buckets), not the hash. In a variable-length segment a byte may belong to the value or
 * to the literal that ends it; the state keeps both readings until one is excluded. The first place
 * where the literal stands completely ends the segment, as in {@link PartMatcher}. Where a value's
 * length stands in front of it, the state counts the bytes that are missing.
 */
final class PrefixAutomaton {
  private final Part[] parts;
  private final SegmentStep[] steps;
  // How many parts, counted from the left, every row has.
  private final int required;

  PrefixAutomaton(List<Part> parts) {
    this.parts = parts.toArray(new Part[0]);
    this.steps = new SegmentStep[this.parts.length];
    this.required = RowMatcher.required(parts);
    for (int i = 0; i < this.parts.length; i++) {
      if (this.parts[i] instanceof Segment) {
        boolean literalNext = i + 1 < this.parts.length && this.parts[i + 1] instanceof Literal;
        byte[] literal = literalNext ? ((Literal) this.parts[i + 1]).shared() : null;
        boolean mayEndRow = i + 1 == required && required < this.parts.length;
        steps[i] = new SegmentStep(parts, i, literal, mayEndRow);
      }
    }
  }

  /** The state before the first byte. */
  PrefixState start() {
    return PrefixState.startOf(0);
  }

  /** The state after one more byte, or null when no row goes on like this. */
  PrefixState next(PrefixState state, byte b) {
    if (state.part == parts.length) {
      return null;
    }
    if (steps[state.part] != null) {
      return steps[state.part].next(state, b);
    }
    byte[] literal = ((Literal) parts[state.part]).shared();
    if (literal[state.length] != b) {
      int other = otherLiteral(state.part + 1);
      return b == (byte) other && other >= 0 ? PrefixState.startOf(state.part + 3) : null;
    }
    return state.length + 1 == literal.length
        ? PrefixState.startOf(state.part + 1)
        : new PrefixState(state.part, state.length + 1, 0, 0, PrefixState.NONE);
  }

  /** The byte after an optional segment before the end; -1 for all other parts. */
  private int otherLiteral(int part) {
    return isInner(part) ? ((Literal) parts[part + 1]).shared()[0] & 0xff : -1;
  }

  private boolean isInner(int part) {
    return part < parts.length - 1
        && parts[part] instanceof Segment
        && ((Segment) parts[part]).isOptional();
  }

  /** Whether a row may end here. */
  boolean isComplete(PrefixState state) {
    if (state.part == parts.length) {
      return true;
    }
    if (isVariable(state) && !parts[state.part].endsByItself()) {
      boolean mayEnd = state.part == parts.length - 1 || state.part == required - 1;
      boolean isMissing = state.part == required && state.length == 0;
      return (mayEnd && steps[state.part].isCompleteValue(state))
          || (isMissing && parts[required - 1].endsByItself());
    }
    return state.part == required && state.length == 0;
  }

  /** Whether rows may lack the part that the next byte belongs to. */
  boolean isOptional(PrefixState state) {
    return state.part >= required || isInner(state.part) || isInner(state.part + 1);
  }

  /**
   * Whether the next byte belongs to a variable-length segment or the literal that ends it. Not for
   * the state after the last part.
   */
  boolean isVariable(PrefixState state) {
    return !parts[state.part].isFixedLength();
  }

  /**
   * The endings of the literal after a variable-length segment that may come next: what is missing
   * of it where it may have begun, and all of it where the value may end here.
   */
  byte[][] possibleEndings(PrefixState state) {
    return steps[state.part].possibleEndings(state);
  }

  /**
   * The weight of a byte that can come next among all of them: in a derived segment with buckets,
   * the buckets that go on with it; 1 everywhere else. Not for the state after the last part.
   */
  long weight(PrefixState state, byte b) {
    return steps[state.part] == null ? 1 : steps[state.part].weight(state, b);
  }

  /** The steps within one segment, and through the literal that ends it when it is variable. */
  private static final class SegmentStep {
    private final Segment segment;
    private final int part;
    private final SegmentType type;
    private final LengthPrefix prefix;
    private final byte[] literal;
    private final int[] borders;
    private final BucketNumbers buckets;
    private final boolean fixed;
    private final boolean mayEndRow;
    // A second byte that may end the segment, before an optional one; -1 where there is none.
    private final int other;

    SegmentStep(List<Part> parts, int part, byte[] literal, boolean mayEndRow) {
      this.segment = (Segment) parts.get(part);
      this.part = part;
      this.mayEndRow = mayEndRow;
      boolean isBeforeInner = RowMatcher.isInner(parts, part + 2) && literal != null;
      this.other = isBeforeInner ? ((Literal) parts.get(part + 3)).shared()[0] & 0xff : -1;
      this.type = segment.type();
      this.fixed = segment.isFixedLength();
      this.prefix = segment.prefix();
      this.literal = prefix != null || (fixed && !type.kind().excludesLiteral()) ? null : literal;
      this.borders = this.literal == null ? null : borders(literal);
      this.buckets =
          segment.isDerived() && segment.derivation().hasBuckets()
              ? new BucketNumbers(segment, BucketSteps.of(parts, segment.derivation()))
              : null;
    }

    PrefixState next(PrefixState state, byte b) {
      if (prefix != null) {
        return state.length < prefix.bytes() ? nextOfLength(state, b) : nextCounted(state, b);
      }
      if (!fixed && other >= 0 && b == (byte) other) {
        return isCompleteValue(state) ? PrefixState.startOf(part + 4) : null;
      }
      int value = nextValue(state, b);
      int suffix = literal == null ? 0 : nextSuffix(state.literalSuffix, b);
      boolean literalComplete = literal != null && suffix == literal.length;
      if (fixed) {
        if (value < 0 || literalComplete) {
          return null;
        }
        return state.length + 1 == type.maxLength()
            ? PrefixState.startOf(part + 1)
            : new PrefixState(part, state.length + 1, value, suffix, PrefixState.NONE);
      }
      int[] begun = literal == null ? PrefixState.NONE : nextBegun(state, b);
      if (literalComplete) {
        boolean inEarnest = begun.length > 0 && begun[0] == literal.length;
        return inEarnest ? PrefixState.startOf(part + 2) : null;
      }
      PrefixState next = new PrefixState(part, nextLength(state), value, suffix, begun);
      return canGoOn(next) ? next : null;
    }

    /** One more byte of the length in front of the value. */
    private PrefixState nextOfLength(PrefixState state, byte b) {
      long number = LengthPrefix.next(state.number, b);
      int read = state.length + 1;
      if (!prefix.canBecome(number, read, type.minLength(), segment.longestValue())) {
        return null;
      }
      if (read < prefix.bytes()) {
        return PrefixState.counted(part, read, number, Utf8.START);
      }
      return counted(prefix.lengthOf(number), Utf8.START);
    }

    /** One more byte of a value of which some are missing. */
    private PrefixState nextCounted(PrefixState state, byte b) {
      int missing = (int) state.number - 1;
      int value = Utf8.START;
      if (type.kind() == SegmentType.Kind.TEXT) {
        value = Utf8.next(state.value, segment.isTurned() ? (byte) ~b : b);
        if (value == Utf8.INVALID || Utf8.missing(value) > missing) {
          return null;
        }
      } else if (!segment.acceptsAlone(b & 0xff)) {
        return null;
      }
      return counted(missing, value);
    }

    private PrefixState counted(int missing, int value) {
      return missing == 0
          ? PrefixState.startOf(part + 1)
          : PrefixState.counted(part, prefix.bytes(), missing, value);
    }

    private int nextLength(PrefixState state) {
      boolean counted = type.maxLength() < RowkeyLayout.MAX_ROW_LENGTH;
      return counted ? state.length + 1 : Math.min(state.length + 1, type.minLength());
    }

    /** The value state when {@code b} belongs to the value; negative when it cannot. */
    private int nextValue(PrefixState state, byte b) {
      if (buckets != null) {
        return buckets.next(state.value, state.length, b);
      }
      if (state.value == Utf8.INVALID || (!fixed && isFull(state))) {
        return Utf8.INVALID;
      }
      switch (type.kind()) {
        case TEXT:
          int utf8 = Utf8.next(state.value, segment.isTurned() ? (byte) ~b : b);
          boolean fits = Utf8.missing(Math.max(utf8, 0)) <= room(state) - 1;
          return fits ? utf8 : Utf8.INVALID;
        case MILLIS:
          return state.length == 0 && b < 0 ? Utf8.INVALID : Utf8.START;
        case BYTES:
        case UINT:
        case INT:
          return Utf8.START;
        default:
          return Alphabet.contains(Alphabet.of(type.kind()), b) ? Utf8.START : Utf8.INVALID;
      }
    }

    private boolean isFull(PrefixState state) {
      return room(state) == 0;
    }

    /** How many more bytes the value may have. */
    private int room(PrefixState state) {
      return type.maxLength() - state.length;
    }

    boolean isCompleteValue(PrefixState state) {
      return state.value == Utf8.START && state.length >= type.minLength();
    }

    private int[] nextBegun(PrefixState state, byte b) {
      int[] begun = new int[state.begun.length + 1];
      int count = 0;
      for (int length : state.begun) {
        if (literal[length] == b) {
          begun[count++] = length + 1;
        }
      }
      if (isCompleteValue(state) && literal[0] == b) {
        begun[count++] = 1;
      }
      return count == 0 ? PrefixState.NONE : Arrays.copyOf(begun, count);
    }

    /** Whether some row goes on from a state within a variable-length segment. */
    private boolean canGoOn(PrefixState state) {
      boolean valueGoesOn = state.value != Utf8.INVALID && (!isFull(state) || literal == null);
      return valueGoesOn
          || (mayEndRow && isCompleteValue(state))
          || (literal != null && possibleEndings(state).length > 0);
    }

    byte[][] possibleEndings(PrefixState state) {
      if (literal == null) {
        return new byte[0][];
      }
      byte[][] endings = new byte[state.begun.length + 2][];
      int count = 0;
      for (int length : state.begun) {
        if (isFirst(state.literalSuffix, length)) {
          endings[count++] = Arrays.copyOfRange(literal, length, literal.length);
        }
      }
      if (isCompleteValue(state) && isFirst(state.literalSuffix, 0)) {
        endings[count++] = literal;
      }
      if (other >= 0 && isCompleteValue(state)) {
        endings[count++] = new byte[] {(byte) other};
      }
      return Arrays.copyOf(endings, count);
    }

    /** Whether the literal, begun {@code length} bytes ago, is the first one to be completed. */
    private boolean isFirst(int suffix, int length) {
      int s = suffix;
      int i = length;
      while (s < literal.length) {
        s = nextSuffix(s, literal[i++]);
      }
      return i == literal.length;
    }

    long weight(PrefixState state, byte b) {
      return buckets == null
          ? 1
          : buckets.weight(buckets.next(state.value, state.length, b), state.length + 1);
    }

    /** One step of Knuth, Morris and Pratt's search. */
    private int nextSuffix(int suffix, byte b) {
      int s = suffix;
      while (s > 0 && literal[s] != b) {
        s = borders[s - 1];
      }
      return literal[s] == b ? s + 1 : 0;
    }

    /** For each beginning of the literal, the longest proper beginning that it also ends with. */
    private static int[] borders(byte[] literal) {
      int[] borders = new int[literal.length];
      int border = 0;
      for (int i = 1; i < literal.length; i++) {
        while (border > 0 && literal[i] != literal[border]) {
          border = borders[border - 1];
        }
        if (literal[i] == literal[border]) {
          border++;
        }
        borders[i] = border;
      }
      return borders;
    }
  }
}
