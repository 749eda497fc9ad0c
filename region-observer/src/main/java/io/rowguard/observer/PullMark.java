package io.rowguard.observer;

import io.rowguard.observer.relayout.Pulled;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.Mutation;

/**
 * What a mutation carries from the first hook that sees it, which pulls its row, to the last one
 * before it is stored, under the row's lock: whether that went well. An attribute whose value is
 * compared by identity, so that no client can make it. One per region instance; thread-safe.
 */
final class PullMark {
  private static final String ATTRIBUTE = "rowguard.pulled";

  private final byte[] pulled = {1};
  private final byte[] notYet = {2};

  /** Has a mutation carry what came of its row's pull. */
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

  /** Takes it from a mutation that goes to another row. */
  static void remove(Mutation mutation) {
    mutation.setAttribute(ATTRIBUTE, null);
  }
}
