package io.rowguard.layout;

import java.util.Collections;
import java.util.List;
import java.util.Objects;

/**
 * How a derived segment gets its value, such as {@code murmur3(user)%16}: a hash over other
 * segments (or over the whole bare key, {@code *}), or the number that one segment holds, and what
 * is taken of it. Immutable.
 */
public final class Derivation {
  /** Stands for a derivation without {@code %}. */
  static final int NO_BUCKETS = 0;

  /** The fewest buckets that make sense. */
  public static final int MIN_BUCKETS = 2;

  /** The most buckets. */
  public static final int MAX_BUCKETS = 65536;

  private final Hash hash;
  private final List<String> inputs;
  private final int buckets;

  /**
   * @param hash the hash, or null to take the number of the one input segment
   * @param inputs the names of the input segments; empty for the whole bare key
   * @param buckets the number after {@code %}, or {@link #NO_BUCKETS}
   */
  Derivation(Hash hash, List<String> inputs, int buckets) {
    this.hash = hash;
    this.inputs = Collections.unmodifiableList(inputs);
    this.buckets = buckets;
  }

  /** The hash, or null where the number of one segment is taken as it is. */
  public Hash hash() {
    return hash;
  }

  /** Whether the input is the whole bare key, {@code *}. */
  public boolean isOverBareKey() {
    return inputs.isEmpty();
  }

  /** The names of the input segments in the order they are hashed; empty for {@code *}. */
  public List<String> inputs() {
    return inputs;
  }

  /** Whether the value is a number below {@link #buckets()}. */
  public boolean hasBuckets() {
    return buckets != NO_BUCKETS;
  }

  /** The number after {@code %}, 2 to 65536, or 0 when there is none. */
  public int buckets() {
    return buckets;
  }

  @Override
  public boolean equals(Object other) {
    if (!(other instanceof Derivation)) {
      return false;
    }
    Derivation that = (Derivation) other;
    return hash == that.hash && inputs.equals(that.inputs) && buckets == that.buckets;
  }

  @Override
  public int hashCode() {
    return Objects.hash(hash, inputs, buckets);
  }

  /** This derivation as it stands in a layout's text. */
  @Override
  public String toString() {
    String input = inputs.isEmpty() ? "*" : String.join(",", inputs);
    String source = hash == null ? input : hash.text() + "(" + input + ")";
    return hasBuckets() ? source + "%" + buckets : source;
  }
}
