package io.rowguard.tools.keys;

/** Events whose key begins with their time. */
public final class TimestampedIds extends BuiltInGenerator {
  /** For {@link java.util.ServiceLoader}. */
  public TimestampedIds() {
    super(
        "timestamped",
        "the time first, then an id",
        "{time:millis}{id:uint32}",
        "time",
        "clock(1000)",
        "id",
        "uniform(1000000)");
  }
}
