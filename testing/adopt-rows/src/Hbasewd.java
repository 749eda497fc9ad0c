import static java.nio.charset.StandardCharsets.UTF_8;

import com.sematext.hbase.wd.RowKeyDistributorByHashPrefix;
import com.sematext.hbase.wd.RowKeyDistributorByHashPrefix.OneByteSimpleHash;
import com.sematext.hbase.wd.RowKeyDistributorByOneBytePrefix;

/** Rows with a hash in front, and with a byte in turns. */
final class Hbasewd {
  private Hbasewd() {}

  public static void main(String[] args) {
    System.setOut(System.err);
    for (int buckets : new int[] {32, 15, 255}) {
      RowKeyDistributorByHashPrefix hashes =
          new RowKeyDistributorByHashPrefix(new OneByteSimpleHash(buckets));
      for (int n = 0; n < 14; n++) {
        String key = String.format("event-%05d%c%c", n * 977, n, 255 - n);
        byte[] row = hashes.getDistributedKey(key.getBytes(UTF_8));
        Rows.print("hbasewd", "hash", "buckets=" + buckets, row);
      }
    }
    RowKeyDistributorByOneBytePrefix turns = new RowKeyDistributorByOneBytePrefix((byte) 8);
    for (int n = 0; n < 10; n++) {
      byte[] row = turns.getDistributedKey(("key-" + n).getBytes(UTF_8));
      Rows.print("hbasewd", "one-byte", "buckets=8", row);
    }
  }
}
