package io.rowguard.layout;

/** Whether a key is a legal region boundary, and if not, where and why. Immutable. */
public final class Legality {
  static final Legality LEGAL = new Legality(-1, "a legal boundary");

  private final int offset;
  private final String reason;

  private Legality(int offset, String reason) {
    this.offset = offset;
    this.reason = reason;
  }

  static Legality illegal(int offset, String reason) {
    return new Legality(offset, reason);
  }

  /** Whether a region may start or end at the key. */
  public boolean isLegal() {
    return offset < 0;
  }

  /** The first byte that makes the key illegal, counted from 0; -1 when it is legal. */
  public int offset() {
    return offset;
  }

  /** Why, as a fixed clause. */
  public String reason() {
    return reason;
  }

  @Override
  public String toString() {
    return isLegal() ? reason : reason + " offset=" + offset;
  }
}
