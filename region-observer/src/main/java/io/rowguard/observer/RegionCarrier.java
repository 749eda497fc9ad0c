package io.rowguard.observer;

import io.rowguard.observer.relayout.OwnCall;
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
 * <p>What the region as a whole does not take, since it closes or has been split, is somebody
 * else's to carry.
 */
final class RegionCarrier implements Lane.Carrier {
  private final Region region;
  private final Consumer<List<ForwardedRow>> otherWay;

  /**
   * @param otherWay sends what this cannot
   */
  RegionCarrier(Region region, Consumer<List<ForwardedRow>> otherWay) {
    this.region = region;
    this.otherWay = otherWay;
  }

  @Override
  public void carry(List<ForwardedRow> rows, Lane.Call call) {
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
        OwnCall.run(TimeUnit.NANOSECONDS.toMillis(nanos), keys, () -> carry(single, several, call));
    if (!left.isEmpty()) {
      left.forEach(call::handOver);
      otherWay.accept(left);
    }
  }

  /** Answers what the region does not take. */
  private List<ForwardedRow> carry(
      List<ForwardedRow> single, List<ForwardedRow> several, Lane.Call call) {
    List<ForwardedRow> left = new ArrayList<>();
    if (!single.isEmpty()) {
      carryBatch(single, call, left);
    }
    for (ForwardedRow row : several) {
      try {
        region.mutateRow((RowMutations) row.action());
        call.ended(row, null);
      } catch (IOException e) {
        left.add(row);
      }
    }
    return left;
  }

  private void carryBatch(List<ForwardedRow> rows, Lane.Call call, List<ForwardedRow> left) {
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
      call.ended(rows.get(i), failureOf(statuses[i]));
    }
  }

  /** As {@code RSRpcServices#doBatchOp} would say it to a client. */
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
