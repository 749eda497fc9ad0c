package io.rowguard.observer.decide;

import io.rowguard.layout.RowText;
import io.rowguard.layout.RowkeyLayout;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.RawCell;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.security.access.AccessControlConstants;
import org.apache.hadoop.hbase.security.visibility.VisibilityConstants;

/** Bare keys that cannot be salted, and the words to say so. */
public final class SaltObstacles {
  private SaltObstacles() {}

  /** Reason why a mutation of a bare key cannot be salted, a sentence; null when it can. */
  public static String obstacle(Mutation mutation) {
    if (!(mutation instanceof Put) && !(mutation instanceof Delete)) {
      return "An Increment or Append of a bare key is not salted: a client's retry could apply it"
          + " twice.";
    }
    if (mutation instanceof Put && mutation.isEmpty()) {
      return "A Put without cells is not forwarded: HBase's client would not send it.";
    }
    if (mutation.getAttribute(AccessControlConstants.OP_ATTRIBUTE_ACL) != null) {
      return "A mutation of a bare key with an ACL is not salted: it would be judged with the"
          + " server's rights.";
    }
    if (mutation.getAttribute(VisibilityConstants.VISIBILITY_LABELS_ATTR_KEY) != null) {
      return "A mutation of a bare key with a visibility label is not salted: it would be judged"
          + " with the server's rights.";
    }
    return hasForeignTags(mutation)
        ? "A mutation of a bare key whose cells carry tags is not salted: the tags would be lost."
        : null;
  }

  /** The whole message of a refusal. */
  public static String refusal(
      String obstacle, String context, byte[] bareKey, byte[] saltedRow, RowkeyLayout layout) {
    return obstacle
        + " "
        + context
        + " row=\""
        + RowText.abbreviated(bareKey)
        + "\" saltedRow=\""
        + RowText.abbreviated(saltedRow)
        + "\". Write to the salted row, or through io.rowguard.client.SaltedTable. Layout: "
        + layout;
  }

  /**
   * Whether cells carry tags that the forwarded mutation could not: between servers, tags do not
   * travel. The tag of the mutation's own TTL is not one of these, since the TTL is an attribute
   * and becomes a tag again.
   */
  private static boolean hasForeignTags(Mutation mutation) {
    boolean hasTtl = mutation.getTTL() != Long.MAX_VALUE;
    for (List<Cell> cells : mutation.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        for (Iterator<Tag> tags = ((RawCell) cell).getTags(); tags.hasNext(); ) {
          if (!hasTtl || tags.next().getType() != TagType.TTL_TAG_TYPE) {
            return true;
          }
        }
      }
    }
    return false;
  }
}
