package io.rowguard.load;

/**
 * A row or an entity group that had a counter of its own, and how much load it has. Weights are
 * sampled operations, each halved per half-life that it is old. Immutable.
 */
public final class HeavyKey {
  private final byte[] key;
  private final int length;
  private final double reads;
  private final double writes;
  private final double error;

  HeavyKey(byte[] key, int length, double reads, double writes, double error) {
    this.key = key;
    this.length = length;
    this.reads = reads;
    this.writes = writes;
    this.error = error;
  }

  /** The key's first bytes: all of them when there are as many as {@link #length}. */
  public byte[] key() {
    return key.clone();
  }

  /** How many bytes the whole key has. */
  public int length() {
    return length;
  }

  /** Whether {@link #key} has all bytes. */
  public boolean isWhole() {
    return key.length == length;
  }

  /** The weight of its reads since it has its counter. */
  public double reads() {
    return reads;
  }

  /** The weight of its writes since it has its counter. */
  public double writes() {
    return writes;
  }

  /** The weight that it may have had before, of reads and writes together, at most. */
  public double error() {
    return error;
  }

  /** The weight that it has at least. */
  public double atLeast() {
    return reads + writes;
  }

  /** The weight that it has at most, but for {@link LoadSnapshot#lost}. */
  public double atMost() {
    return reads + writes + error;
  }
}
