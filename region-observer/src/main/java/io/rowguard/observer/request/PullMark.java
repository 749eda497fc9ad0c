package io.rowguard.observer.request;

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

  /** Marks a mutation whose row is pulled. */
  public void pulled(Mutation mutation) {
    mutation.setAttribute(ATTRIBUTE, pulled);
  }

  /** Marks a mutation of a row whose writes its old row still takes. */
  public void notYet(Mutation mutation) {
    mutation.setAttribute(ATTRIBUTE, notYet);
  }

  /**
   * Marks a mutation whose row could not be pulled.
   *
   * @param why in words of this server's, two characters at least
   */
  public void failed(Mutation mutation, String why) {
    mutation.setAttribute(ATTRIBUTE, why.getBytes(StandardCharsets.UTF_8));
  }

  /** Whether the row of a mutation is pulled. Allocates nothing. */
  public boolean isPulled(Mutation mutation) {
    return mutation.getAttribute(ATTRIBUTE) == pulled;
  }

  /** Whether the old row of a mutation's row takes the writes for now. */
  public boolean isNotYet(Mutation mutation) {
    return mutation.getAttribute(ATTRIBUTE) == notYet;
  }

  /** Why the row of a mutation is not pulled: in words of this server's, or none. */
  public static String why(Mutation mutation) {
    byte[] words = mutation.getAttribute(ATTRIBUTE);
    return words == null || words.length < 2 ? null : new String(words, StandardCharsets.UTF_8);
  }

  /** Removes the mark of a mutation that goes to another row. */
  public static void remove(Mutation mutation) {
    mutation.setAttribute(ATTRIBUTE, null);
  }
}
