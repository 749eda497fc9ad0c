package io.rowguard.tools.keys;

/** The states of orders: the order number back to front, then the time, newest first. */
public final class ReversedIdsNewestFirst extends BuiltInGenerator {
  /** For {@link java.util.ServiceLoader}. */
  public ReversedIdsNewestFirst() {
    super(
        "reversed-id-newest",
        "order numbers back to front, four states of each, newest first",
        "{order:digits(12) reversed}{time:millis descending}",
        "order",
        "each(4)",
        "time",
        "clock(1000)");
  }
}
