package io.rowguard.client;

import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.io.TimeRange;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Condition;

/**
 * A condition on a column of a row, by its bare key, as {@code MultiRowMutationEndpoint} evaluates
 * it. Immutable and thread-safe.
 *
 * <p>The endpoint has the given value on the left of the operator. With an empty value it does not
 * look at the operator: it asks whether there is no value, or an empty one ({@code
 * MultiRowMutationEndpoint#matches} of 2.6.1).
 */
final class RowCondition {
  private static final byte[] NO_VALUE = new byte[0];

  /** No other value but the empty one is less. */
  private static final byte[] LEAST_VALUE = new byte[1];

  private final byte[] row;
  private final byte[] family;
  private final byte[] qualifier;
  private final CompareOperator fromTheLeft;
  private final byte[] value;

  private RowCondition(
      byte[] row, byte[] family, byte[] qualifier, CompareOperator fromTheLeft, byte[] value) {
    this.row = row;
    this.family = family;
    this.qualifier = qualifier;
    this.fromTheLeft = fromTheLeft;
    this.value = value;
  }

  /** The condition that the stored value stands in a relation to another one. */
  static RowCondition compared(
      byte[] row, byte[] family, byte[] qualifier, CompareOperator operator, byte[] value) {
    Objects.requireNonNull(value, "value");
    if (value.length == 0) {
      throw new IllegalArgumentException(
          "HBase compares with no empty value. Ask exists() or doesNotExist(): a column with an"
              + " empty value counts as one without.");
    }
    return new RowCondition(row, family, qualifier, turned(operator), value.clone());
  }

  static RowCondition exists(byte[] row, byte[] family, byte[] qualifier) {
    return compared(row, family, qualifier, CompareOperator.GREATER_OR_EQUAL, LEAST_VALUE);
  }

  static RowCondition missing(byte[] row, byte[] family, byte[] qualifier) {
    return new RowCondition(row, family, qualifier, CompareOperator.EQUAL, NO_VALUE);
  }

  /** The operator that says the same with its sides exchanged. */
  private static CompareOperator turned(CompareOperator operator) {
    switch (Objects.requireNonNull(operator, "operator")) {
      case LESS:
        return CompareOperator.GREATER;
      case LESS_OR_EQUAL:
        return CompareOperator.GREATER_OR_EQUAL;
      case GREATER_OR_EQUAL:
        return CompareOperator.LESS_OR_EQUAL;
      case GREATER:
        return CompareOperator.LESS;
      case EQUAL:
      case NOT_EQUAL:
        return operator;
      default:
        throw new IllegalArgumentException("This operator compares nothing. operator=" + operator);
    }
  }

  /** The bare key of the row. */
  byte[] row() {
    return row;
  }

  /**
   * The condition as it travels.
   *
   * @param stored the row that is stored for the bare key
   */
  Condition on(byte[] stored) throws IOException {
    return ProtobufUtil.toCondition(
        stored, family, qualifier, fromTheLeft, value, TimeRange.allTime());
  }
}
