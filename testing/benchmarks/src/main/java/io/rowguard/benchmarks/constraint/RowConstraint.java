package io.rowguard.benchmarks.constraint;

import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.constraint.Constraint;
import org.apache.hadoop.hbase.constraint.ConstraintException;
import org.apache.hadoop.hbase.util.Bytes;

/** A constraint that looks at the row alone, as text. */
abstract class RowConstraint extends Configured implements Constraint {
  @Override
  public final void check(Put put) throws ConstraintException {
    String row = Bytes.toString(put.getRow());
    if (!isRight(row)) {
      throw new ConstraintException("Bad row: " + row);
    }
  }

  /** Whether a row may be written. */
  abstract boolean isRight(String row);

  static boolean isHex(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
        return false;
      }
    }
    return true;
  }

  static boolean isWord(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if ((c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && c != '_') {
        return false;
      }
    }
    return !text.isEmpty();
  }

  /** Whether bytes that were no UTF-8 went into a text. */
  static boolean isDamaged(String text) {
    return text.indexOf('\ufffd') >= 0;
  }
}
