package io.rowguard.tools.keys;

/** Ids that count up, after their remainder. */
public final class PartitionedIds extends BuiltInGenerator {
  /** For {@link java.util.ServiceLoader}. */
  public PartitionedIds() {
    super(
        "partitioned-id",
        "ids that count up, after id % 20",
        "{part:uint64=id%20}{id:uint64}",
        "id",
        "seq(1)");
  }
}
