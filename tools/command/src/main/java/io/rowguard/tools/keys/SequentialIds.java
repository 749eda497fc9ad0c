package io.rowguard.tools.keys;

/** Ids that count up, as a database's or a sequence's do. */
public final class SequentialIds extends BuiltInGenerator {
  /** For {@link java.util.ServiceLoader}. */
  public SequentialIds() {
    super("sequential", "ids that count up", "{id:uint64}", "id", "seq(1)");
  }
}
