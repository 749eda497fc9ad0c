package io.rowguard.observer;

import static io.rowguard.observer.GuardedTable.F;
import static io.rowguard.observer.GuardedTable.Q;
import static io.rowguard.observer.Writes.bytes;

import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ValueFilter;
import org.apache.hadoop.hbase.util.Bytes;

/** Every form of condition, on a row that holds {@code v}. */
public enum Condition {
  EQUALS(true, check -> check.ifEquals(F, Q, Bytes.toBytes("v"))),
  NOT_EQUALS(false, check -> check.ifEquals(F, Q, Bytes.toBytes("other"))),
  ABSENT(false, check -> check.ifNotExists(F, Q)),
  OTHER_ABSENT(true, check -> check.ifNotExists(F, Bytes.toBytes("other"))),
  OPERATOR_LESS(true, matches(CompareOperator.LESS, "u")),
  OPERATOR_LESS_OR_EQUAL(true, matches(CompareOperator.LESS_OR_EQUAL, "v")),
  OPERATOR_EQUAL(true, matches(CompareOperator.EQUAL, "v")),
  OPERATOR_NOT_EQUAL(true, matches(CompareOperator.NOT_EQUAL, "u")),
  OPERATOR_GREATER_OR_EQUAL(true, matches(CompareOperator.GREATER_OR_EQUAL, "v")),
  OPERATOR_GREATER(true, matches(CompareOperator.GREATER, "w")),
  OPERATOR_GREATER_NOT_MET(false, matches(CompareOperator.GREATER, "u")),
  FILTER(true, check -> check.ifMatches(valueIs("v"))),
  FILTER_NOT_MET(false, check -> check.ifMatches(valueIs("other")));

  private final boolean met;

  @SuppressWarnings("ImmutableEnumChecker") // the functions above keep no state
  private final UnaryOperator<CheckAndMutate.Builder> condition;

  Condition(boolean met, UnaryOperator<CheckAndMutate.Builder> condition) {
    this.met = met;
    this.condition = condition;
  }

  /** Whether it holds. */
  boolean met() {
    return met;
  }

  CheckAndMutate.Builder on(String row) {
    return condition.apply(CheckAndMutate.newBuilder(bytes(row)));
  }

  /** HBase has the wanted value on the left: LESS holds when it is less than what is stored. */
  private static UnaryOperator<CheckAndMutate.Builder> matches(
      CompareOperator operator, String value) {
    return check -> check.ifMatches(F, Q, operator, Bytes.toBytes(value));
  }

  private static ValueFilter valueIs(String value) {
    return new ValueFilter(CompareOperator.EQUAL, new BinaryComparator(Bytes.toBytes(value)));
  }
}
