package io.rowguard.layout;

import java.util.Arrays;

/**
 * A prefix of rows that grows and shrinks byte by byte, and the bytes that may come next. Not
 * thread-safe.
 *
 * <p>On top of {@link PrefixAutomaton} it knows how far the prefix may reach (the end of the entity
 * group) and compares a derived segment with its hash as soon as the prefix holds all that goes
 * into it.
 */
final class PrefixWalk {
  private static final int FIRST_CAPACITY = 64;

  private final RowkeyLayout layout;
  private final PrefixAutomaton automaton;
  private final int lastPart;
  // Whether the last part ends without the literal after it, which rows may lack.
  private final boolean endsBeforeLiteral;
  private PrefixState[] states = new PrefixState[FIRST_CAPACITY];
  private byte[] path = new byte[FIRST_CAPACITY];
  private int length;

  /**
   * @param lastPart the index of the last part that the prefix may hold bytes of; where it is of
   *     variable length, the literal that ends it belongs to it, but for one that rows may lack
   */
  PrefixWalk(RowkeyLayout layout, PrefixAutomaton automaton, int lastPart) {
    this.layout = layout;
    this.automaton = automaton;
    this.lastPart = lastPart;
    this.endsBeforeLiteral =
        lastPart + 1 == layout.matcher().required()
            && lastPart + 1 < layout.parts().size()
            && !layout.parts().get(lastPart).endsByItself();
    states[0] = automaton.start();
  }

  int length() {
    return length;
  }

  PrefixState state() {
    return states[length];
  }

  /** Whether a byte that rows go on with belongs to what comes after the last part. */
  boolean isBeyondLimit(int b) {
    PrefixState next = automaton.next(state(), (byte) b);
    return next != null && isBeyondLimit(next);
  }

  /**
   * Whether the prefix is a row, and its group goes on with the literal that the row lacks, above
   * this byte: then both are on different sides of what ends with it.
   */
  boolean isBelowRestOfGroup(int b) {
    return endsBeforeLiteral
        && state().part == lastPart
        && automaton.isVariable(state())
        && b < (((Literal) layout.parts().get(lastPart + 1)).shared()[0] & 0xff)
        && isRow();
  }

  /** Whether the step to a state is one into the literal that rows may lack. */
  private boolean isBeyondLimit(PrefixState next) {
    return endsBeforeLiteral
        && state().part == lastPart
        && automaton.isVariable(state())
        && (next.part != state().part || next.value == Utf8.INVALID);
  }

  /** The last byte of the prefix, which is not empty. */
  byte last() {
    return path[length - 1];
  }

  byte[] prefix() {
    return Arrays.copyOf(path, length);
  }

  /** Whether the next byte would lie after the last part. */
  boolean isAtLimit() {
    return state().part > lastPart;
  }

  /** Whether the prefix is a conforming row. */
  boolean isRow() {
    return automaton.isComplete(state()) && layout.check(path, 0, length).conforms();
  }

  /** Follows a key as far as some row does; answers how far. */
  int follow(byte[] key) {
    for (int i = length; i < key.length && push(key[i] & 0xff); i++) {
      // push has done it
    }
    return length;
  }

  /** Appends a byte if some row goes on with it; answers whether it does. */
  boolean push(int b) {
    if (isAtLimit() || length == RowkeyLayout.MAX_ROW_LENGTH) {
      return false;
    }
    PrefixState next = automaton.next(state(), (byte) b);
    if (next == null || isBeyondLimit(next)) {
      return false;
    }
    ensureCapacity();
    int partBefore = state().part;
    path[length++] = (byte) b;
    states[length] = next;
    if (next.part != partBefore && !saltsMatch(partBefore, next.part)) {
      length--;
      return false;
    }
    return true;
  }

  /** Forgets all but the first {@code newLength} bytes. */
  void truncate(int newLength) {
    length = newLength;
  }

  /**
   * Appends the smallest possible byte from {@code from} (inclusive) up; false if there is none.
   */
  boolean pushAtLeast(int from) {
    for (int b = from; b <= 0xff; b++) {
      if (push(b)) {
        return true;
      }
    }
    return false;
  }

  /** Appends the largest possible byte from {@code from} (inclusive) down; false if none is. */
  boolean pushAtMost(int from) {
    for (int b = from; b >= 0; b--) {
      if (push(b)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Extends the prefix to the largest one that begins with it. In a variable-length segment, where
   * there may be no largest, it goes no further than {@code keyLength} bytes in all, but for ending
   * the segment.
   */
  void extendToLargest(int keyLength) {
    while (!isAtLimit()) {
      if (length < keyLength || !automaton.isVariable(state())) {
        if (!pushAtMost(0xff)) {
          return;
        }
      } else {
        int part = state().part;
        pushLargestEnding();
        if (state().part == part) {
          return;
        }
      }
    }
  }

  /** Appends as much as is possible of that ending of the segment which leads furthest up. */
  private void pushLargestEnding() {
    int before = length;
    byte[] largest = prefix();
    for (byte[] ending : automaton.possibleEndings(state())) {
      for (byte b : ending) {
        if (!push(b & 0xff)) {
          break; // a salt that the end of the segment makes known to be wrong
        }
      }
      byte[] reached = prefix();
      largest = ByteRanges.compare(reached, largest) > 0 ? reached : largest;
      truncate(before);
    }
    follow(largest);
  }

  /** Compares the derived segments whose last input has just become complete. */
  private boolean saltsMatch(int partBefore, int partNow) {
    for (DerivedValue value : layout.derived()) {
      int needed = value.lastNeeded(layout.parts().size());
      if (partBefore <= needed && needed < partNow && !value.matches(path, 0, length)) {
        return false;
      }
    }
    return true;
  }

  private void ensureCapacity() {
    if (length + 1 == states.length) {
      states = Arrays.copyOf(states, 2 * states.length);
      path = Arrays.copyOf(path, 2 * path.length);
    }
  }
}
