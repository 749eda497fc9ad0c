package io.rowguard.observer.relayout;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * The result of a row's pull on a mutation, carried from the first hook that sees it, which pulls,
 * to the last one before it is stored, under the row's lock. It is an attribute whose value is
 * compared by identity, which no client can forge. One per region instance; thread-safe.
 */
public final class PullMark {
  private static final String ATTRIBUTE = "rowguard.pulled";

  private final byte[] pulled = {1};
  private final byte[] notYet = {2};

  /** Marks a mutation with the result of its row's pull. */
  void set(Mutation mutation, Pulled what) {
    switch (what.outcome()) {
      case FAILED:
        mutation.setAttribute(ATTRIBUTE, what.words().getBytes(StandardCharsets.UTF_8));
        break;
      case NOT_YET:
        mutation.setAttribute(ATTRIBUTE, notYet);
        break;
      default:
        mutation.setAttribute(ATTRIBUTE, pulled);
        break;
    }
  }

  /** Whether the row of a mutation is pulled. Allocates nothing. */
  boolean isPulled(Mutation mutation) {
    return mutation.getAttribute(ATTRIBUTE) == pulled;
  }

  /** Whether the old row of a mutation's row takes the writes for now. */
  boolean isNotYet(Mutation mutation) {
    return mutation.getAttribute(ATTRIBUTE) == notYet;
  }

  /** Why the row of a mutation is not pulled: in words of this server's, or none. */
  static String why(Mutation mutation) {
    byte[] words = mutation.getAttribute(ATTRIBUTE);
    return words == null || words.length < 2 ? null : new String(words, StandardCharsets.UTF_8);
  }

  /** Removes the mark of a mutation that goes to another row. */
  public static void remove(Mutation mutation) {
    mutation.setAttribute(ATTRIBUTE, null);
  }
}
