package io.rowguard.tools.keys;

/** Events of a few kinds, salted by the whole key. */
public final class SaltedEvents extends BuiltInGenerator {
  /** For {@link java.util.ServiceLoader}. */
  public SaltedEvents() {
    super(
        "salted-event",
        "events of 50 kinds, salted over 100 buckets",
        "{salt:digits(2)=murmur3(*)%100}{event:digits(4)}{date:digits(8)}{offset:uint64}",
        "event",
        "zipf(50)",
        "date",
        "day(1000)",
        "offset",
        "seq");
  }
}
