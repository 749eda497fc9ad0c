package io.rowguard.benchmarks.constraint;

import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MD5Hash;

/** Rows are {@code {hash:hex(4)=md5(*)}-{id:word}}. */
public final class HashedTextIdConstraint extends RowConstraint {
  private static final int HASH_LENGTH = 4;

  /** For HBase, which makes one by name. */
  public HashedTextIdConstraint() {}

  @Override
  boolean isRight(String row) {
    String[] pieces = row.split("-", 2);
    return pieces.length == 2
        && isWord(pieces[1])
        && MD5Hash.getMD5AsHex(Bytes.toBytes(pieces[1]))
            .substring(0, HASH_LENGTH)
            .equals(pieces[0]);
  }
}
