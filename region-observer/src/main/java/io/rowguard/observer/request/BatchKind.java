package io.rowguard.observer.request;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The part of a batch that fails together when one of its rows is refused.
 *
 * <p>HBase's atomic paths ({@code mutateRow}, {@code checkAndMutate}, {@code mutateRowsWithLocks})
 * ignore the status that a coprocessor sets on a row: they would skip the row and report success
 * ({@code HRegion#mutateRow} of 2.6.1 reads only the results). There the only safe refusal is an
 * exception. A plain batch is the opposite: an exception fails all of its rows.
 *
 * <p>The batch itself does not say which it is; the request that it came with does. Only a {@code
 * Multi} request reads statuses, and of its region actions only those that are not atomic and call
 * no endpoint. (Conditional ones are refused before they become a batch.) An atomic action is one
 * whole batch of mutations of one row, so a batch that is not just that cannot be it. A batch with
 * rows that no other action writes is another coprocessor's, which may ignore statuses. Whatever
 * cannot be told apart fails whole; a coprocessor that writes a row of the very request can.
 */
public enum BatchKind {
  /** Each row has its own status, which is read. */
  ROW_BY_ROW,
  /** All that a request does to one row: a single mutation, or a RowMutations. */
  ONE_ROW,
  /** Maybe several rows that are to be written together or not at all. */
  WHOLE;

  /** The kind of a batch that is being carried out in the region. */
  public static BatchKind of(MiniBatchOperationInProgress<Mutation> batch, RegionInfo region) {
    Message request = RpcServer.getCurrentCall().map(RpcCall::getParam).orElse(null);
    if (request instanceof MultiRequest) {
      return of((MultiRequest) request, batch, region);
    }
    boolean single =
        request instanceof MutateRequest
            && batch.size() == 1
            && RequestRows.isOf(((MutateRequest) request).getRegion(), region)
            && Arrays.equals(
                ((MutateRequest) request).getMutation().getRow().toByteArray(),
                batch.getOperation(0).getRow());
    return single ? ONE_ROW : WHOLE;
  }

  private static BatchKind of(
      MultiRequest request, MiniBatchOperationInProgress<Mutation> batch, RegionInfo region) {
    Set<ByteString> rows = new HashSet<>();
    boolean atomic = false;
    for (RegionAction action : request.getRegionActionList()) {
      if (!RequestRows.isOf(action.getRegion(), region)) {
        continue;
      }
      if (callsEndpoint(action)) {
        return WHOLE;
      }
      if (action.getAtomic()) {
        atomic |= canBe(action, batch);
      } else {
        action.getActionList().forEach(each -> rows.add(each.getMutation().getRow()));
      }
    }
    if (atomic) {
      return ONE_ROW;
    }
    return areAllOf(rows, batch) ? ROW_BY_ROW : WHOLE;
  }

  private static boolean areAllOf(
      Set<ByteString> rows, MiniBatchOperationInProgress<Mutation> batch) {
    for (int i = 0; i < batch.size(); i++) {
      if (!rows.contains(UnsafeByteOperations.unsafeWrap(batch.getOperation(i).getRow()))) {
        return false;
      }
    }
    return true;
  }

  /** An endpoint such as MultiRowMutationEndpoint can start atomic batches of its own. */
  private static boolean callsEndpoint(RegionAction action) {
    for (Action each : action.getActionList()) {
      if (each.hasServiceCall()) {
        return true;
      }
    }
    return false;
  }

  /** Whether an atomic action may be what this batch carries out. */
  private static boolean canBe(RegionAction action, MiniBatchOperationInProgress<Mutation> batch) {
    int size = batch.size();
    boolean isWholeBatch = batch.getLastIndexExclusive() == size;
    if (!isWholeBatch || action.getActionCount() != size) {
      return false;
    }
    for (int i = 0; i < size; i++) {
      byte[] row = action.getAction(i).getMutation().getRow().toByteArray();
      if (!Arrays.equals(row, batch.getOperation(i).getRow())) {
        return false;
      }
    }
    return true;
  }
}
