package io.rowguard.layout;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Random;
import java.util.Set;

/**
 * Looks for a string that reads both as a salted row and as a bare key, or as a row of each of two
 * salted layouts.
 *
 * <p>It walks both automata side by side through every pair of states that one string can lead to.
 * Salts count as right whatever they are: a hash takes every value sooner or later.
 */
final class Ambiguity {
  /** Enough for every layout of practical size; beyond it the answer is the cautious one. */
  private static final int MOST_PAIRS = 20_000;

  private static final int MOST_WALKS = 3_000;
  private static final int LONGEST_WALK = 40;

  private Ambiguity() {}

  /** Whether no string reads both ways; false also when that could not be settled. */
  static boolean isExcluded(RowkeyLayout salted, RowkeyLayout bare) {
    PrefixAutomaton saltedRows = new PrefixAutomaton(salted.parts());
    PrefixAutomaton bareRows = new PrefixAutomaton(bare.parts());
    Set<Pair> seen = new HashSet<>();
    Deque<Pair> open = new ArrayDeque<>();
    Pair start = new Pair(saltedRows.start(), bareRows.start());
    seen.add(start);
    open.add(start);
    while (!open.isEmpty()) {
      Pair pair = open.remove();
      if (saltedRows.isComplete(pair.salted) && bareRows.isComplete(pair.bare)) {
        return false;
      }
      for (int b = 0; b <= 0xff; b++) {
        PrefixState nextSalted = saltedRows.next(pair.salted, (byte) b);
        PrefixState nextBare = nextSalted == null ? null : bareRows.next(pair.bare, (byte) b);
        if (nextBare != null) {
          Pair next = new Pair(nextSalted, nextBare);
          if (seen.add(next)) {
            open.add(next);
          }
        }
      }
      if (seen.size() > MOST_PAIRS) {
        return false;
      }
    }
    return true;
  }

  /**
   * A string that is both a salted row, salt right and all, and a bare key, or such a row of both
   * layouts; null when none was found. It walks through both automata at random, always in the same
   * way for the same layout.
   */
  static byte[] example(RowkeyLayout salted, RowkeyLayout bare) {
    PrefixAutomaton saltedRows = new PrefixAutomaton(salted.parts());
    PrefixAutomaton bareRows = new PrefixAutomaton(bare.parts());
    Random random = new Random(1);
    byte[] usual = usualBytes(salted);
    for (int i = 0; i < MOST_WALKS; i++) {
      Pair pair = new Pair(saltedRows.start(), bareRows.start());
      ByteArrayOutputStream walked = new ByteArrayOutputStream();
      while (pair != null && walked.size() < LONGEST_WALK) {
        pair = step(saltedRows, bareRows, pair, walked, usual, random);
        byte[] key = walked.toByteArray();
        if (salted.check(key).conforms() && bare.check(key).conforms()) {
          return key;
        }
      }
    }
    return null;
  }

  /**
   * One more byte that both can go on with, a usual one where possible; null when there is none.
   */
  private static Pair step(
      PrefixAutomaton saltedRows,
      PrefixAutomaton bareRows,
      Pair pair,
      ByteArrayOutputStream walked,
      byte[] usual,
      Random random) {
    int any = random.nextInt(0x100);
    for (int i = 0; i < usual.length + 0x100; i++) {
      byte b = i < usual.length ? usual[random.nextInt(usual.length)] : (byte) (any + i);
      PrefixState nextSalted = saltedRows.next(pair.salted, b);
      PrefixState nextBare = nextSalted == null ? null : bareRows.next(pair.bare, b);
      if (nextBare != null) {
        walked.write(b);
        return new Pair(nextSalted, nextBare);
      }
    }
    return null;
  }

  /** Digits, letters, and what the layout's literals consist of. */
  private static byte[] usualBytes(RowkeyLayout layout) {
    StringBuilder bytes = new StringBuilder("0123456789abcdefghijABCDEF");
    for (Part part : layout.parts()) {
      if (part instanceof Literal) {
        bytes.append(new String(((Literal) part).shared(), StandardCharsets.ISO_8859_1));
      }
    }
    return bytes.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The pair of states to which one string leads in the two automata. */
  private static final class Pair {
    final PrefixState salted;
    final PrefixState bare;

    Pair(PrefixState salted, PrefixState bare) {
      this.salted = salted;
      this.bare = bare;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Pair
          && salted.equals(((Pair) other).salted)
          && bare.equals(((Pair) other).bare);
    }

    @Override
    public int hashCode() {
      return Objects.hash(salted, bare);
    }
  }
}
