package io.rowguard.layout;

import java.math.BigInteger;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Source of a derived segment; no hash: a segment's own number; no names: "*". The hash "any" is
 * none: a writer chooses.
 *
 * @param way the word for the remainder of the hash, or null for the hash's usual one
 * @param said what of each of the names goes in: "id", "first 4 of id", "id as decimal", ...
 * @param divisor what the hash is divided by, or 0; {@code buckets} is then how many quotients
 *     there are
 * @param plus the second term of a sum, or null
 * @param by the segment that decides which step it is; null where there are none
 */
record SlowSource(
    String hash,
    String way,
    List<String> names,
    List<String> said,
    int buckets,
    long divisor,
    SlowSource plus,
    String by,
    List<Step> steps) {
  SlowSource(String hash, List<String> names, int buckets) {
    this(hash, null, names, names, buckets, 0, null, null, List.of());
  }

  /** The quotient of the hash by a number instead of what it was. */
  SlowSource over(String otherWay, long number) {
    SlowSource quotient = dividedBy(otherWay);
    int quotients = SlowHash.quotients(SlowHash.way(hash, otherWay), number);
    return new SlowSource(
        hash, quotient.way, names, said, quotients, number, null, null, List.of());
  }

  /** The same with another hash in this term, which has to be one. */
  SlowSource hashedBy(String other) {
    return new SlowSource(other, way, names, said, buckets, divisor, plus, by, steps);
  }

  /** The same with the remainder taken in another way. */
  SlowSource dividedBy(String otherWay) {
    String word = SlowHash.usualWay(hash).equals(otherWay) ? null : otherWay;
    return new SlowSource(hash, word, names, said, buckets, divisor, plus, by, steps);
  }

  /** The same with other bytes of its segments in this term. */
  SlowSource saying(List<String> others) {
    return new SlowSource(hash, way, names, others, buckets, divisor, plus, by, steps);
  }

  /** The same with another second term. */
  SlowSource plus(SlowSource other) {
    return new SlowSource(hash, way, names, said, buckets, divisor, other, by, steps);
  }

  /** The same with other steps. */
  SlowSource withSteps(String otherBy, List<Step> others) {
    return new SlowSource(hash, way, names, said, buckets, divisor, plus, otherBy, others);
  }

  /** Any of so many values. */
  static SlowSource any(int buckets) {
    return new SlowSource("any", List.of(), buckets);
  }

  boolean isAny() {
    return "any".equals(hash);
  }

  boolean hasChoice() {
    return isAny() || (plus != null && plus.isAny());
  }

  boolean isModulo() {
    return buckets > 0;
  }

  /** How many salts can be written. */
  int most() {
    return steps.isEmpty() ? buckets : steps.get(steps.size() - 1).buckets;
  }

  boolean needsWholeKey() {
    return (names.isEmpty() && !isAny()) || (plus != null && plus.needsWholeKey());
  }

  /** The names of all that goes in, but for "*". */
  Set<String> needs() {
    Set<String> needs = new LinkedHashSet<>(names);
    if (plus != null) {
      needs.addAll(plus.needs());
    }
    if (by != null) {
      needs.add(by);
    }
    return needs;
  }

  private List<String> said(Random blanks) {
    return said.stream().map(input -> input.replace(" ", " " + SlowModel.blank(blanks))).toList();
  }

  String text(Random blanks) {
    String inside =
        names.isEmpty() ? "*" : String.join(SlowModel.spaced(",", blanks), said(blanks));
    String hashed = SlowModel.spaced("(", blanks) + inside + SlowModel.blank(blanks) + ")";
    StringBuilder text = new StringBuilder(hash == null ? inside : hash + hashed);
    if (isAny()) {
      text.setLength(0);
      text.append("any ")
          .append(SlowModel.blank(blanks))
          .append("of ")
          .append(SlowModel.blank(blanks));
      text.append(buckets);
    }
    boolean isSaidAnyway = blanks != null && hash != null && !isAny() && blanks.nextInt(4) == 0;
    if (isModulo() && (way != null || isSaidAnyway)) {
      text.append(' ').append(SlowModel.blank(blanks)).append(SlowHash.way(hash, way));
    }
    if (divisor > 0) {
      text.append(SlowModel.spaced("/", blanks)).append(divisor);
    } else if (isModulo() && !isAny()) {
      text.append(SlowModel.spaced("%", blanks)).append(buckets);
    }
    if (plus != null) {
      text.append(SlowModel.spaced("+", blanks)).append(plus.text(blanks));
    }
    for (Step step : steps) {
      text.append(SlowModel.spaced(",", blanks))
          .append(step.buckets)
          .append(" from ")
          .append(SlowModel.blank(blanks));
      text.append(by).append(SlowModel.spaced("=", blanks)).append(step.from);
    }
    return text.toString();
  }

  /** So many buckets where the number of a segment is at least this. */
  record Step(int buckets, BigInteger from) {}
}
