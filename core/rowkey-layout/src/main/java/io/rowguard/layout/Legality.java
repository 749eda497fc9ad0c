package io.rowguard.layout;

/** Whether a key is a legal region boundary, and if not, where and why. Immutable. */
public final class Legality {
  static final Legality LEGAL = new Legality(-1, "a legal boundary", false);

  private final int offset;
  private final String reason;
  private final boolean cutsGroup;

  private Legality(int offset, String reason, boolean cutsGroup) {
    this.offset = offset;
    this.reason = reason;
    this.cutsGroup = cutsGroup;
  }

  static Legality illegal(int offset, String reason) {
    return new Legality(offset, reason, false);
  }

  /**
   * @param groups whether groups can have several rows
   */
  static Legality beyondGroup(int offset, boolean groups) {
    return new Legality(offset, "it reaches beyond the end of an entity group", groups);
  }

  /** Whether a region may start or end at the key. */
  public boolean isLegal() {
    return offset < 0;
  }

  /**
   * Whether one entity group may have rows on both sides of the key. Other illegal keys divide rows
   * as the next legal one above does: no conforming row lies between the two.
   */
  public boolean cutsGroup() {
    return cutsGroup;
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
