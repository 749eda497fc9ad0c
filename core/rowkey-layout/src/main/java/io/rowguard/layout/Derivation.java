package io.rowguard.layout;

import java.math.BigInteger;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * How a derived segment gets its value, such as {@code murmur3(user)%16}: a hash over other
 * segments (or over the whole bare key, {@code *}), or the number that one segment holds, and what
 * is taken of it. Immutable.
 *
 * <p>A second term may be added to the first before the remainder is taken, as in {@code
 * murmur3(tenant)%64+murmur3(item)%4}; and the number of buckets may rise with a segment, as in
 * {@code murmur3(*)%16,64 from day=20261201}.
 *
 * <p>Instead of the remainder a hash may give a quotient, {@code string31(user)/100000000}: its
 * buckets are as many as there are quotients.
 *
 * <p>Instead of a term may stand {@code any of 16}: writers choose a number below that, at random
 * or in turns, and each is right. So one bare key may have several rows ({@link #hasChoice}).
 */
public final class Derivation {
  /** Stands for a derivation without {@code %}. */
  static final int NO_BUCKETS = 0;

  /** Stands for a derivation without {@code /}. */
  static final long NO_DIVISOR = 0;

  /** The fewest buckets that make sense. */
  public static final int MIN_BUCKETS = 2;

  /** The most buckets. */
  public static final int MAX_BUCKETS = 65536;

  /** The most steps in which the buckets may rise. */
  public static final int MAX_STEPS = 8;

  private final boolean isAny;
  private final Hash hash;
  private final Remainder remainder;
  private final List<HashInput> inputs;
  private final List<String> inputNames;
  private final int firstBuckets;
  private final long divisor;
  private final Derivation second;
  private final String stepSegment;
  private final List<BucketStep> steps;

  /**
   * @param hash the hash, or null to take the number of the one input segment
   * @param remainder which remainder of the hash is taken; null where none is
   * @param inputs the input segments; empty for the whole bare key
   * @param buckets the number after {@code %}, or {@link #NO_BUCKETS}
   */
  Derivation(Hash hash, Remainder remainder, List<HashInput> inputs, int buckets) {
    this(false, hash, remainder, inputs, buckets, NO_DIVISOR, null, null, noSteps());
  }

  /** Any of so many buckets. */
  static Derivation any(int buckets) {
    List<HashInput> nothing = Collections.emptyList();
    return new Derivation(true, null, null, nothing, buckets, NO_DIVISOR, null, null, noSteps());
  }

  /**
   * The quotient of a hash.
   *
   * @param divisor one that leaves {@link #MIN_BUCKETS} to {@link #MAX_BUCKETS} quotients
   */
  static Derivation quotient(Hash hash, Remainder remainder, List<HashInput> inputs, long divisor) {
    int buckets = (int) remainder.quotients(divisor);
    return new Derivation(false, hash, remainder, inputs, buckets, divisor, null, null, noSteps());
  }

  private static List<BucketStep> noSteps() {
    return Collections.emptyList();
  }

  private Derivation(
      boolean isAny,
      Hash hash,
      Remainder remainder,
      List<HashInput> inputs,
      int buckets,
      long divisor,
      Derivation second,
      String stepSegment,
      List<BucketStep> steps) {
    this.isAny = isAny;
    this.hash = hash;
    this.remainder = remainder;
    this.inputs = Collections.unmodifiableList(inputs);
    this.inputNames =
        Collections.unmodifiableList(
            inputs.stream().map(HashInput::name).collect(Collectors.toList()));
    this.firstBuckets = buckets;
    this.divisor = divisor;
    this.second = second;
    this.stepSegment = stepSegment;
    this.steps = Collections.unmodifiableList(steps);
  }

  /** This derivation with a second term that is added to it. */
  Derivation plus(Derivation second) {
    return new Derivation(
        isAny, hash, remainder, inputs, firstBuckets, divisor, second, stepSegment, steps);
  }

  /** This derivation with more buckets from values of a segment on. */
  Derivation withSteps(String stepSegment, List<BucketStep> steps) {
    return new Derivation(
        isAny, hash, remainder, inputs, firstBuckets, divisor, second, stepSegment, steps);
  }

  /** Whether the first term is {@code any of} its buckets, and nothing goes into it. */
  public boolean isAny() {
    return isAny;
  }

  /** Whether a writer chooses the value, of all buckets or among neighbours. */
  public boolean hasChoice() {
    return isAny || (second != null && second.isAny);
  }

  /**
   * The hash, or null where the number of one segment is taken as it is, or any; of the first term.
   */
  public Hash hash() {
    return hash;
  }

  /** Which remainder or quotient of the hash is taken; null where none is; of the first term. */
  public Remainder remainder() {
    return remainder;
  }

  /** Whether the input of the first term is the whole bare key, {@code *}. */
  public boolean isOverBareKey() {
    return inputs.isEmpty() && !isAny;
  }

  /**
   * The names of the input segments of the first term in the order they are hashed; empty for
   * {@code *} and for any value.
   */
  public List<String> inputs() {
    return inputNames;
  }

  /** Form in which each of {@link #inputs} is hashed. */
  public List<HashInput> hashInputs() {
    return inputs;
  }

  /** Whether the value is a number below {@link #buckets()}. */
  public boolean hasBuckets() {
    return firstBuckets != NO_BUCKETS;
  }

  /**
   * How many values there are: the number after {@code %}, or that of the last step, or the number
   * of quotients; 2 to 65536, or 0 when there is none.
   */
  public int buckets() {
    return steps.isEmpty() ? firstBuckets : steps.get(steps.size() - 1).buckets();
  }

  /**
   * The number after {@code %}, which is that of the rows below all steps; 0 when there is none.
   */
  public int firstBuckets() {
    return firstBuckets;
  }

  /** Whether the value is the quotient of the hash by the {@link #divisor}. */
  public boolean isQuotient() {
    return divisor != NO_DIVISOR;
  }

  /** The number after {@code /}; 0 when there is none. */
  public long divisor() {
    return divisor;
  }

  /**
   * The second term, which is added to the first before the remainder is taken; null when there is
   * none. Its buckets are how many one value of the first term is spread over.
   */
  public Derivation second() {
    return second;
  }

  /** The name of the segment whose value decides on the buckets; null when none does. */
  public String stepSegment() {
    return stepSegment;
  }

  /** From which values on there are more buckets, both ascending; empty when they stay the same. */
  public List<BucketStep> steps() {
    return steps;
  }

  /**
   * Whether every value that another derivation gives or allows is one of this: the two are equal,
   * or writers choose here, from all of those.
   *
   * @param other of the same segment, in a layout of the same plain segments
   */
  boolean allowsAllOf(Derivation other) {
    if (isAny) {
      return other.hasBuckets() && second == null && hasNoFewerBuckets(other);
    }
    boolean choosesAll =
        second != null
            && second.isAny
            && (other.second == null
                || (other.second.isAny && other.second.firstBuckets <= second.firstBuckets));
    return equals(other) || (choosesAll && plus(null).equals(other.plus(null)));
  }

  private boolean hasNoFewerBuckets(Derivation other) {
    if (firstBuckets >= other.buckets()) {
      return true;
    }
    boolean none =
        firstBuckets >= other.firstBuckets && Objects.equals(stepSegment, other.stepSegment);
    for (BucketStep step : other.steps) {
      none &= bucketsAt(step.from()) >= step.buckets();
    }
    return none;
  }

  /** The buckets of rows in which the segment that decides has this value. */
  private int bucketsAt(BigInteger value) {
    int buckets = firstBuckets;
    for (BucketStep step : steps) {
      buckets = step.from().compareTo(value) > 0 ? buckets : step.buckets();
    }
    return buckets;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Derivation)) {
      return false;
    }
    Derivation that = (Derivation) other;
    return isAny == that.isAny
        && hash == that.hash
        && remainder == that.remainder
        && inputs.equals(that.inputs)
        && firstBuckets == that.firstBuckets
        && divisor == that.divisor
        && Objects.equals(second, that.second)
        && Objects.equals(stepSegment, that.stepSegment)
        && steps.equals(that.steps);
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        isAny, hash, remainder, inputs, firstBuckets, divisor, second, stepSegment, steps);
  }

  /** This derivation as it stands in a layout's text. */
  @Override
  public String toString() {
    String input =
        inputs.isEmpty()
            ? "*"
            : inputs.stream().map(HashInput::toString).collect(Collectors.joining(","));
    StringBuilder text = new StringBuilder();
    text.append(isAny ? "any of " : hash == null ? input : hash.text() + "(" + input + ")");
    if (remainder != null && remainder != hash.remainder()) {
      text.append(' ').append(remainder.text());
    }
    if (isQuotient()) {
      text.append('/').append(divisor);
    } else if (hasBuckets()) {
      text.append(isAny ? "" : "%").append(firstBuckets);
    }
    if (second != null) {
      text.append('+').append(second);
    }
    for (BucketStep step : steps) {
      text.append(',').append(step.buckets()).append(" from ").append(stepSegment);
      text.append('=').append(step.from());
    }
    return text.toString();
  }
}
