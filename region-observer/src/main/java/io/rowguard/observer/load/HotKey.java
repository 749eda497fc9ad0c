package io.rowguard.observer.load;

/** A hot row or entity group as JMX shows it. Immutable. */
public final class HotKey {
  private final String key;
  private final int length;
  private final double share;
  private final double readsPerSecond;
  private final double writesPerSecond;
  private final double errorPerSecond;

  HotKey(
      String key,
      int length,
      double share,
      double readsPerSecond,
      double writesPerSecond,
      double errorPerSecond) {
    this.key = key;
    this.length = length;
    this.share = share;
    this.readsPerSecond = readsPerSecond;
    this.writesPerSecond = writesPerSecond;
    this.errorPerSecond = errorPerSecond;
  }

  /**
   * The first 64 bytes, as HBase's shell writes them; or, where keys are hidden, {@code #} and 16
   * hex digits.
   */
  public String getKey() {
    return key;
  }

  /** How many bytes the whole key has. */
  public int getLength() {
    return length;
  }

  /** The share of the region's load that it has at least. */
  public double getShare() {
    return share;
  }

  /** How often it is read, at least. */
  public double getReadsPerSecond() {
    return readsPerSecond;
  }

  /** How often it is written, at least. */
  public double getWritesPerSecond() {
    return writesPerSecond;
  }

  /** How much more it may be read and written, together, at most. */
  public double getErrorPerSecond() {
    return errorPerSecond;
  }
}
