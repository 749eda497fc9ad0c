package io.rowguard.tools.keys;

/** Ids that count up, written back to front. */
public final class ReversedIds extends BuiltInGenerator {
  /** For {@link java.util.ServiceLoader}. */
  public ReversedIds() {
    super(
        "reversed-id",
        "ids that count up, back to front",
        "{id:digits(12) reversed}",
        "id",
        "seq(1)");
  }
}
