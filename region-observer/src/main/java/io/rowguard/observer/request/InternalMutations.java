package io.rowguard.observer.request;

import org.apache.hadoop.hbase.client.Mutation;

/**
 * The mutations that a region makes itself to move rows from one layout to another: copies, and
 * deletes of what has been copied. They carry a mark that cannot be forged: an attribute whose
 * value is one array of this region's instance, compared by identity. Mutations that come over the
 * network have arrays of their own.
 *
 * <p>One per region instance. Thread-safe.
 */
public final class InternalMutations {
  private static final String ATTRIBUTE = "rowguard.own";

  private final byte[] token = {1};
  private final byte[] logged = {2};

  /** Marks a mutation as one that the region itself makes. Not one that is to leave the server. */
  public void mark(Mutation mutation) {
    mutation.setAttribute(ATTRIBUTE, token);
  }

  /** Whether this region itself made the mutation. Allocates nothing. */
  public boolean isOwn(Mutation mutation) {
    byte[] mark = mutation.getAttribute(ATTRIBUTE);
    return mark == token || mark == logged;
  }

  /** Remembers of an own mutation that it goes into the log. */
  public void logged(Mutation mutation) {
    mutation.setAttribute(ATTRIBUTE, logged);
  }

  /**
   * Whether a mutation went into the log. One that another coprocessor bypasses ends as a success
   * without that ({@code HRegion.BatchOperation}).
   */
  public boolean isLogged(Mutation mutation) {
    return mutation.getAttribute(ATTRIBUTE) == logged;
  }
}
