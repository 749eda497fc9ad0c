package io.rowguard.client;

import io.rowguard.config.LayoutStamp;
import io.rowguard.readdressing.ReaddressedAction;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Mutation;

/** A mutation on a salted row that HBase's buffer could not write. Immutable. */
final class FailedMutation {
  private final Mutation mutation;
  private final TableLayouts plan;
  private final Throwable cause;
  private final String host;

  /**
   * @param plan null where it is not known any more
   */
  FailedMutation(Mutation mutation, TableLayouts plan, Throwable cause, String host) {
    this.mutation = mutation;
    this.plan = plan;
    this.cause = cause;
    this.host = host;
  }

  /** The mutation as it was sent. */
  Mutation mutation() {
    return mutation;
  }

  /** The layouts that it was planned with; null where they are not known any more. */
  TableLayouts plan() {
    return plan;
  }

  /**
   * A copy without a stamp and with the bare key, as the mutation was before it was planned, but
   * for a Put's own timestamp; with the salted row where its plan is not known.
   */
  Mutation bare() throws IOException {
    byte[] bareKey = plan == null ? null : plan.bareKeyOf(mutation.getRow());
    Mutation bare =
        ReaddressedAction.mutation(mutation, bareKey == null ? mutation.getRow() : bareKey);
    LayoutStamp.clear(bare);
    return bare;
  }

  /** Why it failed. */
  Throwable cause() {
    return cause;
  }

  /** The same, for methods that throw it. */
  IOException failure() {
    return cause instanceof IOException ? (IOException) cause : new IOException(cause);
  }

  /** The server that it was sent to, as HBase names it. */
  String host() {
    return host;
  }
}
