package io.rowguard.observer.decide;

import java.util.function.Supplier;

/** The verdict on one mutation that comes to a region. Immutable. */
public final class Decision {
  /** The kinds of decisions. */
  enum Kind {
    /** The mutation conforms, and is stored. */
    WRITE,
    /** The mutation does not conform, and is stored all the same. */
    ALLOW,
    /** The mutation is not stored. */
    REFUSE,
    /** The mutation is stored under another row, once the locks of its batch are gone. */
    FORWARD
  }

  public static final Decision WRITE = new Decision(Kind.WRITE, null, null);
  static final Decision ALLOW = new Decision(Kind.ALLOW, null, null);

  private final Kind kind;
  private final byte[] otherRow;
  private final Supplier<Refusal> refusal;

  private Decision(Kind kind, byte[] otherRow, Supplier<Refusal> refusal) {
    this.kind = kind;
    this.otherRow = otherRow;
    this.refusal = refusal;
  }

  public static Decision refuse(Refusal refusal) {
    return new Decision(Kind.REFUSE, null, () -> refusal);
  }

  /**
   * The decision to store a mutation elsewhere.
   *
   * @param otherwise makes the refusal for a batch whose rows must be stored together; asked once
   */
  public static Decision forward(byte[] otherRow, Supplier<Refusal> otherwise) {
    return new Decision(Kind.FORWARD, otherRow, otherwise);
  }

  Kind kind() {
    return kind;
  }

  /** Whether the region stores the mutation itself. */
  boolean isStored() {
    return kind == Kind.WRITE || kind == Kind.ALLOW;
  }

  /** The row that a forwarded mutation is stored under; else null. */
  byte[] otherRow() {
    return otherRow;
  }

  /** Why the mutation is refused, or would be if it could not be forwarded; not for other kinds. */
  Refusal refusal() {
    return refusal.get();
  }
}
