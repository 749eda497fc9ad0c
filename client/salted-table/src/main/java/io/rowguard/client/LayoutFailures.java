package io.rowguard.client;

import io.rowguard.config.OtherPlaceException;
import io.rowguard.config.StaleLayoutException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;

/**
 * Finds in a failure that the layout of the table has changed: a {@link StaleLayoutException} or an
 * {@link OtherPlaceException}. What fails so was not carried out.
 *
 * <p>It is the failure itself, a cause, or in a batch of HBase 2 the cause of one of its actions.
 */
final class LayoutFailures {
  private LayoutFailures() {}

  /** Whether there is one of the two. */
  static boolean isIn(Throwable failure) {
    return isOtherPlaceIn(failure)
        || has(failure, one -> one instanceof StaleLayoutException, seen());
  }

  /** Whether a write was sent to the row of the layout that does not take it. */
  static boolean isOtherPlaceIn(Throwable failure) {
    return has(failure, OtherPlaceException::isSaidBy, seen());
  }

  private static Set<Throwable> seen() {
    return Collections.newSetFromMap(new IdentityHashMap<>());
  }

  /**
   * @param seen so that causes in a circle come to an end
   */
  private static boolean has(Throwable failure, Predicate<Throwable> type, Set<Throwable> seen) {
    for (Throwable one = failure; one != null && seen.add(one); one = one.getCause()) {
      if (type.test(one)) {
        return true;
      }
      if (one instanceof RetriesExhaustedWithDetailsException) {
        for (Throwable cause : ((RetriesExhaustedWithDetailsException) one).getCauses()) {
          if (has(cause, type, seen)) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
