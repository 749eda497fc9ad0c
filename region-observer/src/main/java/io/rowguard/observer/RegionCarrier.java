package io.rowguard.observer;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.exceptions.FailedSanityCheckException;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

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
    List<ForwardedRow> left = new ArrayList<>();
    RpcServer.setCurrentCall(callFor(TimeUnit.NANOSECONDS.toMillis(nanos)));
    try {
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
    } finally {
      RpcServer.unsetCurrentCall();
    }
    if (!left.isEmpty()) {
      left.forEach(call::handOver);
      otherWay.accept(left);
    }
  }

  /**
   * A request of nobody, with a deadline: by that HBase ends its wait for a row lock ({@code
   * HRegion#getRowLockInternal}); without, it waits as long as somebody holds it.
   */
  private static RpcCall callFor(long millis) {
    long deadline = EnvironmentEdgeManager.currentTime() + millis;
    return (RpcCall)
        Proxy.newProxyInstance(
            RegionCarrier.class.getClassLoader(),
            new Class<?>[] {RpcCall.class},
            (self, method, arguments) -> {
              Class<?> type = method.getReturnType();
              if (method.getName().equals("getDeadline")) {
                return deadline;
              }
              if (type == Optional.class) {
                return Optional.empty();
              }
              // What is null, 0 or false in an answer that is not given.
              return type.isPrimitive() && type != void.class
                  ? Array.get(Array.newInstance(type, 1), 0)
                  : null;
            });
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
