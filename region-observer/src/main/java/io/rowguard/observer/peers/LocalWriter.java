package io.rowguard.observer.peers;

import io.rowguard.observer.request.InternalRpcCall;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Writes rows to a region of this very server, which takes neither the network nor a handler.
 * Thread-safe.
 *
 * <p>Rows that the region as a whole does not take, since it closes or has been split, go the other
 * way.
 */
final class LocalWriter implements PeerQueue.Writer {
  private final Region region;
  private final Consumer<List<ForwardedRow>> otherWay;

  /**
   * @param otherWay sends what this cannot
   */
  LocalWriter(Region region, Consumer<List<ForwardedRow>> otherWay) {
    this.region = region;
    this.otherWay = otherWay;
  }

  @Override
  public void write(List<ForwardedRow> rows, PeerQueue.Transfer transfer) {
    Thread.interrupted(); // HBase interrupts who writes to a region that closes; that was another
    long nanos = 0;
    List<ForwardedRow> single = new ArrayList<>(rows.size());
    List<ForwardedRow> several = new ArrayList<>();
    for (ForwardedRow row : rows) {
      nanos = Math.max(nanos, row.batch().nanosLeft());
      (row.action() instanceof Mutation ? single : several).add(row);
    }
    List<byte[]> keys = new ArrayList<>(rows.size());
    rows.forEach(row -> keys.add(row.action().getRow()));
    List<ForwardedRow> left =
        InternalRpcCall.run(
            TimeUnit.NANOSECONDS.toMillis(nanos), keys, () -> write(single, several, transfer));
    if (!left.isEmpty()) {
      left.forEach(transfer::handOver);
      otherWay.accept(left);
    }
  }

  /** Answers what the region does not take. */
  private List<ForwardedRow> write(
      List<ForwardedRow> single, List<ForwardedRow> several, PeerQueue.Transfer transfer) {
    List<ForwardedRow> left = new ArrayList<>();
    if (!single.isEmpty()) {
      writeBatch(single, transfer, left);
    }
    for (ForwardedRow row : several) {
      try {
        region.mutateRow((RowMutations) row.action());
        transfer.ended(row, null);
      } catch (IOException e) {
        left.add(row);
      }
    }
    return left;
  }

  private void writeBatch(
      List<ForwardedRow> rows, PeerQueue.Transfer transfer, List<ForwardedRow> left) {
    // As HBase does with a client's (HBASE-17924), so that all take row locks in one order.
    rows.sort(Comparator.comparing(row -> row.action().getRow(), Bytes.BYTES_COMPARATOR));
    Mutation[] mutations = new Mutation[rows.size()];
    for (int i = 0; i < mutations.length; i++) {
      mutations[i] = (Mutation) rows.get(i).action();
    }
    OperationStatus[] statuses;
    try {
      statuses = region.batchMutate(mutations);
    } catch (IOException e) {
      left.addAll(rows);
      return;
    }
    for (int i = 0; i < mutations.length; i++) {
      transfer.ended(rows.get(i), failureOf(statuses[i]));
    }
  }

  /** The failure as {@code RSRpcServices#doBatchOp} would send it to a client. */
  private static IOException failureOf(OperationStatus status) {
    switch (status.getOperationStatusCode()) {
      case SUCCESS:
        return null;
      case SANITY_CHECK_FAILURE:
        return new FailedSanityCheckException(status.getExceptionMsg());
      case BAD_FAMILY:
        return new NoSuchColumnFamilyException(status.getExceptionMsg());
      case STORE_TOO_BUSY:
        return new RegionTooBusyException(status.getExceptionMsg());
      default:
        return new IOException(status.getExceptionMsg());
    }
  }
}
