package io.rowguard.observer;

import java.util.Arrays;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;

/**
 * Tells batches whose rows may fail one by one from those that must fail whole.
 *
 * <p>HBase's atomic paths ({@code mutateRow}, {@code checkAndMutate}, {@code mutateRowsWithLocks})
 * ignore the status that a coprocessor sets on a row: they would skip the row and report success
 * ({@code HRegion#mutateRow} of 2.6.1 reads only the results). There the only safe refusal is an
 * exception. A plain batch is the opposite: an exception fails all of its rows.
 *
 * <p>The batch itself does not say which it is; the request that it came with does. Only a {@code
 * Multi} request reads statuses, and of its region actions only those that are not atomic and call
 * no endpoint. (Conditional ones are refused before they become a batch.) An atomic action is one
 * whole batch of mutations of one row, so a batch that is not just that cannot be it. Whatever
 * cannot be told apart fails whole.
 */
final class AtomicBatches {
  private AtomicBatches() {}

  /** Whether a refusal of one of the rows must be thrown. */
  static boolean failsWhole(MiniBatchOperationInProgress<Mutation> batch, RegionInfo region) {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    if (call == null || !(call.getParam() instanceof MultiRequest)) {
      return true;
    }
    boolean fromRequest = false;
    for (RegionAction action : ((MultiRequest) call.getParam()).getRegionActionList()) {
      if (isOf(action, region)) {
        fromRequest = true;
        if (callsEndpoint(action) || (action.getAtomic() && canBe(action, batch))) {
          return true;
        }
      }
    }
    return !fromRequest;
  }

  private static boolean isOf(RegionAction action, RegionInfo region) {
    byte[] name = action.getRegion().getValue().toByteArray();
    return action.getRegion().getType() == RegionSpecifier.RegionSpecifierType.ENCODED_REGION_NAME
        ? Arrays.equals(name, region.getEncodedNameAsBytes())
        : Arrays.equals(name, region.getRegionName());
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
