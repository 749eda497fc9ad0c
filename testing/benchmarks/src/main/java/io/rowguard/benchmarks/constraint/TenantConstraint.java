package io.rowguard.benchmarks.constraint;

import org.apache.hadoop.hbase.util.ByteArrayHashKey;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.MurmurHash3;

/** Rows are {@code {salt:hex(2)=murmur3(tenant)%256}-{tenant:word}/{kind:word}/{id:text}}. */
public final class TenantConstraint extends RowConstraint {
  private static final int BUCKETS = 256;
  private static final int SALT_LENGTH = 2;

  /** For HBase, which makes one by name. */
  public TenantConstraint() {}

  @Override
  boolean isRight(String row) {
    String[] pieces = row.split("/", 3);
    if (pieces.length < 3 || pieces[2].isEmpty() || isDamaged(pieces[2]) || !isWord(pieces[1])) {
      return false;
    }
    String[] head = pieces[0].split("-", 2);
    if (head.length < 2 || head[0].length() != SALT_LENGTH || !isHex(head[0])) {
      return false;
    }
    return isWord(head[1]) && Integer.parseInt(head[0], 16) == bucket(Bytes.toBytes(head[1]));
  }

  private static int bucket(byte[] tenant) {
    int hash = MurmurHash3.getInstance().hash(new ByteArrayHashKey(tenant, 0, tenant.length), 0);
    return Integer.remainderUnsigned(hash, BUCKETS);
  }
}
