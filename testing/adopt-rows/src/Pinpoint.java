import com.navercorp.pinpoint.common.hbase.distributor.RangeOneByteSimpleHash;
import com.navercorp.pinpoint.common.profiler.util.TransactionId;
import com.navercorp.pinpoint.common.server.bo.serializer.trace.v2.TraceRowKeyEncoderV2;
import com.sematext.hbase.wd.RowKeyDistributorByHashPrefix;

/** Rows of spans. */
final class Pinpoint {
  private Pinpoint() {}

  public static void main(String[] args) {
    System.setOut(System.err);
    for (int buckets : new int[] {256, 64, 7}) {
      TraceRowKeyEncoderV2 spans =
          new TraceRowKeyEncoderV2(
              new RowKeyDistributorByHashPrefix(new RangeOneByteSimpleHash(32, 40, buckets)));
      for (int n = 0; n < 12; n++) {
        long sequence = n * 1_234_567_891_011L;
        TransactionId id = new TransactionId("agent-" + n, Rows.DAY + n, sequence);
        Rows.print("pinpoint", "trace", "buckets=" + buckets, spans.encodeRowKey(id));
      }
    }
  }
}
